#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: node_info
short_description: Read about node objects
version_added: 0.1.0
description:
  - The machine that the array runs on. PATCH with V(action) restarts it or shuts it down.
  - It reads C(/api/cluster/nodes).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about node objects
  sanstone.array.node_info:
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
      description: Identity of the node.
      returned: where it has a value
      type: str
    name:
      description: Name of the node.
      returned: where it has a value
      type: str
    serial_number:
      description: Serial number of the machine, that of the array where it has none.
      returned: where it has a value
      type: str
    model:
      description: Model of the machine.
      returned: where it has a value
      type: str
    system_id:
      description: Identity once more.
      returned: where it has a value
      type: str
    uptime:
      description: Seconds since it started.
      returned: where it has a value
      type: int
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
    location:
      description: Where the array stands.
      returned: where it has a value
      type: str
    controller:
      description: Fields of controller.
      type: dict
      contains:
        cpu:
          description: Fields of cpu.
          type: dict
          contains:
            count:
              description: Processors.
              returned: where it has a value
              type: int
        memory_size:
          description: Bytes of memory.
          returned: where it has a value
          type: int
        over_temperature:
          description: Whether any temperature is critical; absent where no management controller
            tells.
          returned: where it has a value
          type: str
        failed_fan:
          description: Fields of failed_fan.
          type: dict
          contains:
            count:
              description: Number of fans that have failed; absent where no management controller
                tells.
              returned: where it has a value
              type: int
            message:
              description: Fields of message.
              type: dict
              contains:
                message:
                  description: Which fans have failed, in words; absent like the number.
                  returned: where it has a value
                  type: str
        failed_power_supply:
          description: Fields of failed_power_supply.
          type: dict
          contains:
            count:
              description: Number of power supplies that have failed; absent where no management
                controller tells.
              returned: where it has a value
              type: int
            message:
              description: Fields of message.
              type: dict
              contains:
                message:
                  description: Which power supplies have failed, in words; absent like the
                    number.
                  returned: where it has a value
                  type: str
    ha:
      description: Fields of ha.
      type: dict
      contains:
        partners:
          description: Nodes that take over, of which there are none.
          returned: where it has a value
          type: list
          elements: dict
          contains:
            name:
              description: Its name.
              returned: where it has a value
              type: str
            uuid:
              description: Its identity.
              returned: where it has a value
              type: str
    date:
      description: Its clock.
      returned: where it has a value
      type: str
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
    cluster_interfaces:
      description: Interfaces to other nodes, of which there are none.
      returned: where it has a value
      type: list
      elements: dict
      contains:
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
        processor_utilization_raw:
          description: Hundredths of a second in which processors worked, summed over them.
          returned: where it has a value
          type: int
        processor_utilization_base:
          description: Hundredths of a second that passed meanwhile, summed over them.
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
        processor_utilization:
          description: How much of their time processors worked, in percent.
          returned: where it has a value
          type: int
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("cluster/nodes")


if __name__ == "__main__":
    main()
