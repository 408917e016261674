#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: subsystem_controller_info
short_description: Read about subsystem controller objects
version_added: 0.1.0
description:
  - NVMe controllers are the live connections of hosts to subsystems.
  - It reads C(/api/protocols/nvme/subsystem-controllers).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about subsystem controller objects
  sanstone.array.subsystem_controller_info:
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
    subsystem:
      description: The subsystem.
      returned: where it has a value
      type: dict
    svm:
      description: Its SVM.
      returned: where it has a value
      type: dict
    id:
      description: Controller id.
      returned: where it has a value
      type: str
    host:
      description: Fields of host.
      type: dict
      contains:
        nqn:
          description: NQN of the host.
          returned: where it has a value
          type: str
        transport_address:
          description: Where from.
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
    interface:
      description: Fields of interface.
      type: dict
      contains:
        name:
          description: Interface that it came in at.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the interface.
          returned: where it has a value
          type: str
        transport_address:
          description: Address of the LIF, or WWPN of the Fibre Channel interface.
          returned: where it has a value
          type: str
    transport_protocol:
      description: How it is connected.
      returned: where it has a value
      type: str
    keep_alive_timeout:
      description: Milliseconds without a sign of life after which it is dropped.
      returned: where it has a value
      type: int
    tls:
      description: Fields of tls.
      type: dict
      contains:
        key_type:
          description: Whether its connections are encrypted, and by what key.
          returned: where it has a value
          type: str
        psk_identity:
          description: Identity of the key of TLS.
          returned: where it has a value
          type: str
        cipher:
          description: Cipher suite of TLS.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/nvme/subsystem-controllers")


if __name__ == "__main__":
    main()
