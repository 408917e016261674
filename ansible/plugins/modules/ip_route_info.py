#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ip_route_info
short_description: Read about IP route objects
version_added: 0.1.0
description:
  - Routes lead from an SVM's interfaces to networks behind gateways.
  - It reads C(/api/network/ip/routes).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about IP route objects
  sanstone.array.ip_route_info:
    filter:
      svm.name: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    uuid:
      description: Identity of the route.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    scope:
      description: Whether it belongs to an SVM or to the array's management.
      returned: where it has a value
      type: str
    destination:
      description: Fields of destination.
      type: dict
      contains:
        address:
          description: Network that it leads to; everything when not given.
          returned: where it has a value
          type: str
        netmask:
          description: Length of the network's prefix.
          returned: where it has a value
          type: str
        family:
          description: Its family.
          returned: where it has a value
          type: str
    gateway:
      description: The next hop.
      returned: where it has a value
      type: str
    metric:
      description: Preference among routes to one network; the lowest wins.
      returned: where it has a value
      type: int
    ipspace:
      description: Fields of ipspace.
      type: dict
      contains:
        name:
          description: IPspace; there is one.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the IPspace.
          returned: where it has a value
          type: str
    interfaces:
      description: Interfaces on the gateway's network.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the interface.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the interface.
          returned: where it has a value
          type: str
        ip:
          description: Fields of ip.
          type: dict
          contains:
            address:
              description: Its address.
              returned: where it has a value
              type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("network/ip/routes")


if __name__ == "__main__":
    main()
