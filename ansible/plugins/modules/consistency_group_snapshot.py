#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: consistency_group_snapshot
short_description: Make, change and remove the array's consistency group snapshot objects
version_added: 0.1.0
description:
  - Snapshots of all volumes of a consistency group, taken at one moment.
  - Its options are the fields of C(/api/application/consistency-groups/{consistency_group.uuid}/snapshots),
    nested as they are there. What is not given is left as it is.
options:
  consistency_group:
    description:
      - The consistency group that it belongs to.
    type: str
    required: true
  svm:
    description:
      - The SVM of the consistency group.
    type: str
    required: true
  name:
    description:
      - Name in the group, and in each volume.
    type: str
    required: true
  comment:
    description:
      - Comment.
    type: str
  consistency_type:
    description:
      - What the client says that it is; kept. The array's default is V(crash).
    type: str
    choices:
      - crash
      - application
  snapmirror_label:
    description:
      - Label of the volumes' snapshots.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.consistency_group_snapshot_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Take a snapshot of all of them
  sanstone.array.consistency_group_snapshot:
    svm: svm1
    consistency_group: databases
    name: together

- name: Remove a snapshot of all volumes
  sanstone.array.consistency_group_snapshot:
    svm: svm1
    consistency_group: databases
    name: together
    state: absent
"""

RETURN = r"""
record:
  description: The consistency group snapshot as the array shows it afterwards, in check mode
    before the change.
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
    path="application/consistency-groups/{consistency_group.uuid}/snapshots",
    noun="consistency group snapshot",
    identity={"name": "name"},
    parents=(
        Parent(
            "consistency_group.uuid",
            "application/consistency-groups",
            {"svm.name": "svm", "name": "consistency_group"},
        ),
    ),
    fields={
        "name": "name",
        "comment": "comment",
        "consistency_type": "consistency_type",
        "snapmirror_label": "snapmirror_label",
    },
    at_first=frozenset(["comment", "consistency_type", "name", "snapmirror_label"]),
)
OPTIONS = {
    "consistency_group": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "name": {"type": "str", "required": True},
    "comment": {"type": "str"},
    "consistency_type": {"type": "str", "choices": ["crash", "application"]},
    "snapmirror_label": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
