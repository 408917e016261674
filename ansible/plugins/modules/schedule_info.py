#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: schedule_info
short_description: Read about schedule objects
version_added: 0.1.0
description:
  - Schedules are moments at which snapshots are taken, by the clock or by an interval.
  - It reads C(/api/cluster/schedules).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about schedule objects
  sanstone.array.schedule_info:
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
      description: Identity of the schedule.
      returned: where it has a value
      type: str
    name:
      description: Name of the schedule.
      returned: where it has a value
      type: str
    cron:
      description: Fields of cron.
      type: dict
      contains:
        minutes:
          description: Which minutes; all when not given.
          returned: where it has a value
          type: list
          elements: int
        hours:
          description: Which hours; all when not given.
          returned: where it has a value
          type: list
          elements: int
        days:
          description: Which days; all when not given.
          returned: where it has a value
          type: list
          elements: int
        months:
          description: Which months; all when not given.
          returned: where it has a value
          type: list
          elements: int
        weekdays:
          description: Which weekdays; all when not given.
          returned: where it has a value
          type: list
          elements: int
    interval:
      description: Time between two moments, instead of the clock.
      returned: where it has a value
      type: str
    type:
      description: By what it goes.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("cluster/schedules")


if __name__ == "__main__":
    main()
