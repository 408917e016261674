#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_policy_schedule
short_description: Make, change and remove the array's snapshot policy schedule objects
version_added: 0.1.0
description:
  - The schedules of one snapshot policy, and how many snapshots each keeps.
  - Its options are the fields of C(/api/storage/snapshot-policies/{snapshot_policy.uuid}/schedules),
    nested as they are there. What is not given is left as it is.
options:
  snapshot_policy:
    description:
      - The snapshot policy that it belongs to.
    type: str
    required: true
  svm:
    description:
      - The SVM of the snapshot policy.
    type: str
  schedule:
    description:
      - The schedule. By its name.
    type: str
    required: true
  count:
    description:
      - Snapshots that are kept.
    type: int
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
      - 'How long each snapshot cannot be deleted, in ISO 8601: P30D. While more than V(count)
        are younger than that, they all stay. Forever (V(infinite)) is refused.'
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.snapshot_policy_schedule_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Keep four of the last hour, too
  sanstone.array.snapshot_policy_schedule:
    svm: svm1
    snapshot_policy: week
    schedule: often
    count: 4

- name: Take no more of these snapshots
  sanstone.array.snapshot_policy_schedule:
    svm: svm1
    snapshot_policy: week
    schedule: often
    state: absent
"""

RETURN = r"""
record:
  description: The snapshot policy schedule as the array shows it afterwards, in check mode
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
    path="storage/snapshot-policies/{snapshot_policy.uuid}/schedules",
    noun="snapshot policy schedule",
    identity={"schedule.name": "schedule"},
    parents=(
        Parent(
            "snapshot_policy.uuid",
            "storage/snapshot-policies",
            {"svm.name": "svm", "name": "snapshot_policy"},
        ),
    ),
    otherwise={"svm": {"scope": "cluster"}},
    fields={
        "schedule": "schedule",
        "count": "count",
        "prefix": "prefix",
        "snapmirror_label": "snapmirror_label",
        "retention_period": "retention_period",
    },
    at_first=frozenset(["prefix", "schedule"]),
)
OPTIONS = {
    "snapshot_policy": {"type": "str", "required": True},
    "svm": {"type": "str"},
    "schedule": {"type": "str", "required": True},
    "count": {"type": "int"},
    "prefix": {"type": "str"},
    "snapmirror_label": {"type": "str"},
    "retention_period": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
