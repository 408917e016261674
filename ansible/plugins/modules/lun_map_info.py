#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: lun_map_info
short_description: Read about LUN map objects
version_added: 0.1.0
description:
  - LUN maps show a LUN to the initiators of an igroup under a number.
  - It reads C(/api/protocols/san/lun-maps).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about LUN map objects
  sanstone.array.lun_map_info:
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
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    lun:
      description: The LUN.
      returned: where it has a value
      type: dict
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
    igroup:
      description: The igroup.
      returned: where it has a value
      type: dict
      contains:
        os_type:
          description: System of the igroup's hosts.
          returned: where it has a value
          type: str
        protocol:
          description: Which kinds of initiators the igroup takes.
          returned: where it has a value
          type: str
    logical_unit_number:
      description: Number under which initiators see the LUN; the lowest free one when not
        given.
      returned: where it has a value
      type: int
    reporting_nodes:
      description: Nodes through which the LUN is seen.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the node.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the node.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/lun-maps")


if __name__ == "__main__":
    main()
