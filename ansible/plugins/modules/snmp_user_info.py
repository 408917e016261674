#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snmp_user_info
short_description: Read about SNMP user objects
version_added: 0.1.0
description:
  - 'Users of SNMP: communities of SNMPv2c, and users of SNMPv3.'
  - It reads C(/api/support/snmp/users).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about SNMP user objects
  sanstone.array.snmp_user_info:
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
      description: Identity of the user.
      returned: where it has a value
      type: str
    owner:
      description: 'The array: SVMs speak no SNMP of their own.'
      returned: where it has a value
      type: dict
    engine_id:
      description: Id of the array's SNMP engine, for which keys are made (RFC 3411).
      returned: where it has a value
      type: str
    name:
      description: Name of the user, or the community.
      returned: where it has a value
      type: str
    authentication_method:
      description: Whether it is a community of SNMPv2c, a user of SNMPv3 (V(usm)), or one
        of each.
      returned: where it has a value
      type: str
    snmpv3:
      description: Fields of snmpv3.
      type: dict
      contains:
        authentication_protocol:
          description: 'Hash by which messages are signed: SHA-1, SHA-256, or none for messages
            that anybody can send.'
          returned: where it has a value
          type: str
        privacy_protocol:
          description: 'How messages are encrypted: AES with 128 bits, or not at all.'
          returned: where it has a value
          type: str
    comment:
      description: What the user is for.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/snmp/users")


if __name__ == "__main__":
    main()
