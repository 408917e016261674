#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: schedule
short_description: Make, change and remove the array's schedule objects
version_added: 0.1.0
description:
  - Schedules are moments at which snapshots are taken, by the clock or by an interval.
  - Its options are the fields of C(/api/cluster/schedules), nested as they are there. What
    is not given is left as it is.
options:
  name:
    description:
      - Name of the schedule.
    type: str
    required: true
  cron:
    description:
      - Fields of cron.
    type: dict
    suboptions:
      minutes:
        description:
          - Which minutes; all when not given.
        type: list
        elements: int
      hours:
        description:
          - Which hours; all when not given.
        type: list
        elements: int
      days:
        description:
          - Which days; all when not given.
        type: list
        elements: int
      months:
        description:
          - Which months; all when not given.
        type: list
        elements: int
      weekdays:
        description:
          - Which weekdays; all when not given.
        type: list
        elements: int
  interval:
    description:
      - Time between two moments, instead of the clock.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.schedule_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Take snapshots each night at three
  sanstone.array.schedule:
    name: nightly
    cron:
      minutes:
        - 0
      hours:
        - 3

- name: Take snapshots each quarter of an hour
  sanstone.array.schedule:
    name: often
    interval: PT15M

- name: Remove a schedule
  sanstone.array.schedule:
    name: often
    state: absent
"""

RETURN = r"""
record:
  description: The schedule as the array shows it afterwards, in check mode before the change.
  returned: when it exists, or shall exist
  type: dict
hosts:
  description: Hosts that are connected now to what would change.
  returned: in check mode, when something would change
  type: list
  elements: dict
  sample:
    - protocol: iscsi
      name: iqn.1994-05.com.example:host1
job:
  description: UUID of the job that works on the change.
  returned: with O(wait=false), when the array has not ended it at once
  type: str
code:
  description: ONTAP's code of the error.
  returned: when the array refuses
  type: str
  sample: '262197'
target:
  description: The field at fault.
  returned: when the array refuses, where it is one
  type: str
status:
  description: HTTP's status of the answer.
  returned: when the array refuses
  type: int
  sample: 409
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="cluster/schedules",
    noun="schedule",
    identity={"name": "name"},
    fields={"name": "name", "cron": "cron", "interval": "interval"},
    new_name="name",
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "cron": {
        "type": "dict",
        "options": {
            "minutes": {"type": "list", "elements": "int"},
            "hours": {"type": "list", "elements": "int"},
            "days": {"type": "list", "elements": "int"},
            "months": {"type": "list", "elements": "int"},
            "weekdays": {"type": "list", "elements": "int"},
        },
    },
    "interval": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
