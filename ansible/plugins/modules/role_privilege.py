#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: role_privilege
short_description: Make, change and remove the array's role privilege objects
version_added: 0.1.0
description:
  - Privileges of a role say what may be done at a path and below it.
  - Its options are the fields of C(/api/security/roles/{owner.uuid}/{role.name}/privileges),
    nested as they are there. What is not given is left as it is.
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
  path:
    description:
      - Path of the API, with all that is below it, or a directory of commands, as V(lun).
    type: str
    required: true
  access:
    description:
      - What may be done there.
    type: str
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
  - module: sanstone.array.role_privilege_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Let it look at SVMs too
  sanstone.array.role_privilege:
    role: storage-viewer
    path: /api/svm
    access: readonly

- name: Take a privilege back
  sanstone.array.role_privilege:
    role: storage-viewer
    path: /api/svm
    state: absent
"""

RETURN = r"""
record:
  description: The role privilege as the array shows it afterwards, in check mode before the
    change.
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent, Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="security/roles/{owner.uuid}/{role.name}/privileges",
    noun="role privilege",
    identity={"path": "path"},
    parents=(
        Parent("owner.uuid", "security/roles", {"owner.name": "owner", "name": "role"}),
        Parent("role.name", "security/roles", {"owner.name": "owner", "name": "role"}),
    ),
    otherwise={"owner": {"scope": "cluster"}},
    fields={"path": "path", "access": "access"},
    at_first=frozenset(["path"]),
)
OPTIONS = {
    "role": {"type": "str", "required": True},
    "owner": {"type": "str"},
    "path": {"type": "str", "required": True},
    "access": {
        "type": "str",
        "choices": ["none", "readonly", "read_create", "read_modify", "read_create_modify", "all"],
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
