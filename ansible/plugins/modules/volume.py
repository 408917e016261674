#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: volume
short_description: Make, change and remove the array's volume objects
version_added: 0.1.0
description:
  - Volumes hold LUNs and namespaces; each is on one aggregate and belongs to one SVM.
  - Its options are the fields of C(/api/storage/volumes), nested as they are there. What
    is not given is left as it is.
options:
  name:
    description:
      - Name of the volume, unique in its SVM; it is part of the paths of what is in it.
    type: str
    required: true
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  aggregates:
    description:
      - The aggregate that it is on; the one with most space where none is given.
    type: list
    elements: str
  size:
    description:
      - Size in bytes. Or with a unit of 1024, as V(10GB).
    type: str
  space:
    description:
      - Fields of space.
    type: dict
    suboptions:
      size:
        description:
          - Size in bytes. Or with a unit of 1024, as V(10GB).
        type: str
      snapshot:
        description:
          - Fields of snapshot.
        type: dict
        suboptions:
          reserve_percent:
            description:
              - Share that is kept for snapshots. The array's default is V(0).
            type: int
          autodelete:
            description:
              - Fields of autodelete.
            type: dict
            suboptions:
              trigger:
                description:
                  - What would have to be full; without effect.
                type: str
                choices:
                  - volume
                  - snap_reserve
              commitment:
                description:
                  - Which would go; without effect.
                type: str
                choices:
                  - try
                  - disrupt
                  - destroy
              delete_order:
                description:
                  - Which would go first; without effect.
                type: str
                choices:
                  - oldest_first
                  - newest_first
              defer_delete:
                description:
                  - Which would go last; without effect.
                type: str
                choices:
                  - none
                  - prefix
                  - scheduled
                  - user_created
              prefix:
                description:
                  - What their names begin with; without effect.
                type: str
              target_free_space:
                description:
                  - Percent that would be freed; without effect.
                type: int
      full_threshold_percent:
        description:
          - When it counts as full.
        type: int
      nearly_full_threshold_percent:
        description:
          - As nearly full.
        type: int
      large_size_enabled:
        description:
          - Whether it may be very large.
        type: bool
      logical_space:
        description:
          - Fields of logical_space.
        type: dict
        suboptions:
          enforcement:
            description:
              - How space is counted.
            type: bool
          reporting:
            description:
              - How space is shown.
            type: bool
  guarantee:
    description:
      - Fields of guarantee.
    type: dict
    suboptions:
      type:
        description:
          - Whether its size is set aside in the aggregate. The array's default is V(none).
        type: str
        choices:
          - none
          - volume
  volume_state:
    description:
      - Hosts reach nothing in a volume that is offline. The array's default is V(online).
    type: str
    choices:
      - online
      - offline
  snapshot_policy:
    description:
      - When snapshots are taken; as its SVM says when not given. By its name.
    type: str
  qos:
    description:
      - Fields of qos.
    type: dict
    suboptions:
      policy:
        description:
          - 'Its quality of service policy, which may limit nothing: no limit could be kept.
            By its name.'
        type: str
  comment:
    description:
      - Comment.
    type: str
  clone:
    description:
      - Fields of clone.
    type: dict
    suboptions:
      is_flexclone:
        description:
          - Whether it is a clone that is not split off.
        type: bool
      parent_volume:
        description:
          - What it was cloned from. By its name.
        type: str
      parent_snapshot:
        description:
          - Which snapshot it was cloned from; a new one when not given.
        type: str
      parent_svm:
        description:
          - 'The SVM of what it was cloned from: its own. By its name.'
        type: str
  language:
    description:
      - Character set of file names.
    type: str
  nas:
    description:
      - Fields of nas.
    type: dict
    suboptions:
      path:
        description:
          - Where file clients would mount it.
        type: str
      export_policy:
        description:
          - Who might mount it.
        type: str
      security_style:
        description:
          - Rights.
        type: str
        choices:
          - unix
          - ntfs
          - mixed
          - unified
      unix_permissions:
        description:
          - Rights in octal digits.
        type: int
      uid:
        description:
          - Owner of the root directory.
        type: int
      gid:
        description:
          - Group of the root directory.
        type: int
  snapshot_directory_access_enabled:
    description:
      - Whether .snapshot is seen.
    type: bool
  access_time_enabled:
    description:
      - Whether reading sets a time.
    type: bool
  tiering:
    description:
      - Fields of tiering.
    type: dict
    suboptions:
      policy:
        description:
          - Which data may move to an object store.
        type: str
        choices:
          - none
          - snapshot_only
          - auto
          - all
      min_cooling_days:
        description:
          - Days before data may move.
        type: int
  files:
    description:
      - Fields of files.
    type: dict
    suboptions:
      maximum:
        description:
          - Most files.
        type: int
  efficiency:
    description:
      - Fields of efficiency.
    type: dict
    suboptions:
      policy:
        description:
          - When efficiency runs.
        type: str
  autosize:
    description:
      - Fields of autosize.
    type: dict
    suboptions:
      mode:
        description:
          - 'How its size follows its use. The size stays as it is set, whatever the mode:
            hosts write on in a volume that is full. Refused where the size is set aside,
            which it would change.'
        type: str
        choices:
          - 'off'
          - grow
          - grow_shrink
      maximum:
        description:
          - Most bytes that it would grow to; without effect. Or with a unit of 1024, as V(10GB).
        type: str
      minimum:
        description:
          - Fewest bytes that it would shrink to; without effect. Or with a unit of 1024,
            as V(10GB).
        type: str
      grow_threshold:
        description:
          - Percent in use; without effect.
        type: int
      shrink_threshold:
        description:
          - Percent in use; without effect.
        type: int
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.volume_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make a volume of 2 GiB
  sanstone.array.volume:
    svm: svm1
    name: vol1
    size: 2GB
    snapshot_policy: week

