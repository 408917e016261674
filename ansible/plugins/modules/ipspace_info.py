#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ipspace_info
short_description: Read about ipspace objects
version_added: 0.1.0
description:
  - An IPspace is an address space of its own. The array has one, Default.
  - It reads C(/api/network/ipspaces).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about ipspace objects
  sanstone.array.ipspace_info:
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
      description: Identity of the IPspace.
      returned: where it has a value
      type: str
    name:
      description: Name of the IPspace.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("network/ipspaces")


if __name__ == "__main__":
    main()
