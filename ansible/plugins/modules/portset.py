#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: portset
short_description: Make, change and remove the array's portset objects
version_added: 0.1.0
description:
  - Portsets are sets of interfaces; an igroup that is bound to one is served only there.
  - Its options are the fields of C(/api/protocols/san/portsets), nested as they are there.
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
  protocol:
    description:
      - What its interfaces serve. The array's default is V(mixed).
    type: str
    choices:
      - fcp
      - iscsi
      - srp
      - mixed
  interfaces:
    description:
      - The interfaces.
    type: list
    elements: dict
    suboptions:
      ip:
        description:
          - The interface, if it is a LIF. By its name.
        type: str
      fc:
        description:
          - The interface, if it is a Fibre Channel interface. By its name.
        type: str
  allow_delete_while_bound:
    description:
      - Whether it may be deleted while igroups are bound to it.
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.portset_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Let hosts reach LUNs by one LIF alone
  sanstone.array.portset:
    svm: svm1
    name: one
    protocol: iscsi
    interfaces:
      - ip: iscsi1

- name: Remove a portset
  sanstone.array.portset:
    svm: svm1
    name: one
    state: absent
"""

RETURN = r"""
record:
  description: The portset as the array shows it afterwards, in check mode before the change.
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
    path="protocols/san/portsets",
    noun="portset",
    identity={"svm.name": "svm", "name": "name"},
    fields={"name": "name", "svm": "svm", "protocol": "protocol", "interfaces": "interfaces"},
    new_name="name",
    at_first=frozenset(["protocol", "svm"]),
    lists={"interfaces": Members("interfaces", ("ip", "fc"))},
    switches=("allow_delete_while_bound",),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "protocol": {"type": "str", "choices": ["fcp", "iscsi", "srp", "mixed"]},
    "interfaces": {
        "type": "list",
        "elements": "dict",
        "options": {"ip": {"type": "str"}, "fc": {"type": "str"}},
    },
    "allow_delete_while_bound": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
