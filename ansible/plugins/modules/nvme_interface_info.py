#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: nvme_interface_info
short_description: Read about NVMe interface objects
version_added: 0.1.0
description:
  - NVMe interfaces are the network interfaces, and the Fibre Channel interfaces, at which
    subsystems are reached.
  - It reads C(/api/protocols/nvme/interfaces).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about NVMe interface objects
  sanstone.array.nvme_interface_info:
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
      description: Identity of the interface.
      returned: where it has a value
      type: str
    name:
      description: Name of the interface.
      returned: where it has a value
      type: str
    svm:
      description: The SVM.
      returned: where it has a value
      type: dict
    enabled:
      description: Whether it is switched on.
      returned: where it has a value
      type: bool
    interface_type:
      description: Kind of interface.
      returned: where it has a value
      type: str
    transport_address:
      description: Where hosts connect.
      returned: where it has a value
      type: str
    transport_protocols:
      description: How hosts connect.
      returned: where it has a value
      type: list
      elements: str
    ip_interface:
      description: Fields of ip_interface.
      type: dict
      contains:
        ip:
          description: Fields of ip.
          type: dict
          contains:
            address:
              description: Its address.
              returned: where it has a value
              type: str
        location:
          description: Fields of location.
          type: dict
          contains:
            port:
              description: Fields of port.
              type: dict
              contains:
                name:
                  description: Its port.
                  returned: where it has a value
                  type: str
                uuid:
                  description: Identity of its port.
                  returned: where it has a value
                  type: str
                node:
                  description: Fields of node.
                  type: dict
                  contains:
                    name:
                      description: Name of the node.
                      returned: where it has a value
                      type: str
                    uuid:
                      description: Identity of the node.
                      returned: where it has a value
                      type: str
    fc_interface:
      description: Fields of fc_interface.
      type: dict
      contains:
        wwnn:
          description: Its node's name.
          returned: where it has a value
          type: str
        wwpn:
          description: Its name.
          returned: where it has a value
          type: str
        port:
          description: Fields of port.
          type: dict
          contains:
            name:
              description: Its port.
              returned: where it has a value
              type: str
            uuid:
              description: Identity of its port.
              returned: where it has a value
              type: str
    node:
      description: Fields of node.
      type: dict
      contains:
        name:
          description: Name of the node.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the node.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/nvme/interfaces")


if __name__ == "__main__":
    main()
