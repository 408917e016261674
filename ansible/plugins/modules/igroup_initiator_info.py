#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: igroup_initiator_info
short_description: Read about igroup initiator objects
version_added: 0.1.0
description:
  - The initiators of one igroup.
  - It reads C(/api/protocols/san/igroups/{igroup.uuid}/initiators).
options:
  igroup:
    description:
      - The igroup that it belongs to.
    type: str
    required: true
  svm:
    description:
      - The SVM of the igroup.
    type: str
    required: true
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about igroup initiator objects
  sanstone.array.igroup_initiator_info:
    igroup: igroup1
    svm: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    igroup:
      description: The igroup.
      returned: where it has a value
      type: dict
    name:
      description: 'IQN or EUI of the initiator, its WWPN or an alias of that, or by SRP its
        port''s identifier: 0x and 32 digits, or the last 16 of them as hosts show them, 5054:00ff:….'
      returned: where it has a value
      type: str
    comment:
      description: Comment; an empty one is not shown.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run(
        "protocols/san/igroups/{igroup.uuid}/initiators",
        parents=(
            Parent("igroup.uuid", "protocols/san/igroups", {"svm.name": "svm", "name": "igroup"}),
        ),
        options={
            "igroup": {"type": "str", "required": True},
            "svm": {"type": "str", "required": True},
        },
    )


if __name__ == "__main__":
    main()
