#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: subsystem_map
short_description: Make, change and remove the array's subsystem map objects
version_added: 0.1.0
description:
  - Subsystem maps show a namespace to the hosts of a subsystem.
  - Its options are the fields of C(/api/protocols/nvme/subsystem-maps), nested as they are
    there. What is not given is left as it is.
options:
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  subsystem:
    description:
      - The subsystem. By its name.
    type: str
    required: true
  namespace:
    description:
      - The namespace. By its name.
    type: str
    required: true
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.subsystem_map_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Map a namespace
  sanstone.array.subsystem_map:
    svm: svm1
    subsystem: host1
    namespace: /vol/vol1/ns1

- name: Unmap a namespace
  sanstone.array.subsystem_map:
    svm: svm1
    subsystem: host1
    namespace: /vol/vol1/ns1
    state: absent
"""

RETURN = r"""
record:
  description: The subsystem map as the array shows it afterwards, in check mode before the
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="protocols/nvme/subsystem-maps",
    noun="subsystem map",
    identity={"svm.name": "svm", "subsystem.name": "subsystem", "namespace.name": "namespace"},
    fields={"svm": "svm", "subsystem": "subsystem", "namespace": "namespace"},
    at_first=frozenset(["namespace", "subsystem", "svm"]),
)
OPTIONS = {
    "svm": {"type": "str", "required": True},
    "subsystem": {"type": "str", "required": True},
    "namespace": {"type": "str", "required": True},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
