#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: role_privilege_info
short_description: Read about role privilege objects
version_added: 0.1.0
description:
  - Privileges of a role say what may be done at a path and below it.
  - It reads C(/api/security/roles/{owner.uuid}/{role.name}/privileges).
options:
  role:
    description:
      - The role that it belongs to.
    type: str
    required: true
  owner:
    description:
      - The SVM that owns the role; without it, the array.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about role privilege objects
  sanstone.array.role_privilege_info:
    role: admin
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    owner:
      description: The SVM that owns it, or the array.
      returned: where it has a value
      type: dict
    role:
      description: Fields of role.
      type: dict
      contains:
        name:
          description: Name of the role.
          returned: where it has a value
          type: str
    path:
      description: Path of the API, with all that is below it, or a directory of commands,
        as V(lun).
      returned: where it has a value
      type: str
    access:
      description: What may be done there.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run(
        "security/roles/{owner.uuid}/{role.name}/privileges",
        parents=(
            Parent("owner.uuid", "security/roles", {"owner.name": "owner", "name": "role"}),
            Parent("role.name", "security/roles", {"owner.name": "owner", "name": "role"}),
        ),
        options={"role": {"type": "str", "required": True}, "owner": {"type": "str"}},
        otherwise={"owner": {"scope": "cluster"}},
    )


if __name__ == "__main__":
    main()
