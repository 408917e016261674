#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: wwpn_alias_info
short_description: Read about WWPN alias objects
version_added: 0.1.0
description:
  - Aliases are names for the WWPNs of Fibre Channel initiators, each within its SVM.
  - It reads C(/api/network/fc/wwpn-aliases).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about WWPN alias objects
  sanstone.array.wwpn_alias_info:
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
    alias:
      description: Name within the SVM.
      returned: where it has a value
      type: str
    wwpn:
      description: WWPN that it stands for.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("network/fc/wwpn-aliases")


if __name__ == "__main__":
    main()
