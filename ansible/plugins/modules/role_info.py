#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: role_info
short_description: Read about role objects
version_added: 0.1.0
description:
  - Roles say what accounts may do, by path of the API or by directory of commands.
  - It reads C(/api/security/roles).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about role objects
  sanstone.array.role_info:
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
    scope:
      description: Whether the array or an SVM owns it.
      returned: where it has a value
      type: str
    name:
      description: Name of the role.
      returned: where it has a value
      type: str
    builtin:
      description: Whether it comes with the array and never changes.
      returned: where it has a value
      type: bool
    privileges:
      description: What may be done where; of the paths that lead to a request's, the longest
        counts.
      returned: where it has a value
      type: list
      elements: dict
      contains:
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

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/roles")


if __name__ == "__main__":
    main()
