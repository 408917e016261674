#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: lun_attribute
short_description: Make, change and remove the array's LUN attribute objects
version_added: 0.1.0
description:
  - Texts that clients keep with a LUN.
  - Its options are the fields of C(/api/storage/luns/{lun.uuid}/attributes), nested as they
    are there. What is not given is left as it is.
options:
  lun:
    description:
      - The lun that it belongs to.
    type: str
    required: true
  svm:
    description:
      - The SVM of the lun.
    type: str
    required: true
  name:
    description:
      - Name of the attribute.
    type: str
    required: true
  value:
    description:
      - Its value.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.lun_attribute_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Keep a text with a LUN
  sanstone.array.lun_attribute:
    svm: svm1
    lun: /vol/vol1/lun1
    name: com.example.owner
    value: accounting

- name: Remove a text
  sanstone.array.lun_attribute:
    svm: svm1
    lun: /vol/vol1/lun1
    name: com.example.owner
    state: absent
"""

RETURN = r"""
record:
  description: The LUN attribute as the array shows it afterwards, in check mode before the
    change.
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
    path="storage/luns/{lun.uuid}/attributes",
    noun="lun attribute",
    identity={"name": "name"},
    parents=(Parent("lun.uuid", "storage/luns", {"svm.name": "svm", "name": "lun"}),),
    fields={"name": "name", "value": "value"},
    at_first=frozenset(["name"]),
)
OPTIONS = {
    "lun": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "name": {"type": "str", "required": True},
    "value": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
