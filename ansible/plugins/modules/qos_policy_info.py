#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: qos_policy_info
short_description: Read about QoS policy objects
version_added: 0.1.0
description:
  - Quality of service policies are kept; only one without limits can be assigned.
  - It reads C(/api/storage/qos/policies).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about QoS policy objects
  sanstone.array.qos_policy_info:
    filter:
      svm.name: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    uuid:
      description: Identity of the policy.
      returned: where it has a value
      type: str
    name:
      description: Name within the SVM.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    fixed:
      description: Fields of fixed.
      type: dict
      contains:
        max_throughput_iops:
          description: Most operations per second.
          returned: where it has a value
          type: int
        max_throughput_mbps:
          description: Most MiB per second.
          returned: where it has a value
          type: int
        min_throughput_iops:
          description: Operations per second at least.
          returned: where it has a value
          type: int
        min_throughput_mbps:
          description: MiB per second at least.
          returned: where it has a value
          type: int
        capacity_shared:
          description: Whether all that have the policy share it.
          returned: where it has a value
          type: bool
    adaptive:
      description: Fields of adaptive.
      type: dict
      contains:
        expected_iops:
          description: Operations per second for each TiB.
          returned: where it has a value
          type: int
        peak_iops:
          description: At most, likewise.
          returned: where it has a value
          type: int
        absolute_min_iops:
          description: Operations per second at least.
          returned: where it has a value
          type: int
        expected_iops_allocation:
          description: Of which size the expected ones are reckoned.
          returned: where it has a value
          type: str
        peak_iops_allocation:
          description: Of which size the peak ones are reckoned.
          returned: where it has a value
          type: str
        block_size:
          description: Size of the operations that are counted.
          returned: where it has a value
          type: str
    object_count:
      description: How many objects have it.
      returned: where it has a value
      type: int
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("storage/qos/policies")


if __name__ == "__main__":
    main()
