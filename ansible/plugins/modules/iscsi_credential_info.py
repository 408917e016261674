#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: iscsi_credential_info
short_description: Read about iSCSI credential objects
version_added: 0.1.0
description:
  - Credentials say how an initiator authenticates to an SVM's iSCSI target.
  - It reads C(/api/protocols/san/iscsi/credentials).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about iSCSI credential objects
  sanstone.array.iscsi_credential_info:
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
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    initiator:
      description: iSCSI name of the initiator, or V(default) for all that have no credential.
      returned: where it has a value
      type: str
    initiator_address:
      description: Fields of initiator_address.
      type: dict
      contains:
        ranges:
          description: 'Absent: the kernel does not tell initiators apart by their addresses.'
          returned: where it has a value
          type: list
          elements: dict
          contains:
            start:
              description: First.
              returned: where it has a value
              type: str
            end:
              description: Last.
              returned: where it has a value
              type: str
    authentication_type:
      description: Whether CHAP is demanded, nothing is, or logins are refused.
      returned: where it has a value
      type: str
    chap:
      description: Fields of chap.
      type: dict
      contains:
        inbound:
          description: Fields of inbound.
          type: dict
          contains:
            user:
              description: CHAP name of the initiator.
              returned: where it has a value
              type: str
        outbound:
          description: Fields of outbound.
          type: dict
          contains:
            user:
              description: CHAP name of the target; an empty one ends mutual CHAP.
              returned: where it has a value
              type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/iscsi/credentials")


if __name__ == "__main__":
    main()
