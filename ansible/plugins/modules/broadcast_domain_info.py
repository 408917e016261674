#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: broadcast_domain_info
short_description: Read about broadcast domain objects
version_added: 0.1.0
description:
  - A broadcast domain is a set of ports that reach each other. The array has one, Default.
  - It reads C(/api/network/ethernet/broadcast-domains).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about broadcast domain objects
  sanstone.array.broadcast_domain_info:
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
      description: Identity of the domain.
      returned: where it has a value
      type: str
    name:
      description: Name of the domain.
      returned: where it has a value
      type: str
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
    ports:
      description: Its ports.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the port.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the port.
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
    run("network/ethernet/broadcast-domains")


if __name__ == "__main__":
    main()
