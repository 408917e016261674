#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snmp_traphost
short_description: Make, change and remove the array's SNMP traphost objects
version_added: 0.1.0
description:
  - Trap hosts are told of events by SNMP.
  - Its options are the fields of C(/api/support/snmp/traphosts), nested as they are there.
    What is not given is left as it is.
options:
  host:
    description:
      - Host name or IP address.
    type: str
    required: true
  user:
    description:
      - SNMP user as whom it is told; a community where not given. By its name.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.snmp_traphost_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Tell it of events by traps
  sanstone.array.snmp_traphost:
    host: 192.0.2.162
    user: monitor
"""

RETURN = r"""
record:
  description: The SNMP traphost as the array shows it afterwards, in check mode before the
    change.
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
    path="support/snmp/traphosts",
    noun="snmp traphost",
    identity={"host": "host"},
    fields={"host": "host", "user": "user"},
    at_first=frozenset(["host", "user"]),
)
OPTIONS = {"host": {"type": "str", "required": True}, "user": {"type": "str"}}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
