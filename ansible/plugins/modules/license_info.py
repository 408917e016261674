#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: license_info
short_description: Read about license objects
version_added: 0.1.0
description:
  - What the array does, as ONTAP's licences are called; all of it is included.
  - It reads C(/api/cluster/licensing/licenses).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about license objects
  sanstone.array.license_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: Name of the licence.
      returned: where it has a value
      type: str
    description:
      description: What it is for.
      returned: where it has a value
      type: str
    licenses:
      description: What there is of it.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        owner:
          description: The array.
          returned: where it has a value
          type: str
        serial_number:
          description: Serial number of the array.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("cluster/licensing/licenses")


if __name__ == "__main__":
    main()
