#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ip_interface
short_description: Make, change and remove the array's IP interface objects
version_added: 0.1.0
description:
  - Logical interfaces are the IP addresses at which SVMs are reached. Their statistics count
    IP packets with their headers; what RDMA moves passes these counters by.
  - Its options are the fields of C(/api/network/ip/interfaces), nested as they are there.
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
  scope:
    description:
      - Whether it belongs to an SVM or to the array's management.
    type: str
    choices:
      - svm
      - cluster
  ip:
    description:
      - Fields of ip.
    type: dict
    suboptions:
      address:
        description:
          - Address.
        type: str
      netmask:
        description:
          - Length of the network's prefix.
        type: str
  enabled:
    description:
      - Whether it is switched on. The array's default is V(true).
    type: bool
  service_policy:
    description:
      - Policy that says what it serves.
    type: str
  rdma_protocols:
    description:
      - 'RDMA by which it serves NVMe/RDMA and iSER too, as far as the policy offers NVMe
        and iSCSI, or SRP: by the port''s adapter, or by software where that cannot. By V(iwarp)
        it serves NVMe alone, and that instead of NVMe/TCP, whose port it takes. All LIFs
        at a port use the same. The array''s default is V([]).'
    type: list
    elements: str
    choices:
      - roce
      - iwarp
  location:
    description:
      - Fields of location.
    type: dict
    suboptions:
      home_port:
        description:
          - Ethernet port that carries it.
        type: str
      port:
        description:
          - 'Port where it is now: its home.'
        type: str
      auto_revert:
        description:
          - Kept, without effect, since it never leaves home. The array's default is V(true).
        type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.ip_interface_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Give an SVM an address at a port
  sanstone.array.ip_interface:
    svm: svm1
    name: lif1
    ip:
      address: 10.10.1.1
      netmask: 255.255.255.0
    location:
      home_port: e0a
    service_policy: default-data-blocks

- name: Give the array another address for its management
  sanstone.array.ip_interface:
    name: mgmt2
    scope: cluster
    ip:
      address: 192.0.2.10
      netmask: '24'
    location:
      home_port: e0M

- name: Move a LIF to another port
  sanstone.array.ip_interface:
    svm: svm1
    name: lif1
    location:
      home_port: e0b-1092

- name: Remove a LIF
  sanstone.array.ip_interface:
    svm: svm1
    name: lif1
    state: absent
"""

RETURN = r"""
record:
  description: The IP interface as the array shows it afterwards, in check mode before the
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
    path="network/ip/interfaces",
    noun="ip interface",
    identity={"svm.name": "svm", "name": "name"},
    otherwise={"svm": {"scope": "cluster"}},
    fields={
        "name": "name",
        "svm": "svm",
        "scope": "scope",
        "ip": "ip",
        "enabled": "enabled",
        "service_policy": "service_policy",
        "rdma_protocols": "rdma_protocols",
        "location": "location",
    },
    new_name="name",
    at_first=frozenset(["scope", "svm"]),
    later=frozenset(["location.port"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str"},
    "scope": {"type": "str", "choices": ["svm", "cluster"]},
    "ip": {"type": "dict", "options": {"address": {"type": "str"}, "netmask": {"type": "str"}}},
    "enabled": {"type": "bool"},
    "service_policy": {"type": "str"},
    "rdma_protocols": {"type": "list", "elements": "str", "choices": ["roce", "iwarp"]},
    "location": {
        "type": "dict",
        "options": {
            "home_port": {"type": "str"},
            "port": {"type": "str"},
            "auto_revert": {"type": "bool"},
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
