#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: igroup_igroup_info
short_description: Read about igroup igroup objects
version_added: 0.1.0
description:
  - The igroups that are directly in one igroup.
  - It reads C(/api/protocols/san/igroups/{igroup.uuid}/igroups).
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
- name: Read about igroup igroup objects
  sanstone.array.igroup_igroup_info:
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
      description: The igroup that holds it.
      returned: where it has a value
      type: dict
    uuid:
      description: Identity of the igroup in it.
      returned: where it has a value
      type: str
    name:
      description: Its name.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run(
        "protocols/san/igroups/{igroup.uuid}/igroups",
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
