#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: shelf_info
short_description: Read about shelf objects
version_added: 0.1.0
description:
  - Shelves of disks, and what is in each of their bays.
  - It reads C(/api/storage/shelves).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about shelf objects
  sanstone.array.shelf_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    uid:
      description: The shelf's logical identifier, in hexadecimal.
      returned: where it has a value
      type: str
    manufacturer:
      description: Fields of manufacturer.
      type: dict
      contains:
        name:
          description: Who made it.
          returned: where it has a value
          type: str
    model:
      description: Model.
      returned: where it has a value
      type: str
    disk_count:
      description: Number of its disks.
      returned: where it has a value
      type: int
    bays:
      description: Its bays.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        id:
          description: Number of the bay.
          returned: where it has a value
          type: int
        has_disk:
          description: Whether a disk of the array is in it.
          returned: where it has a value
          type: bool
        disk:
          description: Fields of disk.
          type: dict
          contains:
            name:
              description: Name of the disk; absent for an empty bay.
              returned: where it has a value
              type: str
        state:
          description: What the shelf says of it.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("storage/shelves")


if __name__ == "__main__":
    main()
