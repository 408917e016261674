#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_policy_info
short_description: Read about snapshot policy objects
version_added: 0.1.0
description:
  - Snapshot policies say when snapshots of a volume are taken and how many are kept.
  - It reads C(/api/storage/snapshot-policies).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about snapshot policy objects
  sanstone.array.snapshot_policy_info:
    filter:
      svm.name: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    uuid:
      description: Identity of the policy.
      returned: where it has a value
      type: str
    name:
      description: Name in the SVM, or in the array.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    scope:
      description: Whose it is.
      returned: where it has a value
      type: str
    enabled:
      description: Whether it is obeyed.
      returned: where it has a value
      type: bool
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    copies:
      description: Its schedules, at most five.
      returned: where it has a value
      type: list
      elements: dict
      contains:
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
          description: 'How long each snapshot cannot be deleted, in ISO 8601: P30D. While
            more than V(count) are younger than that, they all stay. Forever (V(infinite))
            is refused.'
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("storage/snapshot-policies")


if __name__ == "__main__":
    main()
