#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ip_interface_info
short_description: Read about IP interface objects
version_added: 0.1.0
description:
  - Logical interfaces are the IP addresses at which SVMs are reached. Their statistics count
    IP packets with their headers; what RDMA moves passes these counters by.
  - It reads C(/api/network/ip/interfaces).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about IP interface objects
  sanstone.array.ip_interface_info:
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
      description: Identity of the interface.
      returned: where it has a value
      type: str
    name:
      description: Name within the SVM.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    scope:
      description: Whether it belongs to an SVM or to the array's management.
      returned: where it has a value
      type: str
    ip:
      description: Fields of ip.
      type: dict
      contains:
        address:
          description: Address.
          returned: where it has a value
          type: str
        netmask:
          description: Length of the network's prefix.
          returned: where it has a value
          type: str
        family:
          description: Family of the address.
          returned: where it has a value
          type: str
    enabled:
      description: Whether it is switched on.
      returned: where it has a value
      type: bool
    state:
      description: Whether it can be reached.
      returned: where it has a value
      type: str
    services:
      description: What it serves.
      returned: where it has a value
      type: list
      elements: str
    service_policy:
      description: Fields of service_policy.
      type: dict
      contains:
        name:
          description: Policy that says what it serves.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the policy.
          returned: where it has a value
          type: str
    rdma_protocols:
      description: 'RDMA by which it serves NVMe/RDMA and iSER too, as far as the policy offers
        NVMe and iSCSI, or SRP: by the port''s adapter, or by software where that cannot.
        By V(iwarp) it serves NVMe alone, and that instead of NVMe/TCP, whose port it takes.
        All LIFs at a port use the same.'
      returned: where it has a value
      type: list
      elements: str
    location:
      description: Fields of location.
      type: dict
      contains:
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
        home_port:
          description: Fields of home_port.
          type: dict
          contains:
            name:
              description: Ethernet port that carries it.
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
        port:
          description: Fields of port.
          type: dict
          contains:
            name:
              description: 'Port where it is now: its home.'
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
        auto_revert:
          description: Kept, without effect, since it never leaves home.
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
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("network/ip/interfaces")


if __name__ == "__main__":
    main()
