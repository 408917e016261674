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
  - Destinations are syslog servers, mail addresses and web servers that are told of events,
    each of what its filters say.
  - Its options are the fields of C(/api/support/ems/destinations), nested as they are there.
    What is not given is left as it is.
options:
  name:
    description:
      - Name of the destination.
    type: str
    required: true
  type:
    description:
      - 'Kind of destination: a syslog server, a mail address, a web server that is sent each
        event by POST, as JSON, or, not to be created, all SNMP trap hosts.'
    type: str
    choices:
      - syslog
      - email
      - rest_api
      - snmp
  destination:
    description:
      - 'Host name or IP address of the syslog server, mail address, or URL of the web server;
        the trap hosts. Servers are other machines: none at an address of the array''s own,
        or at one that is link-local, is told.'
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
          - Port; 514 for UDP, 601 for TCP and 6514 for TLS unless given.
        type: int
      transport:
        description:
          - How it is told, by UDP unless given; TCP notices when nobody listens, and by TLS
            (V(tcp_encrypted)) nobody else reads it.
        type: str
        choices:
          - udp_unencrypted
          - tcp_unencrypted
          - tcp_encrypted
      format:
        description:
          - Fields of format.
        type: dict
        suboptions:
          message:
            description:
              - 'Form of a message: ONTAP''s own, which is used unless given, or that of RFC
                5424.'
            type: str
            choices:
              - legacy_netapp
              - rfc_5424
          timestamp_override:
            description:
              - Form of the time; else RFC 3164's in ONTAP's form, ISO 8601's in RFC 5424's.
            type: str
            choices:
              - no_override
              - rfc_3164
              - iso_8601_local_time
              - iso_8601_utc
  certificate:
    description:
      - Fields of certificate.
    type: dict
    suboptions:
      name:
        description:
          - Certificate of type V(client) by which the array logs in at a server that it tells
            by TLS; none for no such login.
        type: str
      serial_number:
        description:
          - The same by its serial number, together with V(certificate.ca).
        type: str
      ca:
        description:
          - Common name of the authority that signed it.
        type: str
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
    type: syslog
    destination: 192.0.2.7
    filters:
      - grave
    syslog:
      port: 6514
      transport: tcp_unencrypted

- name: Mail what is grave
  sanstone.array.ems_destination:
    name: administrators
    type: email
    destination: storage@example.org
    filters:
      - grave

- name: Send nothing any more
  sanstone.array.ems_destination:
    name: logs
    state: absent

- name: Mail nothing any more
  sanstone.array.ems_destination:
    name: administrators
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
    fields={
        "name": "name",
        "type": "type",
        "destination": "destination",
        "filters": "filters",
        "syslog": "syslog",
        "certificate": "certificate",
    },
    at_first=frozenset(["name", "type"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "type": {"type": "str", "choices": ["syslog", "email", "rest_api", "snmp"]},
    "destination": {"type": "str"},
    "filters": {"type": "list", "elements": "str"},
    "syslog": {
        "type": "dict",
        "options": {
            "port": {"type": "int"},
            "transport": {
                "type": "str",
                "choices": ["udp_unencrypted", "tcp_unencrypted", "tcp_encrypted"],
            },
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
    "certificate": {
        "type": "dict",
        "options": {
            "name": {"type": "str"},
            "serial_number": {"type": "str"},
            "ca": {"type": "str"},
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
