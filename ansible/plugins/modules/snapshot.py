#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot
short_description: Make, change and remove the array's snapshot objects
version_added: 0.1.0
description:
  - Snapshots hold what is in a volume as it was at one moment.
  - Its options are the fields of C(/api/storage/volumes/{volume.uuid}/snapshots), nested
    as they are there. What is not given is left as it is.
options:
  volume:
    description:
      - The volume that it belongs to.
    type: str
    required: true
  svm:
    description:
      - The SVM of the volume. By its name.
    type: str
    required: true
  name:
    description:
      - Name in the volume.
    type: str
    required: true
  comment:
    description:
      - Comment.
    type: str
  snapmirror_label:
    description:
      - Label for replication, which the array does not do; kept.
    type: str
  expiry_time:
    description:
      - Until when it cannot be deleted.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.snapshot_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Take a snapshot of a volume
  sanstone.array.snapshot:
    svm: svm1
    volume: vol1
    name: before-upgrade
    comment: In case that it fails

- name: Remove a snapshot
  sanstone.array.snapshot:
    svm: svm1
    volume: vol1
    name: before-upgrade
    state: absent
"""

RETURN = r"""
record:
  description: The snapshot as the array shows it afterwards, in check mode before the change.
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
    path="storage/volumes/{volume.uuid}/snapshots",
    noun="snapshot",
    identity={"name": "name"},
    parents=(Parent("volume.uuid", "storage/volumes", {"svm.name": "svm", "name": "volume"}),),
    fields={
        "name": "name",
        "svm": "svm",
        "comment": "comment",
        "snapmirror_label": "snapmirror_label",
        "expiry_time": "expiry_time",
    },
    new_name="name",
    at_first=frozenset(["svm"]),
)
OPTIONS = {
    "volume": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "name": {"type": "str", "required": True},
    "comment": {"type": "str"},
    "snapmirror_label": {"type": "str"},
    "expiry_time": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
