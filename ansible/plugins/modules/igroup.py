#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: igroup
short_description: Make, change and remove the array's igroup objects
version_added: 0.1.0
description:
  - Igroups are groups of initiators; a LUN is seen by the initiators it is mapped to.
  - Its options are the fields of C(/api/protocols/san/igroups), nested as they are there.
    What is not given is left as it is.
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
  os_type:
    description:
      - System of the hosts.
    type: str
    choices:
      - aix
      - hpux
      - hyper_v
      - linux
      - netware
      - openvms
      - solaris
      - vmware
      - windows
      - xen
  protocol:
    description:
      - Which kinds of initiators it takes. The array's default is V(mixed).
    type: str
    choices:
      - fcp
      - iscsi
      - srp
      - mixed
  comment:
    description:
      - Comment.
    type: str
  initiators:
    description:
      - The initiators, those of the igroups in it included.
    type: list
    elements: dict
    suboptions:
      name:
        description:
          - 'IQN or EUI of the initiator, its WWPN or an alias of that, or by SRP its port''s
            identifier: 0x and 32 digits, or the last 16 of them as hosts show them, 5054:00ff:….'
        type: str
        required: true
      comment:
        description:
          - Comment; an empty one is not shown.
        type: str
  igroups:
    description:
      - The igroups in it.
    type: list
    elements: str
  portset:
    description:
      - The portset whose interfaces alone serve it. By its name.
    type: str
  delete_on_unmap:
    description:
      - Whether it is deleted with its last map. The array's default is V(false).
    type: bool
  allow_delete_while_mapped:
    description:
      - Whether it may be deleted while LUNs are mapped.
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.igroup_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Let two hosts of a cluster see the same LUNs
  sanstone.array.igroup:
    svm: svm1
    name: cluster1
    os_type: linux
    protocol: iscsi
    initiators:
      - name: iqn.1994-05.com.example:host1
      - name: iqn.1994-05.com.example:host2
        comment: The second one
    portset: one

- name: Leave one of them
  sanstone.array.igroup:
    svm: svm1
    name: cluster1
    initiators:
      - name: iqn.1994-05.com.example:host1

- name: Make a group of another one
  sanstone.array.igroup:
    svm: svm1
    name: room1
    os_type: linux

- name: Remove an igroup
  sanstone.array.igroup:
    svm: svm1
    name: cluster1
    state: absent
"""

RETURN = r"""
record:
  description: The igroup as the array shows it afterwards, in check mode before the change.
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Members, Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="protocols/san/igroups",
    noun="igroup",
    identity={"svm.name": "svm", "name": "name"},
    fields={
        "name": "name",
        "svm": "svm",
        "os_type": "os_type",
        "protocol": "protocol",
        "comment": "comment",
        "initiators": "initiators",
        "igroups": "igroups",
        "portset": "portset",
        "delete_on_unmap": "delete_on_unmap",
    },
    new_name="name",
    at_first=frozenset(["protocol", "svm"]),
    lists={
        "initiators": Members("initiators", ("name",)),
        "igroups": Members("igroups", ("name",)),
    },
    switches=("allow_delete_while_mapped",),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "os_type": {
        "type": "str",
        "choices": [
            "aix",
            "hpux",
            "hyper_v",
            "linux",
            "netware",
            "openvms",
            "solaris",
            "vmware",
            "windows",
            "xen",
        ],
    },
    "protocol": {"type": "str", "choices": ["fcp", "iscsi", "srp", "mixed"]},
    "comment": {"type": "str"},
    "initiators": {
        "type": "list",
        "elements": "dict",
        "options": {"name": {"type": "str", "required": True}, "comment": {"type": "str"}},
    },
    "igroups": {"type": "list", "elements": "str"},
    "portset": {"type": "str"},
    "delete_on_unmap": {"type": "bool"},
    "allow_delete_while_mapped": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
