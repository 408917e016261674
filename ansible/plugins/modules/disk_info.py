#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: disk_info
short_description: Read about disk objects
version_added: 0.1.0
description:
  - 'The array''s disks: what they are, where, how they are, and what each is used for.'
  - It reads C(/api/storage/disks).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about disk objects
  sanstone.array.disk_info:
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
      description: Name of the disk, kept while the array lives.
      returned: where it has a value
      type: str
    uid:
      description: 'The disk''s own identity: its WWN, or its model and serial number.'
      returned: where it has a value
      type: str
    serial_number:
      description: Serial number.
      returned: where it has a value
      type: str
    vendor:
      description: Vendor.
      returned: where it has a value
      type: str
    model:
      description: Model.
      returned: where it has a value
      type: str
    firmware_version:
      description: Version of its firmware.
      returned: where it has a value
      type: str
    type:
      description: Type.
      returned: where it has a value
      type: str
    effective_type:
      description: Type by which it is chosen for an aggregate.
      returned: where it has a value
      type: str
    class:
      description: Class.
      returned: where it has a value
      type: str
    container_type:
      description: What it is used for; foreign disks hold data that is not the array's.
      returned: where it has a value
      type: str
    content:
      description: Who uses it, or what is on it; empty for a spare.
      returned: where it has a value
      type: str
    state:
      description: Its state.
      returned: where it has a value
      type: str
    sanitize:
      description: Fields of sanitize.
      type: dict
      contains:
        supported:
          description: Whether it can sanitize itself, or is at it, or has failed at it.
          returned: where it has a value
          type: bool
        methods:
          description: How it can sanitize itself, of crypto_erase, block_erase, overwrite;
            the quickest first. Absent for a disk that cannot, or is at it.
          returned: where it has a value
          type: list
          elements: str
        state:
          description: Whether it is at sanitizing itself, or has failed at it, as it tells;
            else absent.
          returned: where it has a value
          type: str
        percent:
          description: How far it is with it.
          returned: where it has a value
          type: int
    discards:
      description: Whether it can discard, when it is erased, what is on it.
      returned: where it has a value
      type: bool
    usable_size:
      description: Size in bytes.
      returned: where it has a value
      type: int
    bytes_per_sector:
      description: Logical sector in bytes.
      returned: where it has a value
      type: int
    rpm:
      description: 'Revolutions per minute: 0 for a disk that does not rotate, else absent.'
      returned: where it has a value
      type: int
    rotational:
      description: Whether it says that it rotates.
      returned: where it has a value
      type: bool
    transport:
      description: How it is attached.
      returned: where it has a value
      type: str
    path:
      description: The kernel's device; it may change.
      returned: where it has a value
      type: str
    shelf:
      description: Fields of shelf.
      type: dict
      contains:
        uid:
          description: Shelf that it is in, or was last; absent for a disk that no shelf tells
            of.
          returned: where it has a value
          type: str
    bay:
      description: Its bay; absent where nothing tells.
      returned: where it has a value
      type: int
    location_led:
      description: Its locate light, which goes off by itself after half an hour; absent for
        none.
      returned: where it has a value
      type: str
    health:
      description: Fields of health.
      type: dict
      contains:
        passed:
          description: Whether it says that it is in order; false when it predicts that it
            will fail.
          returned: where it has a value
          type: bool
        message:
          description: Why it will fail, or why nothing is known of its health.
          returned: where it has a value
          type: str
        last_checked:
          description: When it was asked last; absent for a disk that is never asked, as a
            virtual one.
          returned: where it has a value
          type: str
    rated_life_used_percent:
      description: Percent of the writes that it is made for; more than 100 is possible.
      returned: where it has a value
      type: int
    temperature:
      description: Temperature in °C.
      returned: where it has a value
      type: int
    temperature_limit:
      description: Temperature in °C from which it may be damaged.
      returned: where it has a value
      type: int
    stats:
      description: Fields of stats.
      type: dict
      contains:
        power_on_hours:
          description: Hours for which it has run.
          returned: where it has a value
          type: int
    media_errors:
      description: Number of errors that it could not correct.
      returned: where it has a value
      type: int
    reallocated_sectors:
      description: Number of its sectors that it has replaced.
      returned: where it has a value
      type: int
    pending_sectors:
      description: Number of its sectors that cannot be read and wait to be replaced.
      returned: where it has a value
      type: int
    raid_group:
      description: Number of its RAID group in its aggregate, from 0.
      returned: where it has a value
      type: int
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
    home_node:
      description: Fields of home_node.
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
    aggregates:
      description: The aggregate that it is part of.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the aggregate.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the aggregate.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("storage/disks")


if __name__ == "__main__":
    main()
