#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_destination
short_description: Make, change and remove the array's EMS destination objects
version_added: 0.1.0
description:
  - Destinations are syslog servers that are told of events, each of what its filters say.
  - Its options are the fields of C(/api/support/ems/destinations), nested as they are there.
    What is not given is left as it is.
options:
  name:
    description:
      - Name of the destination.
    type: str
    required: true
  destination:
    description:
      - Host name or IP address of the syslog server.
    type: str
  filters:
    description:
      - Filters; it is told of what one of them includes.
    type: list
    elements: str
  syslog:
    description:
      - Fields of syslog.
    type: dict
    suboptions:
      port:
        description:
          - Port; 514 for UDP and 601 for TCP unless given.
        type: int
      transport:
        description:
          - How it is told; TCP notices when nobody listens. The array's default is V(udp_unencrypted).
        type: str
        choices:
          - udp_unencrypted
          - tcp_unencrypted
      format:
        description:
          - Fields of format.
        type: dict
        suboptions:
          message:
            description:
              - 'Form of a message: ONTAP''s own, or that of RFC 5424. The array''s default
                is V(legacy_netapp).'
            type: str
            choices:
              - legacy_netapp
              - rfc_5424
          timestamp_override:
            description:
              - Form of the time; else RFC 3164's in ONTAP's form, ISO 8601's in RFC 5424's.
                The array's default is V(no_override).
            type: str
            choices:
              - no_override
              - rfc_3164
              - iso_8601_local_time
              - iso_8601_utc
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.ems_destination_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Send it to a syslog server
  sanstone.array.ems_destination:
    name: logs
    destination: 192.0.2.7
    filters:
      - grave
    syslog:
      port: 6514
      transport: tcp_unencrypted

- name: Send nothing any more
  sanstone.array.ems_destination:
    name: logs
    state: absent
"""

RETURN = r"""
record:
  description: The EMS destination as the array shows it afterwards, in check mode before
    the change.
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
    path="support/ems/destinations",
    noun="ems destination",
    identity={"name": "name"},
    fields={"name": "name", "destination": "destination", "filters": "filters", "syslog": "syslog"},
    at_first=frozenset(["name"]),
    implied={"type": "syslog"},
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "destination": {"type": "str"},
    "filters": {"type": "list", "elements": "str"},
    "syslog": {
        "type": "dict",
        "options": {
            "port": {"type": "int"},
            "transport": {"type": "str", "choices": ["udp_unencrypted", "tcp_unencrypted"]},
            "format": {
                "type": "dict",
                "options": {
                    "message": {"type": "str", "choices": ["legacy_netapp", "rfc_5424"]},
                    "timestamp_override": {
                        "type": "str",
                        "choices": [
                            "no_override",
                            "rfc_3164",
                            "iso_8601_local_time",
                            "iso_8601_utc",
                        ],
                    },
                },
            },
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
