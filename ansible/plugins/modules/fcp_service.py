#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: fcp_service
short_description: Make, change and remove the array's FCP service objects
version_added: 0.1.0
description:
  - The Fibre Channel service of an SVM, which serves its LUNs by FCP at Fibre Channel interfaces;
    it needs an adapter.
  - Its options are the fields of C(/api/protocols/san/fcp/services), nested as they are there.
    What is not given is left as it is.
options:
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  enabled:
    description:
      - Whether initiators may log in. The array's default is V(true).
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.fcp_service_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Serve FCP
  sanstone.array.fcp_service:
    svm: fabric
    enabled: true

- name: Stop the FCP service
  sanstone.array.fcp_service:
    svm: fabric
    enabled: false

- name: Remove the FCP service
  sanstone.array.fcp_service:
    svm: fabric
    state: absent
"""

RETURN = r"""
record:
  description: The FCP service as the array shows it afterwards, in check mode before the
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
    path="protocols/san/fcp/services",
    noun="fcp service",
    identity={"svm.name": "svm"},
    fields={"svm": "svm", "enabled": "enabled"},
    at_first=frozenset(["svm"]),
)
OPTIONS = {"svm": {"type": "str", "required": True}, "enabled": {"type": "bool"}}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
