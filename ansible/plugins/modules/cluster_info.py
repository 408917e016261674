#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_info
short_description: Read about the array's cluster
version_added: 0.1.0
description:
  - The array as a whole.
  - It reads C(/api/cluster).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about cluster objects
  sanstone.array.cluster_info:
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
      description: Identity of the array.
      returned: where it has a value
      type: str
    name:
      description: Name of the array; its node's name begins with it.
      returned: where it has a value
      type: str
    contact:
      description: Whom to ask about the array.
      returned: where it has a value
      type: str
    location:
      description: Where the array stands.
      returned: where it has a value
      type: str
    timezone:
      description: Fields of timezone.
      type: dict
      contains:
        name:
          description: Time zone, as the IANA database names it.
          returned: where it has a value
          type: str
    serial_number:
      description: What is in the names of the array's targets.
      returned: where it has a value
      type: str
    create_time:
      description: When the array started for the first time.
      returned: where it has a value
      type: str
    version:
      description: Fields of version.
      type: dict
      contains:
        full:
          description: Release, build and kernel in words.
          returned: where it has a value
          type: str
        build:
          description: Fields of build.
          type: dict
          contains:
            commit:
              description: Commit of Sanstone's repository that it was built of; absent where
                none is known.
              returned: where it has a value
              type: str
            time:
              description: Time of that commit, or the one that its builder gave for it.
              returned: where it has a value
              type: str
            development:
              description: 'Whether it is no release: built of another commit than a release''s,
                or changed.'
              returned: where it has a value
              type: bool
        kernel:
          description: Release of the Linux kernel that runs.
          returned: where it has a value
          type: str
    dns_domains:
      description: Domains in which a host name without a dot is looked for, in this order.
      returned: where it has a value
      type: list
      elements: str
    name_servers:
      description: Addresses of the DNS servers that are asked first, in this order, before
        DHCP's.
      returned: where it has a value
      type: list
      elements: str
    ntp_servers:
      description: NTP servers, which V(cluster/ntp/servers) adds and removes.
      returned: where it has a value
      type: list
      elements: str
    management_interfaces:
      description: Interfaces through which the array is managed.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the interface; of an address by DHCP its port's.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the interface; an address by DHCP has none.
          returned: where it has a value
          type: str
        ip:
          description: Fields of ip.
          type: dict
          contains:
            address:
              description: Its address.
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
    run("cluster", single=True)


if __name__ == "__main__":
    main()
