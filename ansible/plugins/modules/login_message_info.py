#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: login_message_info
short_description: Read about login message objects
version_added: 0.1.0
description:
  - Messages that are shown before and after logging in.
  - It reads C(/api/security/login/messages).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about login message objects
  sanstone.array.login_message_info:
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
    uuid:
      description: UUID of the SVM or of the array.
      returned: where it has a value
      type: str
    banner:
      description: Shown before logging in.
      returned: where it has a value
      type: str
    message:
      description: Shown after logging in.
      returned: where it has a value
      type: str
    show_cluster_message:
      description: Whether the array's message is shown before the SVM's.
      returned: where it has a value
      type: bool
    scope:
      description: Whether they are the array's or an SVM's.
      returned: where it has a value
      type: str
    svm:
      description: The SVM whose they are.
      returned: where it has a value
      type: dict
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/login/messages")


if __name__ == "__main__":
    main()
