#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: aggregate
short_description: Make, change and remove the array's aggregate objects
version_added: 0.1.0
description:
  - Aggregates are RAID groups of disks under one pool, out of which volumes are made.
  - Its options are the fields of C(/api/storage/aggregates), nested as they are there. What
    is not given is left as it is.
options:
  name:
    description:
      - Name of the aggregate, unique in the array.
    type: str
    required: true
  node:
    description:
      - Name of the node.
    type: str
  block_storage:
    description:
      - Fields of block_storage.
    type: dict
    suboptions:
      primary:
        description:
          - Fields of primary.
        type: dict
        suboptions:
          disk_count:
            description:
              - Disks in all RAID groups; raising it adds whole groups. Without it, disks
                and RAID type, the largest aggregate that V(recommend) shows is made.
            type: int
          disks:
            description:
              - The disks, in the order of the RAID groups; spares are picked where none are
                named.
            type: list
            elements: str
          raid_type:
            description:
              - RAID type; raid_dp is RAID 6, and is taken where a number of disks is given
                alone.
            type: str
            choices:
              - raid_dp
              - raid4
              - raid5
              - raid1
              - raid10
              - raid0
          raid_size:
            description:
              - Most disks of one RAID group.
            type: int
          disk_class:
            description:
              - Class of the disks.
            type: str
            choices:
              - virtual
              - solid_state
              - unknown
              - array
              - performance
              - capacity
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.aggregate_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Build an aggregate of six disks
  sanstone.array.aggregate:
    name: aggr1
    block_storage:
      primary:
        disk_count: 6
        raid_type: raid_dp

- name: Remove an aggregate, which has no volumes
  sanstone.array.aggregate:
    name: aggr1
    state: absent
"""

RETURN = r"""
record:
  description: The aggregate as the array shows it afterwards, in check mode before the change.
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
    path="storage/aggregates",
    noun="aggregate",
    identity={"name": "name"},
    fields={"name": "name", "node": "node", "block_storage": "block_storage"},
    new_name="name",
    at_first=frozenset(["block_storage.primary.disk_class", "node"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "node": {"type": "str"},
    "block_storage": {
        "type": "dict",
        "options": {
            "primary": {
                "type": "dict",
                "options": {
                    "disk_count": {"type": "int"},
                    "disks": {"type": "list", "elements": "str"},
                    "raid_type": {
                        "type": "str",
                        "choices": ["raid_dp", "raid4", "raid5", "raid1", "raid10", "raid0"],
                    },
                    "raid_size": {"type": "int"},
                    "disk_class": {
                        "type": "str",
                        "choices": [
                            "virtual",
                            "solid_state",
                            "unknown",
                            "array",
                            "performance",
                            "capacity",
                        ],
                    },
                },
            }
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
