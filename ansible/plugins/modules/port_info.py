#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: port_info
short_description: Read about port objects
version_added: 0.1.0
description:
  - Ethernet ports, physical ones, LAGs and VLANs, carry the array's network interfaces.
  - It reads C(/api/network/ethernet/ports).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about port objects
  sanstone.array.port_info:
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
      description: Identity of the port.
      returned: where it has a value
      type: str
    name:
      description: Name of the port; that of a new one may be left to the array.
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
    type:
      description: What it is made of; follows from lag or vlan in the request.
      returned: where it has a value
      type: str
    state:
      description: Whether it has a link.
      returned: where it has a value
      type: str
    enabled:
      description: Whether it is switched on.
      returned: where it has a value
      type: bool
    mtu:
      description: Largest packet in bytes; a VLAN has that of its port unless it is told
        less.
      returned: where it has a value
      type: int
    mac_address:
      description: Hardware address.
      returned: where it has a value
      type: str
    speed:
      description: Megabits per second; absent when the port does not tell.
      returned: where it has a value
      type: int
    rdma_protocols:
      description: What its adapter does of RDMA, or that of the port below a VLAN. For others
        the array does it by software where a LIF asks for it.
      returned: where it has a value
      type: list
      elements: str
    lag:
      description: Fields of lag.
      type: dict
      contains:
        mode:
          description: All members at a time, the same as agreed with the switch, or one at
            a time.
          returned: where it has a value
          type: str
        distribution_policy:
          description: What of a packet says which member it leaves by; sequential takes them
            in turn.
          returned: where it has a value
          type: str
        member_ports:
          description: Its ports.
          returned: where it has a value
          type: list
          elements: dict
          contains:
            name:
              description: Name of the port.
              returned: where it has a value
              type: str
            uuid:
              description: Identity of the port.
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
        active_ports:
          description: Those of its ports that have a link.
          returned: where it has a value
          type: list
          elements: dict
          contains:
            name:
              description: Name of the port.
              returned: where it has a value
              type: str
            uuid:
              description: Identity of the port.
              returned: where it has a value
              type: str
    vlan:
      description: Fields of vlan.
      type: dict
      contains:
        base_port:
          description: Fields of base_port.
          type: dict
          contains:
            name:
              description: Name of the port or LAG that it is on.
              returned: where it has a value
              type: str
            uuid:
              description: Identity of that port.
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
        tag:
          description: Its tag.
          returned: where it has a value
          type: int
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
    run("network/ethernet/ports")


if __name__ == "__main__":
    main()
