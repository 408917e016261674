#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: counter_table_info
short_description: Read about counter table objects
version_added: 0.1.0
description:
  - Tables of raw counters, which tell how busy the node is.
  - It reads C(/api/cluster/counter/tables).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about counter table objects
  sanstone.array.counter_table_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: Name of the table.
      returned: where it has a value
      type: str
    description:
      description: What is counted.
      returned: where it has a value
      type: str
    counter_schemas:
      description: The counters.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the counter.
          returned: where it has a value
          type: str
        description:
          description: What it counts.
          returned: where it has a value
          type: str
        type:
          description: 'What its growth between two readings tells: V(delta) is it itself,
            V(percent) its share in the growth of the denominator.'
          returned: where it has a value
          type: str
        unit:
          description: Unit of what it tells.
          returned: where it has a value
          type: str
        denominator:
          description: Fields of denominator.
          type: dict
          contains:
            name:
              description: The counter to divide by.
              returned: where it has a value
              type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("cluster/counter/tables")


if __name__ == "__main__":
    main()
