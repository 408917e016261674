#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_policy_schedule_info
short_description: Read about snapshot policy schedule objects
version_added: 0.1.0
description:
  - The schedules of one snapshot policy, and how many snapshots each keeps.
  - It reads C(/api/storage/snapshot-policies/{snapshot_policy.uuid}/schedules).
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
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about snapshot policy schedule objects
  sanstone.array.snapshot_policy_schedule_info:
    snapshot_policy: snapshot_policy1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    snapshot_policy:
      description: The policy.
      returned: where it has a value
      type: dict
    schedule:
      description: The schedule.
      returned: where it has a value
      type: dict
    count:
      description: Snapshots that are kept.
      returned: where it has a value
      type: int
    prefix:
      description: How their names begin; the schedule's name when not given.
      returned: where it has a value
      type: str
    snapmirror_label:
      description: Label that they get.
      returned: where it has a value
      type: str
    retention_period:
      description: 'How long each snapshot cannot be deleted, in ISO 8601: P30D. While more
        than V(count) are younger than that, they all stay. Forever (V(infinite)) is refused.'
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run(
        "storage/snapshot-policies/{snapshot_policy.uuid}/schedules",
        parents=(
            Parent(
                "snapshot_policy.uuid",
                "storage/snapshot-policies",
                {"svm.name": "svm", "name": "snapshot_policy"},
            ),
        ),
        options={"snapshot_policy": {"type": "str", "required": True}, "svm": {"type": "str"}},
        otherwise={"svm": {"scope": "cluster"}},
    )


if __name__ == "__main__":
    main()
