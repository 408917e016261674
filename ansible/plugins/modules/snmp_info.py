#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snmp_info
short_description: Read about the array's SNMP
version_added: 0.1.0
description:
  - Whether the array speaks SNMP, and tells trap hosts of events.
  - It reads C(/api/support/snmp).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about SNMP objects
  sanstone.array.snmp_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    enabled:
      description: Whether the array speaks SNMP; where it does not, no trap is sent either.
      returned: where it has a value
      type: bool
    traps_enabled:
      description: Whether trap hosts are told of events.
      returned: where it has a value
      type: bool
    auth_traps_enabled:
      description: Whether trap hosts are told of requests by unknown communities, and with
        wrong passwords.
      returned: where it has a value
      type: bool
    contact:
      description: 'Whom to ask about the array: V(contact) of V(cluster).'
      returned: where it has a value
      type: str
    location:
      description: 'Where the array stands: V(location) of V(cluster).'
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/snmp", single=True)


if __name__ == "__main__":
    main()
