#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: fc_fabric_info
short_description: Read about FC fabric objects
version_added: 0.1.0
description:
  - Fibre Channel fabrics to which the array is connected. Ports that are connected directly
    to a host are in none. The fabric itself is asked for its switches and zones every 10
    minutes, where a port's driver can ask (qla2xxx); the others know no more than its name.
  - It reads C(/api/network/fc/fabrics).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about FC fabric objects
  sanstone.array.fc_fabric_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: World wide name of the fabric.
      returned: where it has a value
      type: str
    cache:
      description: Fields of cache.
      type: dict
      contains:
        age:
          description: 'Time since the fabric told it; absent: never.'
          returned: where it has a value
          type: str
        is_current:
          description: Whether that is not too long.
          returned: where it has a value
          type: bool
        update_time:
          description: When the fabric told it.
          returned: where it has a value
          type: str
    connections:
      description: The machine's ports that are in it.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        cluster_port:
          description: Fields of cluster_port.
          type: dict
          contains:
            name:
              description: Name of the port.
              returned: where it has a value
              type: str
            uuid:
              description: Identity of the port.
              returned: where it has a value
              type: str
            wwpn:
              description: World wide name of the port.
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
        switch:
          description: Fields of switch.
          type: dict
          contains:
            wwn:
              description: Name of the switch, if told.
              returned: where it has a value
              type: str
            port:
              description: Fields of port.
              type: dict
              contains:
                wwpn:
                  description: Name of the switch's port, if told.
                  returned: where it has a value
                  type: str
    zoneset:
      description: Fields of zoneset.
      type: dict
      contains:
        name:
          description: The active zone set; absent without one, or if it is not told.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("network/fc/fabrics")


if __name__ == "__main__":
    main()
