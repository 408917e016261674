#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: audit_message_info
short_description: Read about audit message objects
version_added: 0.1.0
description:
  - 'The audit log: each request for a change, and each that was denied, with its outcome.'
  - It reads C(/api/security/audit/messages).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about audit message objects
  sanstone.array.audit_message_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    index:
      description: Number of the record; a later one's is higher.
      returned: where it has a value
      type: int
    timestamp:
      description: When it was answered.
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
    application:
      description: Through what it came.
      returned: where it has a value
      type: str
    location:
      description: Address that it came from.
      returned: where it has a value
      type: str
    user:
      description: Account that asked; none where nobody of the name given has one.
      returned: where it has a value
      type: str
    role:
      description: Role of the account.
      returned: where it has a value
      type: str
    svm:
      description: Fields of svm.
      type: dict
      contains:
        name:
          description: SVM of the account.
          returned: where it has a value
          type: str
    scope:
      description: Whether the account is the array's or an SVM's.
      returned: where it has a value
      type: str
    input:
      description: What was asked for, but for secrets.
      returned: where it has a value
      type: str
    state:
      description: What became of it.
      returned: where it has a value
      type: str
    message:
      description: Why it was refused, or the job that does it.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/audit/messages")


if __name__ == "__main__":
    main()
