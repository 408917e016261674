#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: consistency_group_snapshot_info
short_description: Read about consistency group snapshot objects
version_added: 0.1.0
description:
  - Snapshots of all volumes of a consistency group, taken at one moment.
  - It reads C(/api/application/consistency-groups/{consistency_group.uuid}/snapshots).
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
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about consistency group snapshot objects
  sanstone.array.consistency_group_snapshot_info:
    consistency_group: consistency_group1
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
    uuid:
      description: Identity of the snapshot.
      returned: where it has a value
      type: str
    name:
      description: Name in the group, and in each volume.
      returned: where it has a value
      type: str
    consistency_group:
      description: The group.
      returned: where it has a value
      type: dict
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    consistency_type:
      description: What the client says that it is; kept.
      returned: where it has a value
      type: str
    snapmirror_label:
      description: Label of the volumes' snapshots.
      returned: where it has a value
      type: str
    create_time:
      description: When it was asked for.
      returned: where it has a value
      type: str
    commit_by:
      description: Until when it must be committed; absent of one that is, or need not be.
      returned: where it has a value
      type: str
    volumes:
      description: The volumes in it.
      returned: where it has a value
      type: list
      elements: dict
    is_partial:
      description: Whether it lacks a volume of the group, so that the group cannot go back
        to it.
      returned: where it has a value
      type: bool
    missing_volumes:
      description: The group's volumes that it lacks.
      returned: where it has a value
      type: list
      elements: dict
    snapshot_volumes:
      description: The volumes in it with their snapshots.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        volume:
          description: The volume.
          returned: where it has a value
          type: dict
        snapshot:
          description: Its snapshot.
          returned: where it has a value
          type: dict
    luns:
      description: The luns in it.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Its path then.
          returned: where it has a value
          type: str
        uuid:
          description: Its identity.
          returned: where it has a value
          type: str
    namespaces:
      description: The namespaces in it.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Its path then.
          returned: where it has a value
          type: str
        uuid:
          description: Its identity.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run(
        "application/consistency-groups/{consistency_group.uuid}/snapshots",
        parents=(
            Parent(
                "consistency_group.uuid",
                "application/consistency-groups",
                {"svm.name": "svm", "name": "consistency_group"},
            ),
        ),
        options={
            "consistency_group": {"type": "str", "required": True},
            "svm": {"type": "str", "required": True},
        },
    )


if __name__ == "__main__":
    main()
