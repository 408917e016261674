#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snmp
short_description: Change the array's SNMP
version_added: 0.1.0
description:
  - Whether the array speaks SNMP, and tells trap hosts of events.
  - Its options are the fields of C(/api/support/snmp), nested as they are there. What is
    not given is left as it is.
options:
  enabled:
    description:
      - Whether the array speaks SNMP; where it does not, no trap is sent either.
    type: bool
  traps_enabled:
    description:
      - Whether trap hosts are told of events.
    type: bool
  auth_traps_enabled:
    description:
      - Whether trap hosts are told of requests by unknown communities, and with wrong passwords.
    type: bool
  contact:
    description:
      - 'Whom to ask about the array: V(contact) of V(cluster).'
    type: str
  location:
    description:
      - 'Where the array stands: V(location) of V(cluster).'
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
seealso:
  - module: sanstone.array.snmp_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Speak SNMP
  sanstone.array.snmp:
    enabled: true
"""

RETURN = r"""
record:
  description: The SNMP as the array shows it afterwards, in check mode before the change.
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
    path="support/snmp",
    noun="snmp",
    fields={
        "enabled": "enabled",
        "traps_enabled": "traps_enabled",
        "auth_traps_enabled": "auth_traps_enabled",
        "contact": "contact",
        "location": "location",
    },
    single=True,
    creatable=False,
)
OPTIONS = {
    "enabled": {"type": "bool"},
    "traps_enabled": {"type": "bool"},
    "auth_traps_enabled": {"type": "bool"},
    "contact": {"type": "str"},
    "location": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
