#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: svm
short_description: Make, change and remove the array's SVM objects
version_added: 0.1.0
description:
  - Storage virtual machines own volumes, network interfaces, igroups and subsystems.
  - Its options are the fields of C(/api/svm/svms), nested as they are there. What is not
    given is left as it is.
options:
  name:
    description:
      - Name of the SVM, unique in the array.
    type: str
    required: true
  svm_state:
    description:
      - Whether it serves.
    type: str
    choices:
      - running
      - stopped
  comment:
    description:
      - Comment.
    type: str
  aggregates:
    description:
      - Aggregates among which one is chosen for a volume that names none.
    type: list
    elements: str
  iscsi:
    description:
      - Fields of iscsi.
    type: dict
    suboptions:
      allowed:
        description:
          - Whether the SVM may serve iscsi. The array's default is V(true).
        type: bool
      enabled:
        description:
          - Whether its iscsi service is enabled; one is made with the SVM where this is true.
        type: bool
  nvme:
    description:
      - Fields of nvme.
    type: dict
    suboptions:
      allowed:
        description:
          - Whether the SVM may serve nvme. The array's default is V(true).
        type: bool
      enabled:
        description:
          - Whether its nvme service is enabled; one is made with the SVM where this is true.
        type: bool
  fcp:
    description:
      - Fields of fcp.
    type: dict
    suboptions:
      allowed:
        description:
          - Whether the SVM may serve fcp. The array's default is V(true).
        type: bool
      enabled:
        description:
          - Whether its fcp service is enabled; one is made with the SVM where this is true.
        type: bool
  srp:
    description:
      - Fields of srp.
    type: dict
    suboptions:
      allowed:
        description:
          - Whether the SVM may serve srp. The array's default is V(true).
        type: bool
      enabled:
        description:
          - Whether its srp service is enabled; one is made with the SVM where this is true.
        type: bool
  language:
    description:
      - Character set of file names.
    type: str
  snapshot_policy:
    description:
      - Policy of automatic snapshots.
    type: str
  max_volumes:
    description:
      - Most volumes; not enforced.
    type: str
  storage:
    description:
      - Fields of storage.
    type: dict
    suboptions:
      limit:
        description:
          - Most bytes of all volumes; not enforced. Or with a unit of 1024, as V(10GB).
        type: str
      limit_threshold_alert:
        description:
          - When to warn.
        type: int
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.svm_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make an SVM that serves iSCSI and NVMe
  sanstone.array.svm:
    name: svm1
    comment: Databases
    aggregates:
      - aggr1
    iscsi:
      allowed: true
    nvme:
      allowed: true

- name: Make an SVM for Fibre Channel and SRP
  sanstone.array.svm:
    name: svm2
    fcp:
      allowed: true
    srp:
      allowed: true

- name: Stop an SVM
  sanstone.array.svm:
    name: svm2
    svm_state: stopped

- name: Start it again, under another name
  sanstone.array.svm:
    name: fabric
    from_name: svm2
    svm_state: running

- name: Remove an SVM
  sanstone.array.svm:
    name: fabric
    state: absent
"""

RETURN = r"""
record:
  description: The SVM as the array shows it afterwards, in check mode before the change.
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
    path="svm/svms",
    noun="svm",
    identity={"name": "name"},
    fields={
        "name": "name",
        "svm_state": "state",
        "comment": "comment",
        "aggregates": "aggregates",
        "iscsi": "iscsi",
        "nvme": "nvme",
        "fcp": "fcp",
        "srp": "srp",
        "language": "language",
        "snapshot_policy": "snapshot_policy",
        "max_volumes": "max_volumes",
        "storage": "storage",
    },
    new_name="name",
    at_first=frozenset(["fcp.enabled", "iscsi.enabled", "nvme.enabled", "srp.enabled"]),
    later=frozenset(["state"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm_state": {"type": "str", "choices": ["running", "stopped"]},
    "comment": {"type": "str"},
    "aggregates": {"type": "list", "elements": "str"},
    "iscsi": {
        "type": "dict",
        "options": {"allowed": {"type": "bool"}, "enabled": {"type": "bool"}},
    },
    "nvme": {"type": "dict", "options": {"allowed": {"type": "bool"}, "enabled": {"type": "bool"}}},
    "fcp": {"type": "dict", "options": {"allowed": {"type": "bool"}, "enabled": {"type": "bool"}}},
    "srp": {"type": "dict", "options": {"allowed": {"type": "bool"}, "enabled": {"type": "bool"}}},
    "language": {"type": "str"},
    "snapshot_policy": {"type": "str"},
    "max_volumes": {"type": "str"},
    "storage": {
        "type": "dict",
        "options": {"limit": {"type": "str"}, "limit_threshold_alert": {"type": "int"}},
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
