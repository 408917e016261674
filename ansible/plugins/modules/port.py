#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: port
short_description: Make, change and remove the array's port objects
version_added: 0.1.0
description:
  - Ethernet ports, physical ones, LAGs and VLANs, carry the array's network interfaces.
  - Its options are the fields of C(/api/network/ethernet/ports), nested as they are there.
    What is not given is left as it is.
options:
  name:
    description:
      - Name of the port; that of a new one may be left to the array.
    type: str
    required: true
  node:
    description:
      - Name of the node.
    type: str
  type:
    description:
      - What it is made of; follows from lag or vlan in the request.
    type: str
    choices:
      - physical
      - vlan
      - lag
  enabled:
    description:
      - Whether it is switched on. The array's default is V(true).
    type: bool
  mtu:
    description:
      - Largest packet in bytes; a VLAN has that of its port unless it is told less.
    type: int
  lag:
    description:
      - Fields of lag.
    type: dict
    suboptions:
      mode:
        description:
          - All members at a time, the same as agreed with the switch, or one at a time.
        type: str
        choices:
          - multimode
          - multimode_lacp
          - singlemode
      distribution_policy:
        description:
          - What of a packet says which member it leaves by; sequential takes them in turn.
        type: str
        choices:
          - port
          - ip
          - mac
          - sequential
      member_ports:
        description:
          - Its ports.
        type: list
        elements: str
  vlan:
    description:
      - Fields of vlan.
    type: dict
    suboptions:
      base_port:
        description:
          - Name of the port or LAG that it is on.
        type: str
      tag:
        description:
          - Its tag.
        type: int
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.port_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Join two ports by LACP
  sanstone.array.port:
    name: a0a
    type: lag
    mtu: 9000
    lag:
      mode: multimode_lacp
      distribution_policy: ip
      member_ports:
        - e0c
        - e0d

- name: Tell a network apart by its VLAN tag
  sanstone.array.port:
    name: e0b-1092
    type: vlan
    vlan:
      base_port: e0b
      tag: 1092

- name: Set the MTU of a port
  sanstone.array.port:
    name: e0a
    mtu: 9000

- name: Remove a VLAN
  sanstone.array.port:
    name: e0b-1092
    state: absent
"""

RETURN = r"""
record:
  description: The port as the array shows it afterwards, in check mode before the change.
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
    path="network/ethernet/ports",
    noun="port",
    identity={"name": "name"},
    fields={
        "name": "name",
        "node": "node",
        "type": "type",
        "enabled": "enabled",
        "mtu": "mtu",
        "lag": "lag",
        "vlan": "vlan",
    },
    at_first=frozenset(["name", "node", "type", "vlan.base_port", "vlan.tag"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "node": {"type": "str"},
    "type": {"type": "str", "choices": ["physical", "vlan", "lag"]},
    "enabled": {"type": "bool"},
    "mtu": {"type": "int"},
    "lag": {
        "type": "dict",
        "options": {
            "mode": {"type": "str", "choices": ["multimode", "multimode_lacp", "singlemode"]},
            "distribution_policy": {"type": "str", "choices": ["port", "ip", "mac", "sequential"]},
            "member_ports": {"type": "list", "elements": "str"},
        },
    },
    "vlan": {"type": "dict", "options": {"base_port": {"type": "str"}, "tag": {"type": "int"}}},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
