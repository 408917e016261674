#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_filter
short_description: Make, change and remove the array's EMS filter objects
version_added: 0.1.0
description:
  - Filters say by name and severity which events a destination is told of.
  - Its options are the fields of C(/api/support/ems/filters), nested as they are there. What
    is not given is left as it is.
options:
  name:
    description:
      - Name of the filter.
    type: str
    required: true
  rules:
    description:
      - Its rules; the first that an event fits decides, and what fits none is excluded.
    type: list
    elements: dict
    suboptions:
      index:
        description:
          - Place among the rules, from 1; the end when not given.
        type: int
      type:
        description:
          - What becomes of an event that fits.
        type: str
        required: true
        choices:
          - include
          - exclude
      message_criteria:
        description:
          - Fields of message_criteria.
        type: dict
        suboptions:
          name_pattern:
            description:
              - Names of events that fit.
            type: str
          severities:
            description:
              - Severities of events that fit, between commas.
            type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.ems_filter_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Tell of what is grave
  sanstone.array.ems_filter:
    name: grave
    rules:
      - type: include
        message_criteria:
          severities: alert,emergency

- name: Leave out the messages of programs
  sanstone.array.ems_filter:
    name: grave
    rules:
      - type: exclude
        message_criteria:
          name_pattern: app.log.*
      - type: include
        message_criteria:
          severities: alert,emergency

- name: Remove a filter
  sanstone.array.ems_filter:
    name: grave
    state: absent
"""

RETURN = r"""
record:
  description: The EMS filter as the array shows it afterwards, in check mode before the change.
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
    path="support/ems/filters",
    noun="ems filter",
    identity={"name": "name"},
    fields={"name": "name", "rules": "rules"},
    at_first=frozenset(["name"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "rules": {
        "type": "list",
        "elements": "dict",
        "options": {
            "index": {"type": "int"},
            "type": {"type": "str", "required": True, "choices": ["include", "exclude"]},
            "message_criteria": {
                "type": "dict",
                "options": {"name_pattern": {"type": "str"}, "severities": {"type": "str"}},
            },
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
