#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: role
short_description: Make, change and remove the array's role objects
version_added: 0.1.0
description:
  - Roles say what accounts may do, by path of the API or by directory of commands.
  - Its options are the fields of C(/api/security/roles), nested as they are there. What is
    not given is left as it is.
options:
  owner:
    description:
      - The SVM that owns it, or the array. By its name.
    type: str
  name:
    description:
      - Name of the role.
    type: str
    required: true
  privileges:
    description:
      - What may be done where; of the paths that lead to a request's, the longest counts.
    type: list
    elements: dict
    suboptions:
      path:
        description:
          - Path of the API, with all that is below it, or a directory of commands, as V(lun).
        type: str
        required: true
      access:
        description:
          - What may be done there.
        type: str
        required: true
        choices:
          - none
          - readonly
          - read_create
          - read_modify
          - read_create_modify
          - all
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.role_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make a role that may only look at storage
  sanstone.array.role:
    name: storage-viewer
    privileges:
      - path: /api/storage
        access: readonly

- name: Remove a role
  sanstone.array.role:
    name: storage-viewer
    state: absent
"""

RETURN = r"""
record:
  description: The role as the array shows it afterwards, in check mode before the change.
  returned: when it exists, or shall exist
  type: dict
hosts:
  description: Hosts that are connected now to what would change.
  returned: in check mode, when something would change
  type: list
  elements: dict
  sample:
    - protocol: iscsi
      name: iqn.1994-05.com.example:host1
job:
  description: UUID of the job that works on the change.
  returned: with O(wait=false), when the array has not ended it at once
  type: str
code:
  description: ONTAP's code of the error.
  returned: when the array refuses
  type: str
  sample: '262197'
target:
  description: The field at fault.
  returned: when the array refuses, where it is one
  type: str
status:
  description: HTTP's status of the answer.
  returned: when the array refuses
  type: int
  sample: 409
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Members, Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="security/roles",
    noun="role",
    identity={"owner.name": "owner", "name": "name"},
    otherwise={"owner": {"scope": "cluster"}},
    fields={"owner": "owner", "name": "name", "privileges": "privileges"},
    at_first=frozenset(["name", "owner"]),
    lists={"privileges": Members("privileges", ("path",))},
)
OPTIONS = {
    "owner": {"type": "str"},
    "name": {"type": "str", "required": True},
    "privileges": {
        "type": "list",
        "elements": "dict",
        "options": {
            "path": {"type": "str", "required": True},
            "access": {
                "type": "str",
                "required": True,
                "choices": [
                    "none",
                    "readonly",
                    "read_create",
                    "read_modify",
                    "read_create_modify",
                    "all",
                ],
            },
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
