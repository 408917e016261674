#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: fc_login_info
short_description: Read about FC login objects
version_added: 0.1.0
description:
  - 'Initiators that are logged in at Fibre Channel interfaces: by FCP those that see LUNs
    there, by NVMe those that are connected to a subsystem.'
  - It reads C(/api/network/fc/logins).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about FC login objects
  sanstone.array.fc_login_info:
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
    interface:
      description: The interface.
      returned: where it has a value
      type: dict
      contains:
        wwpn:
          description: World wide name of the interface.
          returned: where it has a value
          type: str
    initiator:
      description: Fields of initiator.
      type: dict
      contains:
        wwpn:
          description: World wide name of the initiator.
          returned: where it has a value
          type: str
        wwnn:
          description: World wide name of its node, where the adapter's driver tells it.
          returned: where it has a value
          type: str
        port_address:
          description: Its address in the fabric, where the adapter's driver tells it.
          returned: where it has a value
          type: str
    protocol:
      description: Protocol by which it came.
      returned: where it has a value
      type: str
    igroups:
      description: The igroups that it is in.
      returned: where it has a value
      type: list
      elements: dict
    svm:
      description: The SVM.
      returned: where it has a value
      type: dict
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("network/fc/logins")


if __name__ == "__main__":
    main()
