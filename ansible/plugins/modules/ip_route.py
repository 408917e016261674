#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ip_route
short_description: Make, change and remove the array's IP route objects
version_added: 0.1.0
description:
  - Routes lead from an SVM's interfaces to networks behind gateways.
  - Its options are the fields of C(/api/network/ip/routes), nested as they are there. What
    is not given is left as it is.
options:
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
  destination:
    description:
      - Fields of destination.
    type: dict
    suboptions:
      address:
        description:
          - Network that it leads to; everything when not given.
        type: str
      netmask:
        description:
          - Length of the network's prefix.
        type: str
  gateway:
    description:
      - The next hop.
    type: str
    required: true
  metric:
    description:
      - Preference among routes to one network; the lowest wins. The array's default is V(20).
    type: int
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.ip_route_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Reach a network behind a router
  sanstone.array.ip_route:
    svm: svm1
    destination:
      address: 10.20.0.0
      netmask: '16'
    gateway: 10.10.1.254
    metric: 30

- name: Set an SVM's default route
  sanstone.array.ip_route:
    svm: svm1
    gateway: 10.10.1.253

- name: Remove a route
  sanstone.array.ip_route:
    svm: svm1
    destination:
      address: 10.20.0.0
      netmask: '16'
    gateway: 10.10.1.254
    state: absent
"""

RETURN = r"""
record:
  description: The IP route as the array shows it afterwards, in check mode before the change.
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
    path="network/ip/routes",
    noun="ip route",
    identity={
        "svm.name": "svm",
        "destination.address": "destination.address",
        "destination.netmask": "destination.netmask",
        "gateway": "gateway",
    },
    otherwise={
        "destination": {"destination.address": '"0.0.0.0"|"::"'},
        "svm": {"scope": "cluster"},
    },
    fields={"svm": "svm", "destination": "destination", "gateway": "gateway", "metric": "metric"},
    at_first=frozenset(["destination.address", "destination.netmask", "gateway", "metric", "svm"]),
)
OPTIONS = {
    "svm": {"type": "str"},
    "destination": {
        "type": "dict",
        "options": {"address": {"type": "str"}, "netmask": {"type": "str"}},
    },
    "gateway": {"type": "str", "required": True},
    "metric": {"type": "int"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
