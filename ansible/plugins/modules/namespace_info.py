#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: namespace_info
short_description: Read about namespace objects
version_added: 0.1.0
description:
  - Namespaces are block devices in a volume that NVMe hosts reach through a subsystem.
  - It reads C(/api/storage/namespaces).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about namespace objects
  sanstone.array.namespace_info:
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
      description: Identity.
      returned: where it has a value
      type: str
    name:
      description: Path, /vol/<volume>/<name>; or give the location.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    location:
      description: Fields of location.
      type: dict
      contains:
        volume:
          description: The volume that it is in.
          returned: where it has a value
          type: dict
        namespace:
          description: The last part of its path.
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
    os_type:
      description: Operating system of the hosts; needed, but for a copy.
      returned: where it has a value
      type: str
    space:
      description: Fields of space.
      type: dict
      contains:
        size:
          description: Size in bytes, rounded up to 4 KiB; needed, but for a copy; it can
            only grow.
          returned: where it has a value
          type: int
        used:
          description: Bytes that it occupies in the aggregate.
          returned: where it has a value
          type: int
        guarantee:
          description: Fields of guarantee.
          type: dict
          contains:
            requested:
              description: Whether its whole size is set aside in the volume.
              returned: where it has a value
              type: bool
            reserved:
              description: Whether its whole size is set aside in the aggregate too.
              returned: where it has a value
              type: bool
        block_size:
          description: Logical block size in bytes; when not given, 512 for vmware, whose
            hosts use no other, and 4096 else. 512 needs disks of such sectors.
          returned: where it has a value
          type: int
    qos_policy:
      description: 'Its quality of service policy, which may limit nothing: no limit could
        be kept.'
      returned: where it has a value
      type: dict
    comment:
      description: Comment; that of its source for a copy.
      returned: where it has a value
      type: str
    enabled:
      description: Whether hosts may use it.
      returned: where it has a value
      type: bool
    create_time:
      description: When it was created.
      returned: where it has a value
      type: str
    status:
      description: Fields of status.
      type: dict
      contains:
        state:
          description: Whether it is served.
          returned: where it has a value
          type: str
        container_state:
          description: Whether what it is in is online.
          returned: where it has a value
          type: str
        mapped:
          description: Whether it is mapped, so that hosts see it.
          returned: where it has a value
          type: bool
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
    subsystem_map:
      description: Fields of subsystem_map.
      type: dict
      contains:
        subsystem:
          description: The subsystem that it is mapped to.
          returned: where it has a value
          type: dict
        nsid:
          description: Its id there.
          returned: where it has a value
          type: str
        anagrpid:
          description: Its ANA group there.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("storage/namespaces")


if __name__ == "__main__":
    main()
