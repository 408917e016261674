#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: snmp_user
short_description: Make, change and remove the array's SNMP user objects
version_added: 0.1.0
description:
  - 'Users of SNMP: communities of SNMPv2c, and users of SNMPv3.'
  - Its options are the fields of C(/api/support/snmp/users), nested as they are there. What
    is not given is left as it is.
options:
  name:
    description:
      - Name of the user, or the community.
    type: str
    required: true
  authentication_method:
    description:
      - Whether it is a community of SNMPv2c, a user of SNMPv3 (V(usm)), or one of each. The
        array's default is V(community).
    type: str
    choices:
      - community
      - usm
      - both
  snmpv3:
    description:
      - Fields of snmpv3.
    type: dict
    suboptions:
      authentication_protocol:
        description:
          - 'Hash by which messages are signed: SHA-1, SHA-256, or none for messages that
            anybody can send.'
        type: str
        choices:
          - none
          - sha
          - sha2_256
      authentication_password:
        description:
          - Password that the key is made of.
        type: str
      privacy_protocol:
        description:
          - 'How messages are encrypted: AES with 128 bits, or not at all.'
        type: str
        choices:
          - none
          - aes128
      privacy_password:
        description:
          - Password that the key is made of.
        type: str
  comment:
    description:
      - What the user is for.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.snmp_user_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Let a monitoring server read by SNMPv3
  sanstone.array.snmp_user:
    name: monitor
    authentication_method: usm
    snmpv3:
      authentication_protocol: sha2_256
      authentication_password: '{{ snmp_authentication_password }}'
      privacy_protocol: aes128
      privacy_password: '{{ snmp_privacy_password }}'
"""

RETURN = r"""
record:
  description: The SNMP user as the array shows it afterwards, in check mode before the change.
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
    path="support/snmp/users",
    noun="snmp user",
    identity={"name": "name"},
    fields={
        "name": "name",
        "authentication_method": "authentication_method",
        "snmpv3": "snmpv3",
        "comment": "comment",
    },
    at_first=frozenset(
        [
            "authentication_method",
            "name",
            "snmpv3.authentication_password",
            "snmpv3.authentication_protocol",
            "snmpv3.privacy_password",
            "snmpv3.privacy_protocol",
        ]
    ),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "authentication_method": {"type": "str", "choices": ["community", "usm", "both"]},
    "snmpv3": {
        "type": "dict",
        "options": {
            "authentication_protocol": {"type": "str", "choices": ["none", "sha", "sha2_256"]},
            "authentication_password": {"type": "str", "no_log": True},
            "privacy_protocol": {"type": "str", "choices": ["none", "aes128"]},
            "privacy_password": {"type": "str", "no_log": True},
        },
    },
    "comment": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
