#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: fc_interface_info
short_description: Read about FC interface objects
version_added: 0.1.0
description:
  - 'Fibre Channel interfaces are the ports at which SVMs are reached over Fibre Channel.
    The first one at a port for each data protocol has the port''s own names. Further ones
    for FCP are virtual ports (NPIV), where the adapter''s driver can make any (V(npiv) of
    the port) and the port is in a fabric that takes them: each has a WWPN of its own, which
    it keeps, and the WWNN of its SVM. While there are any, the first one stays at its port,
    but may be switched off. By NVMe there are none. A host''s port is refused while no igroup
    shows it a LUN, so map one before the host''s port comes up. A Linux host that was refused
    has to make its port anew: it looks for LUNs at no port that it met as no target. By FCP
    the target counts what hosts do, in mebibytes, and commands as one, which are V(other);
    by NVMe it counts nothing, so that such an interface has no statistics.'
  - It reads C(/api/network/fc/interfaces).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about FC interface objects
  sanstone.array.fc_interface_info:
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
    data_protocol:
      description: Protocol that it serves.
      returned: where it has a value
      type: str
    comment:
      description: Comment; an empty one is not shown.
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
    wwpn:
      description: World wide name under which hosts see it.
      returned: where it has a value
      type: str
    virtual:
      description: Whether it is a virtual port (NPIV), with a name other than its port's.
      returned: where it has a value
      type: bool
    wwnn:
      description: World wide name of its node.
      returned: where it has a value
      type: str
    port_address:
      description: Its address in the fabric, six hexadecimal digits; absent without a link.
      returned: where it has a value
      type: str
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
              description: Name of its Fibre Channel port.
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
              description: Name of its Fibre Channel port.
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
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("network/fc/interfaces")


if __name__ == "__main__":
    main()
