#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_event
short_description: Change the array's EMS event objects
version_added: 0.1.0
description:
  - Events tell what an administrator should know; one that lasts has an event at its end.
  - Its options are the fields of C(/api/support/ems/events), nested as they are there. What
    is not given is left as it is.
options:
  acknowledged:
    description:
      - Fields of acknowledged.
    type: dict
    suboptions:
      state:
        description:
          - Whether somebody has seen it.
        type: bool
  index:
    description:
      - Number of the event; a later one's is higher.
    type: int
    required: true
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
seealso:
  - module: sanstone.array.ems_event_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Say that an event has been seen
  sanstone.array.ems_event:
    index: '{{ event_index }}'
    acknowledged:
      state: true
"""

RETURN = r"""
record:
  description: The EMS event as the array shows it afterwards, in check mode before the change.
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
    path="support/ems/events",
    noun="ems event",
    identity={"index": "index"},
    fields={"acknowledged": "acknowledged"},
    creatable=False,
)
OPTIONS = {
    "acknowledged": {"type": "dict", "options": {"state": {"type": "bool"}}},
    "index": {"type": "int", "required": True},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
