#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: igroup_initiator
short_description: Make, change and remove the array's igroup initiator objects
version_added: 0.1.0
description:
  - The initiators of one igroup.
  - Its options are the fields of C(/api/protocols/san/igroups/{igroup.uuid}/initiators),
    nested as they are there. What is not given is left as it is.
options:
  igroup:
    description:
      - The igroup that it belongs to.
    type: str
    required: true
  svm:
    description:
      - The SVM of the igroup.
    type: str
    required: true
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
  allow_delete_while_mapped:
    description:
      - Whether it may be deleted while LUNs are mapped.
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.igroup_initiator_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Let another host see them
  sanstone.array.igroup_initiator:
    svm: svm1
    igroup: cluster1
    name: iqn.1994-05.com.example:host3
    comment: A guest

- name: Shut a host out
  sanstone.array.igroup_initiator:
    svm: svm1
    igroup: cluster1
    name: iqn.1994-05.com.example:host3
    state: absent
"""

RETURN = r"""
record:
  description: The igroup initiator as the array shows it afterwards, in check mode before
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent, Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="protocols/san/igroups/{igroup.uuid}/initiators",
    noun="igroup initiator",
    identity={"name": "name"},
    parents=(
        Parent("igroup.uuid", "protocols/san/igroups", {"svm.name": "svm", "name": "igroup"}),
    ),
    fields={"name": "name", "comment": "comment"},
    at_first=frozenset(["name"]),
    switches=("allow_delete_while_mapped",),
)
OPTIONS = {
    "igroup": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "name": {"type": "str", "required": True},
    "comment": {"type": "str"},
    "allow_delete_while_mapped": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
