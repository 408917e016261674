#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: consistency_group
short_description: Make, change and remove the array's consistency group objects
version_added: 0.1.0
description:
  - Consistency groups are volumes whose snapshots are taken at one moment.
  - Its options are the fields of C(/api/application/consistency-groups), nested as they are
    there. What is not given is left as it is.
options:
  name:
    description:
      - Name within the SVM.
    type: str
    required: true
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  snapshot_policy:
    description:
      - When snapshots of the whole group are taken, all of one moment; none if not given.
        Its volumes go on by their own policies. By its name.
    type: str
  volumes:
    description:
      - Its volumes.
    type: list
    elements: dict
    suboptions:
      name:
        description:
          - Name of the volume.
        type: str
      space:
        description:
          - Fields of space.
        type: dict
        suboptions:
          size:
            description:
              - Its size; to be given of one that is made. Or with a unit of 1024, as V(10GB).
            type: str
      provisioning_options:
        description:
          - Fields of provisioning_options.
        type: dict
        suboptions:
          action:
            description:
              - Whether a volume that exists is put in or taken out, or one is made in it.
            type: str
            choices:
              - add
              - create
              - remove
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.consistency_group_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Keep volumes consistent with each other
  sanstone.array.consistency_group:
    svm: svm1
    name: databases
    volumes:
      - name: vol1
        provisioning_options:
          action: add

- name: Keep volumes, but no longer consistent with each other
  sanstone.array.consistency_group:
    svm: svm1
    name: databases
    state: absent
"""

RETURN = r"""
record:
  description: The consistency group as the array shows it afterwards, in check mode before
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="application/consistency-groups",
    noun="consistency group",
    identity={"svm.name": "svm", "name": "name"},
    fields={
        "name": "name",
        "svm": "svm",
        "snapshot_policy": "snapshot_policy",
        "volumes": "volumes",
    },
    new_name="name",
    at_first=frozenset(["svm"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "snapshot_policy": {"type": "str"},
    "volumes": {
        "type": "list",
        "elements": "dict",
        "options": {
            "name": {"type": "str"},
            "space": {"type": "dict", "options": {"size": {"type": "str"}}},
            "provisioning_options": {
                "type": "dict",
                "options": {"action": {"type": "str", "choices": ["add", "create", "remove"]}},
            },
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
