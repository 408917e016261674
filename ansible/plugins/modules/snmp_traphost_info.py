#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snmp_traphost_info
short_description: Read about SNMP traphost objects
version_added: 0.1.0
description:
  - Trap hosts are told of events by SNMP.
  - It reads C(/api/support/snmp/traphosts).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about SNMP traphost objects
  sanstone.array.snmp_traphost_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    host:
      description: Host name or IP address.
      returned: where it has a value
      type: str
    ip_address:
      description: The address to which traps go; none while a name is not known.
      returned: where it has a value
      type: str
    user:
      description: SNMP user as whom it is told; a community where not given.
      returned: where it has a value
      type: dict
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/snmp/traphosts")


if __name__ == "__main__":
    main()
