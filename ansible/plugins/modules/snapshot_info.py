#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_info
short_description: Read about snapshot objects
version_added: 0.1.0
description:
  - Snapshots hold what is in a volume as it was at one moment.
  - It reads C(/api/storage/volumes/{volume.uuid}/snapshots).
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
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about snapshot objects
  sanstone.array.snapshot_info:
    volume: volume1
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
      description: Name in the volume.
      returned: where it has a value
      type: str
    volume:
      description: The volume.
      returned: where it has a value
      type: dict
    svm:
      description: The SVM of the volume.
      returned: where it has a value
      type: dict
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    snapmirror_label:
      description: Label for replication, which the array does not do; kept.
      returned: where it has a value
      type: str
    expiry_time:
      description: Until when it cannot be deleted.
      returned: where it has a value
      type: str
    create_time:
      description: When it was asked for.
      returned: where it has a value
      type: str
    owners:
      description: 'Who needs it: volume_clone where volumes are clones of it, else absent.'
      returned: where it has a value
      type: list
      elements: str
    size:
      description: Bytes that it holds and neither the volume nor a newer snapshot has any
        more. As last measured, about a minute ago; absent until that is done, and while it
        has to be done again since a newer one is deleted.
      returned: where it has a value
      type: int
    state:
      description: 'Whether it can be used: valid, or unknown as long as it is not taken.'
      returned: where it has a value
      type: str
    version_uuid:
      description: Identity of its content.
      returned: where it has a value
      type: str
    logical_size:
      description: Bytes of all LUNs and namespaces in it.
      returned: where it has a value
      type: int
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run(
        "storage/volumes/{volume.uuid}/snapshots",
        parents=(Parent("volume.uuid", "storage/volumes", {"svm.name": "svm", "name": "volume"}),),
        options={
            "volume": {"type": "str", "required": True},
            "svm": {"type": "str", "required": True},
        },
    )


if __name__ == "__main__":
    main()
