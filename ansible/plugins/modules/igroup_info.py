#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: igroup_info
short_description: Read about igroup objects
version_added: 0.1.0
description:
  - Igroups are groups of initiators; a LUN is seen by the initiators it is mapped to.
  - It reads C(/api/protocols/san/igroups).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about igroup objects
  sanstone.array.igroup_info:
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
      description: Identity of the igroup.
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
    os_type:
      description: System of the hosts.
      returned: where it has a value
      type: str
    protocol:
      description: Which kinds of initiators it takes.
      returned: where it has a value
      type: str
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    initiators:
      description: The initiators, those of the igroups in it included.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: 'IQN or EUI of the initiator, its WWPN or an alias of that, or by SRP
            its port''s identifier: 0x and 32 digits, or the last 16 of them as hosts show
            them, 5054:00ff:….'
          returned: where it has a value
          type: str
        comment:
          description: Comment; an empty one is not shown.
          returned: where it has a value
          type: str
    igroups:
      description: The igroups in it.
      returned: where it has a value
      type: list
      elements: dict
    parent_igroups:
      description: The igroups that it is in.
      returned: where it has a value
      type: list
      elements: dict
    portset:
      description: The portset whose interfaces alone serve it.
      returned: where it has a value
      type: dict
    delete_on_unmap:
      description: Whether it is deleted with its last map.
      returned: where it has a value
      type: bool
    lun_maps:
      description: LUNs mapped to the igroup.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        logical_unit_number:
          description: Number its initiators see.
          returned: where it has a value
          type: int
        lun:
          description: Fields of lun.
          type: dict
          contains:
            name:
              description: Path of the LUN.
              returned: where it has a value
              type: str
            uuid:
              description: Identity of the LUN.
              returned: where it has a value
              type: str
    connectivity_tracking:
      description: Fields of connectivity_tracking.
      type: dict
      contains:
        connection_state:
          description: How many of its initiators are logged in, at an interface that is up.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/igroups")


if __name__ == "__main__":
    main()
