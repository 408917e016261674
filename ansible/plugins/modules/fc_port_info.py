#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: fc_port_info
short_description: Read about FC port objects
version_added: 0.1.0
description:
  - 'Fibre Channel ports of the machine. Their statistics are in frames, as the driver counts
    them: what goes to hosts is read, what comes from them is written. They are absent of
    a port whose driver does not count.'
  - It reads C(/api/network/fc/ports).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about FC port objects
  sanstone.array.fc_port_info:
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
      description: 'Identity of the port: it follows from its WWPN.'
      returned: where it has a value
      type: str
    name:
      description: 'Where it is plugged in: its PCI address; of FCoE the Ethernet port.'
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
    description:
      description: What its driver says of it.
      returned: where it has a value
      type: str
    wwnn:
      description: World wide name of its node.
      returned: where it has a value
      type: str
    wwpn:
      description: World wide name of the port.
      returned: where it has a value
      type: str
    state:
      description: Whether it has a link.
      returned: where it has a value
      type: str
    physical_protocol:
      description: What its cable carries.
      returned: where it has a value
      type: str
    supported_protocols:
      description: Protocols that Linux can serve with its driver.
      returned: where it has a value
      type: list
      elements: str
    npiv:
      description: Fields of npiv.
      type: dict
      contains:
        maximum:
          description: Virtual ports (NPIV) that its driver can make at it.
          returned: where it has a value
          type: int
        in_use:
          description: Virtual ports that are at it.
          returned: where it has a value
          type: int
    waits_for_restart:
      description: Whether its driver serves an interface only after the node restarts.
      returned: where it has a value
      type: bool
    speed:
      description: Fields of speed.
      type: dict
      contains:
        maximum:
          description: Most gigabits per second; absent when the driver does not tell.
          returned: where it has a value
          type: str
    fabric:
      description: Fields of fabric.
      type: dict
      contains:
        connected:
          description: Whether it is in a fabric.
          returned: where it has a value
          type: bool
        connected_speed:
          description: Gigabits per second; absent without a link.
          returned: where it has a value
          type: int
        name:
          description: World wide name of the fabric.
          returned: where it has a value
          type: str
        port_address:
          description: The port's address in the fabric, six hexadecimal digits.
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
    run("network/fc/ports")


if __name__ == "__main__":
    main()
