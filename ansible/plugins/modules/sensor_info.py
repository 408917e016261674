#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: sensor_info
short_description: Read about sensor objects
version_added: 0.1.0
description:
  - Sensors of the machine, as its management controller (BMC) measures them every minute;
    none where there is no such controller.
  - It reads C(/api/cluster/sensors).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about sensor objects
  sanstone.array.sensor_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    node:
      description: Fields of node.
      type: dict
      contains:
        name:
          description: Name of the node.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the node.
          returned: where it has a value
          type: str
    index:
      description: Number of the sensor, in the controller's order.
      returned: where it has a value
      type: int
    name:
      description: Name of the sensor.
      returned: where it has a value
      type: str
    type:
      description: What it measures.
      returned: where it has a value
      type: str
    threshold_state:
      description: Where its value is between its thresholds; absent for one without thresholds.
      returned: where it has a value
      type: str
    value:
      description: What it measures now.
      returned: where it has a value
      type: int
    value_units:
      description: 'Unit of the value and the thresholds: C (degrees Celsius), RPM, mV, mA
        or another.'
      returned: where it has a value
      type: str
    critical_low_threshold:
      description: Critical up to this value.
      returned: where it has a value
      type: int
    warning_low_threshold:
      description: Too low up to this value.
      returned: where it has a value
      type: int
    warning_high_threshold:
      description: Too high from this value on.
      returned: where it has a value
      type: int
    critical_high_threshold:
      description: Critical from this value on.
      returned: where it has a value
      type: int
    discrete_state:
      description: Whether what it says is good; absent for one with thresholds.
      returned: where it has a value
      type: str
    discrete_value:
      description: What it says, in the controller's words.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("cluster/sensors")


if __name__ == "__main__":
    main()