- name: Grow it
  sanstone.array.volume:
    svm: svm1
    name: vol1
    size: 3GB

- name: Remove a volume with all that is in it
  sanstone.array.volume:
    svm: svm1
    name: vol1
    state: absent
"""

RETURN = r"""
record:
  description: The volume as the array shows it afterwards, in check mode before the change.
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="storage/volumes",
    noun="volume",
    identity={"svm.name": "svm", "name": "name"},
    fields={
        "name": "name",
        "svm": "svm",
        "aggregates": "aggregates",
        "size": "size",
        "space": "space",
        "guarantee": "guarantee",
        "volume_state": "state",
        "snapshot_policy": "snapshot_policy",
        "qos": "qos",
        "comment": "comment",
        "clone": "clone",
        "language": "language",
        "nas": "nas",
        "snapshot_directory_access_enabled": "snapshot_directory_access_enabled",
        "access_time_enabled": "access_time_enabled",
        "tiering": "tiering",
        "files": "files",
        "efficiency": "efficiency",
        "autosize": "autosize",
    },
    new_name="name",
    at_first=frozenset(
        [
            "aggregates",
            "clone.is_flexclone",
            "clone.parent_snapshot",
            "clone.parent_svm",
            "clone.parent_volume",
            "svm",
        ]
    ),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "aggregates": {"type": "list", "elements": "str"},
    "size": {"type": "str"},
    "space": {
        "type": "dict",
        "options": {
            "size": {"type": "str"},
            "snapshot": {
                "type": "dict",
                "options": {
                    "reserve_percent": {"type": "int"},
                    "autodelete": {
                        "type": "dict",
                        "options": {
                            "trigger": {"type": "str", "choices": ["volume", "snap_reserve"]},
                            "commitment": {"type": "str", "choices": ["try", "disrupt", "destroy"]},
                            "delete_order": {
                                "type": "str",
                                "choices": ["oldest_first", "newest_first"],
                            },
                            "defer_delete": {
                                "type": "str",
                                "choices": ["none", "prefix", "scheduled", "user_created"],
                            },
                            "prefix": {"type": "str"},
                            "target_free_space": {"type": "int"},
                        },
                    },
                },
            },
            "full_threshold_percent": {"type": "int"},
            "nearly_full_threshold_percent": {"type": "int"},
            "large_size_enabled": {"type": "bool"},
            "logical_space": {
                "type": "dict",
                "options": {"enforcement": {"type": "bool"}, "reporting": {"type": "bool"}},
            },
        },
    },
    "guarantee": {
        "type": "dict",
        "options": {"type": {"type": "str", "choices": ["none", "volume"]}},
    },
    "volume_state": {"type": "str", "choices": ["online", "offline"]},
    "snapshot_policy": {"type": "str"},
    "qos": {"type": "dict", "options": {"policy": {"type": "str"}}},
    "comment": {"type": "str"},
    "clone": {
        "type": "dict",
        "options": {
            "is_flexclone": {"type": "bool"},
            "parent_volume": {"type": "str"},
            "parent_snapshot": {"type": "str"},
            "parent_svm": {"type": "str"},
        },
    },
    "language": {"type": "str"},
    "nas": {
        "type": "dict",
        "options": {
            "path": {"type": "str"},
            "export_policy": {"type": "str"},
            "security_style": {"type": "str", "choices": ["unix", "ntfs", "mixed", "unified"]},
            "unix_permissions": {"type": "int"},
            "uid": {"type": "int"},
            "gid": {"type": "int"},
        },
    },
    "snapshot_directory_access_enabled": {"type": "bool"},
    "access_time_enabled": {"type": "bool"},
    "tiering": {
        "type": "dict",
        "options": {
            "policy": {"type": "str", "choices": ["none", "snapshot_only", "auto", "all"]},
            "min_cooling_days": {"type": "int"},
        },
    },
    "files": {"type": "dict", "options": {"maximum": {"type": "int"}}},
    "efficiency": {"type": "dict", "options": {"policy": {"type": "str"}}},
    "autosize": {
        "type": "dict",
        "options": {
            "mode": {"type": "str", "choices": ["off", "grow", "grow_shrink"]},
            "maximum": {"type": "str"},
            "minimum": {"type": "str"},
            "grow_threshold": {"type": "int"},
            "shrink_threshold": {"type": "int"},
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
