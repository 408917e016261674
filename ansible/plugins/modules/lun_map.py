#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: lun_map
short_description: Make, change and remove the array's LUN map objects
version_added: 0.1.0
description:
  - LUN maps show a LUN to the initiators of an igroup under a number.
  - Its options are the fields of C(/api/protocols/san/lun-maps), nested as they are there.
    What is not given is left as it is.
options:
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  lun:
    description:
      - The LUN. By its name.
    type: str
    required: true
  igroup:
    description:
      - The igroup. By its name.
    type: str
    required: true
  logical_unit_number:
    description:
      - Number under which initiators see the LUN; the lowest free one when not given.
    type: int
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.lun_map_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Map a LUN
  sanstone.array.lun_map:
    svm: svm1
    lun: /vol/vol1/lun1
    igroup: cluster1
    logical_unit_number: 7

- name: Unmap a LUN
  sanstone.array.lun_map:
    svm: svm1
    lun: /vol/vol1/lun1
    igroup: cluster1
    state: absent
"""

RETURN = r"""
record:
  description: The LUN map as the array shows it afterwards, in check mode before the change.
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
    path="protocols/san/lun-maps",
    noun="lun map",
    identity={"svm.name": "svm", "lun.name": "lun", "igroup.name": "igroup"},
    fields={
        "svm": "svm",
        "lun": "lun",
        "igroup": "igroup",
        "logical_unit_number": "logical_unit_number",
    },
    at_first=frozenset(["igroup", "logical_unit_number", "lun", "svm"]),
)
OPTIONS = {
    "svm": {"type": "str", "required": True},
    "lun": {"type": "str", "required": True},
    "igroup": {"type": "str", "required": True},
    "logical_unit_number": {"type": "int"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
