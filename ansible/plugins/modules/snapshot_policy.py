#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_policy
short_description: Make, change and remove the array's snapshot policy objects
version_added: 0.1.0
description:
  - Snapshot policies say when snapshots of a volume are taken and how many are kept.
  - Its options are the fields of C(/api/storage/snapshot-policies), nested as they are there.
    What is not given is left as it is.
options:
  name:
    description:
      - Name in the SVM, or in the array.
    type: str
    required: true
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
  enabled:
    description:
      - Whether it is obeyed. The array's default is V(true).
    type: bool
  comment:
    description:
      - Comment.
    type: str
  copies:
    description:
      - Its schedules, at most five.
    type: list
    elements: dict
    suboptions:
      schedule:
        description:
          - The schedule. By its name.
        type: str
        required: true
      count:
        description:
          - Snapshots that are kept.
        type: int
        required: true
      prefix:
        description:
          - How their names begin; the schedule's name when not given.
        type: str
      snapmirror_label:
        description:
          - Label that they get.
        type: str
      retention_period:
        description:
          - 'How long each snapshot cannot be deleted, in ISO 8601: P30D. While more than
            V(count) are younger than that, they all stay. Forever (V(infinite)) is refused.'
        type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.snapshot_policy_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Keep a week of nightly snapshots
  sanstone.array.snapshot_policy:
    svm: svm1
    name: week
    copies:
      - schedule: nightly
        count: 7
        prefix: night

- name: Remove a policy
  sanstone.array.snapshot_policy:
    svm: svm1
    name: week
    state: absent
"""

RETURN = r"""
record:
  description: The snapshot policy as the array shows it afterwards, in check mode before
    the change.
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
    path="storage/snapshot-policies",
    noun="snapshot policy",
    identity={"svm.name": "svm", "name": "name"},
    otherwise={"svm": {"scope": "cluster"}},
    fields={
        "name": "name",
        "svm": "svm",
        "enabled": "enabled",
        "comment": "comment",
        "copies": "copies",
    },
    at_first=frozenset(["name", "svm"]),
    lists={"copies": Members("schedules", ("schedule",))},
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str"},
    "enabled": {"type": "bool"},
    "comment": {"type": "str"},
    "copies": {
        "type": "list",
        "elements": "dict",
        "options": {
            "schedule": {"type": "str", "required": True},
            "count": {"type": "int", "required": True},
            "prefix": {"type": "str"},
            "snapmirror_label": {"type": "str"},
            "retention_period": {"type": "str"},
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
