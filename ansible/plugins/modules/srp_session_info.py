#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: srp_session_info
short_description: Read about SRP session objects
version_added: 0.1.0
description:
  - Initiators that are logged in at LIFs by SRP, and see LUNs there.
  - It reads C(/api/protocols/san/srp/sessions).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about SRP session objects
  sanstone.array.srp_session_info:
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
      description: The LIF.
      returned: where it has a value
      type: dict
    initiator:
      description: Fields of initiator.
      type: dict
      contains:
        name:
          description: Identifier of the initiator's port.
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
    run("protocols/san/srp/sessions")


if __name__ == "__main__":
    main()
