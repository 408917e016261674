#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: iscsi_session_info
short_description: Read about iSCSI session objects
version_added: 0.1.0
description:
  - iSCSI sessions are the logins of initiators.
  - It reads C(/api/protocols/san/iscsi/sessions).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about iSCSI session objects
  sanstone.array.iscsi_session_info:
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
    svm:
      description: The SVM.
      returned: where it has a value
      type: dict
    target_portal_group:
      description: LIF of the session.
      returned: where it has a value
      type: str
    target_portal_group_tag:
      description: Its number.
      returned: where it has a value
      type: int
    tsih:
      description: Target session identifying handle.
      returned: where it has a value
      type: int
    isid:
      description: Initiator session identifier.
      returned: where it has a value
      type: str
    initiator:
      description: Fields of initiator.
      type: dict
      contains:
        name:
          description: Initiator.
          returned: where it has a value
          type: str
        alias:
          description: What it calls itself.
          returned: where it has a value
          type: str
    igroups:
      description: Igroups that it is in.
      returned: where it has a value
      type: list
      elements: dict
    connections:
      description: Connections of the session.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        cid:
          description: Connection id.
          returned: where it has a value
          type: int
        interface:
          description: Fields of interface.
          type: dict
          contains:
            name:
              description: LIF.
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
                port:
                  description: Its port.
                  returned: where it has a value
                  type: int
        transport_protocol:
          description: 'How it comes: over TCP, or over RDMA.'
          returned: where it has a value
          type: str
        initiator_address:
          description: Fields of initiator_address.
          type: dict
          contains:
            address:
              description: Where the initiator is.
              returned: where it has a value
              type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/iscsi/sessions")


if __name__ == "__main__":
    main()
