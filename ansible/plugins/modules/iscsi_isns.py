#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: iscsi_isns
short_description: Make, change and remove the array's iSCSI iSNS objects
version_added: 0.1.0
description:
  - An iSNS server tells hosts which iSCSI targets there are, and where. The target of an
    SVM is registered there with its portals and their portal groups, from a LIF of the SVM
    over TCP at port 3205, while the iSCSI service runs; again every 5 minutes, and at once
    when a LIF comes or goes. What is switched off or deleted is taken back, or forgotten
    by the server after 15 minutes if that cannot be reached.
  - Its options are the fields of C(/api/protocols/san/iscsi/isns), nested as they are there.
    What is not given is left as it is.
options:
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  address:
    description:
      - Address of the server.
    type: str
  enabled:
    description:
      - Whether to register. The array's default is V(true).
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.iscsi_isns_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Register the target at an iSNS server
  sanstone.array.iscsi_isns:
    svm: svm1
    address: 10.10.1.53

- name: Register nowhere
  sanstone.array.iscsi_isns:
    svm: svm1
    state: absent
"""

RETURN = r"""
record:
  description: The iSCSI iSNS as the array shows it afterwards, in check mode before the change.
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
    path="protocols/san/iscsi/isns",
    noun="iscsi isns",
    identity={"svm.name": "svm"},
    fields={"svm": "svm", "address": "address", "enabled": "enabled"},
    at_first=frozenset(["svm"]),
)
OPTIONS = {
    "svm": {"type": "str", "required": True},
    "address": {"type": "str"},
    "enabled": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
