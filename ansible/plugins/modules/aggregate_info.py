#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: aggregate_info
short_description: Read about aggregate objects
version_added: 0.1.0
description:
  - Aggregates are RAID groups of disks under one pool, out of which volumes are made.
  - It reads C(/api/storage/aggregates).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about aggregate objects
  sanstone.array.aggregate_info:
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
      description: Identity of the aggregate.
      returned: where it has a value
      type: str
    name:
      description: Name of the aggregate, unique in the array.
      returned: where it has a value
      type: str
    state:
      description: Whether its pool can be used.
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
    block_storage:
      description: Fields of block_storage.
      type: dict
      contains:
        primary:
          description: Fields of primary.
          type: dict
          contains:
            disk_count:
              description: Disks in all RAID groups; raising it adds whole groups. Without
                it, disks and RAID type, the largest aggregate that V(recommend) shows is
                made.
              returned: where it has a value
              type: int
            disks:
              description: The disks, in the order of the RAID groups; spares are picked where
                none are named.
              returned: where it has a value
              type: list
              elements: dict
              contains:
                name:
                  description: Name of the disk.
                  returned: where it has a value
                  type: str
            raid_type:
              description: RAID type; raid_dp is RAID 6, and is taken where a number of disks
                is given alone.
              returned: where it has a value
              type: str
            raid_size:
              description: Most disks of one RAID group.
              returned: where it has a value
              type: int
            simulated_raid_groups:
              description: The RAID groups of what V(recommend) and V(simulate) show.
              returned: where it has a value
              type: list
              elements: dict
              contains:
                name:
                  description: Name of the group.
                  returned: where it has a value
                  type: str
                is_partition:
                  description: Whether of parts of disks.
                  returned: where it has a value
                  type: bool
                usable_size:
                  description: Bytes of each disk that are used.
                  returned: where it has a value
                  type: int
                data_disk_count:
                  description: Disks' worth of data.
                  returned: where it has a value
                  type: int
                parity_disk_count:
                  description: Disks' worth of protection.
                  returned: where it has a value
                  type: int
                existing_data_disk_count:
                  description: Disks' worth of data so far.
                  returned: where it has a value
                  type: int
                existing_parity_disk_count:
                  description: Disks' worth of protection so far.
                  returned: where it has a value
                  type: int
                added_data_disk_count:
                  description: Disks' worth of data to come.
                  returned: where it has a value
                  type: int
                added_parity_disk_count:
                  description: Disks' worth of protection to come.
                  returned: where it has a value
                  type: int
            disk_class:
              description: Class of the disks.
              returned: where it has a value
              type: str
            disk_type:
              description: Type of the disks.
              returned: where it has a value
              type: str
            bytes_per_sector:
              description: 'Logical sector of the disks in bytes: hosts see blocks as large,
                or larger ones.'
              returned: where it has a value
              type: int
        storage_type:
          description: What kind of storage it is.
          returned: where it has a value
          type: str
        raid_groups:
          description: The RAID groups as the kernel has them.
          returned: where it has a value
          type: list
          elements: dict
          contains:
            number:
              description: Number of the group.
              returned: where it has a value
              type: int
            state:
              description: State of its array.
              returned: where it has a value
              type: str
            missing_disks:
              description: Disks it lacks.
              returned: where it has a value
              type: int
            resync_percent:
              description: How far a resync or rebuild has come.
              returned: where it has a value
              type: int
    space:
      description: Fields of space.
      type: dict
      contains:
        block_storage:
          description: Fields of block_storage.
          type: dict
          contains:
            size:
              description: Bytes.
              returned: where it has a value
              type: int
            used:
              description: Bytes in use.
              returned: where it has a value
              type: int
            physical_used:
              description: Bytes in use.
              returned: where it has a value
              type: int
            available:
              description: Bytes left.
              returned: where it has a value
              type: int
            used_percent:
              description: In use.
              returned: where it has a value
              type: int
            metadata_used_percent:
              description: How full the pool's metadata is.
              returned: where it has a value
              type: int
        footprint:
          description: Bytes that volumes use.
          returned: where it has a value
          type: int
        efficiency:
          description: Fields of efficiency.
          type: dict
          contains:
            logical_used:
              description: Bytes in use.
              returned: where it has a value
              type: int
        forecast:
          description: Fields of forecast.
          type: dict
          contains:
            full_time:
              description: When it will be full, if its use goes on growing as in the last
                six weeks. Absent where that is more than five years ahead, or its use does
                not grow. Absent with samples of fewer than 7 days.
              returned: where it has a value
              type: str
            days_left:
              description: Days until then.
              returned: where it has a value
              type: int
            growth_per_day:
              description: 'Bytes by which its use grows a day, negative where it shrinks:
                the median of the slopes between all days. Absent with samples of fewer than
                7 days.'
              returned: where it has a value
              type: int
            samples_since:
              description: When the first sample was taken that this considers. Absent with
                samples of fewer than 7 days.
              returned: where it has a value
              type: str
    recommendation:
      description: Fields of recommendation.
      type: dict
      contains:
        spares_left:
          description: Spare disks of its kind that stay; of what is recommended or simulated
            alone.
          returned: where it has a value
          type: int
    volume_count:
      description: Volumes on it.
      returned: where it has a value
      type: int
    create_time:
      description: When it was created.
      returned: where it has a value
      type: str
    statistics:
      description: Fields of statistics.
      type: dict
      contains:
        status:
          description: Whether they are good.
          returned: where it has a value
          type: str
        timestamp:
          description: When they were read.
          returned: where it has a value
          type: str
        iops_raw:
          description: Fields of iops_raw.
          type: dict
          contains:
            read:
              description: Operations in all, read.
              returned: where it has a value
              type: int
            write:
              description: Operations in all, write.
              returned: where it has a value
              type: int
            other:
              description: Operations in all, other.
              returned: where it has a value
              type: int
            total:
              description: Operations in all, total.
              returned: where it has a value
              type: int
        throughput_raw:
          description: Fields of throughput_raw.
          type: dict
          contains:
            read:
              description: Bytes in all, read.
              returned: where it has a value
              type: int
            write:
              description: Bytes in all, write.
              returned: where it has a value
              type: int
            other:
              description: Bytes in all, other.
              returned: where it has a value
              type: int
            total:
              description: Bytes in all, total.
              returned: where it has a value
              type: int
        latency_raw:
          description: Fields of latency_raw.
          type: dict
          contains:
            read:
              description: Microseconds in all, read.
              returned: where it has a value
              type: int
            write:
              description: Microseconds in all, write.
              returned: where it has a value
              type: int
            other:
              description: Microseconds in all, other.
              returned: where it has a value
              type: int
            total:
              description: Microseconds in all, total.
              returned: where it has a value
              type: int
    metric:
      description: Fields of metric.
      type: dict
      contains:
        status:
          description: Whether it is good.
          returned: where it has a value
          type: str
        timestamp:
          description: Begin of the interval.
          returned: where it has a value
          type: str
        duration:
          description: Length of the interval.
          returned: where it has a value
          type: str
        iops:
          description: Fields of iops.
          type: dict
          contains:
            read:
              description: Operations per second, read.
              returned: where it has a value
              type: int
            write:
              description: Operations per second, write.
              returned: where it has a value
              type: int
            other:
              description: Operations per second, other.
              returned: where it has a value
              type: int
            total:
              description: Operations per second, total.
              returned: where it has a value
              type: int
        throughput:
          description: Fields of throughput.
          type: dict
          contains:
            read:
              description: Bytes per second, read.
              returned: where it has a value
              type: int
            write:
              description: Bytes per second, write.
              returned: where it has a value
              type: int
            other:
              description: Bytes per second, other.
              returned: where it has a value
              type: int
            total:
              description: Bytes per second, total.
              returned: where it has a value
              type: int
        latency:
          description: Fields of latency.
          type: dict
          contains:
            read:
              description: Microseconds per operation, read.
              returned: where it has a value
              type: int
            write:
              description: Microseconds per operation, write.
              returned: where it has a value
              type: int
            other:
              description: Microseconds per operation, other.
              returned: where it has a value
              type: int
            total:
              description: Microseconds per operation, total.
              returned: where it has a value
              type: int
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("storage/aggregates")


if __name__ == "__main__":
    main()
