#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_destination_info
short_description: Read about EMS destination objects
version_added: 0.1.0
description:
  - Destinations are syslog servers, mail addresses and web servers that are told of events,
    each of what its filters say.
  - It reads C(/api/support/ems/destinations).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about EMS destination objects
  sanstone.array.ems_destination_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: Name of the destination.
      returned: where it has a value
      type: str
    type:
      description: 'Kind of destination: a syslog server, a mail address, a web server that
        is sent each event by POST, as JSON, or, not to be created, all SNMP trap hosts.'
      returned: where it has a value
      type: str
    destination:
      description: 'Host name or IP address of the syslog server, mail address, or URL of
        the web server; the trap hosts. Servers are other machines: none at an address of
        the array''s own, or at one that is link-local, is told.'
      returned: where it has a value
      type: str
    filters:
      description: Filters; it is told of what one of them includes.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the filter.
          returned: where it has a value
          type: str
    syslog:
      description: Fields of syslog.
      type: dict
      contains:
        port:
          description: Port; 514 for UDP, 601 for TCP and 6514 for TLS unless given.
          returned: where it has a value
          type: int
        transport:
          description: How it is told, by UDP unless given; TCP notices when nobody listens,
            and by TLS (V(tcp_encrypted)) nobody else reads it.
          returned: where it has a value
          type: str
        format:
          description: Fields of format.
          type: dict
          contains:
            message:
              description: 'Form of a message: ONTAP''s own, which is used unless given, or
                that of RFC 5424.'
              returned: where it has a value
              type: str
            timestamp_override:
              description: Form of the time; else RFC 3164's in ONTAP's form, ISO 8601's in
                RFC 5424's.
              returned: where it has a value
              type: str
            hostname_override:
              description: 'Form of the node''s name: it is told as it is, without a domain.'
              returned: where it has a value
              type: str
    certificate:
      description: Fields of certificate.
      type: dict
      contains:
        name:
          description: Certificate of type V(client) by which the array logs in at a server
            that it tells by TLS; none for no such login.
          returned: where it has a value
          type: str
        serial_number:
          description: The same by its serial number, together with V(certificate.ca).
          returned: where it has a value
          type: str
        ca:
          description: Common name of the authority that signed it.
          returned: where it has a value
          type: str
    connectivity:
      description: Fields of connectivity.
      type: dict
      contains:
        state:
          description: Whether it could be told of the last event; unknown before the first.
          returned: where it has a value
          type: str
        errors:
          description: Why it cannot be told.
          returned: where it has a value
          type: list
          elements: dict
          contains:
            message:
              description: Fields of message.
              type: dict
              contains:
                message:
                  description: Why not.
                  returned: where it has a value
                  type: str
    system_defined:
      description: Whether it comes and goes with what it stands for, the trap hosts.
      returned: where it has a value
      type: bool
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/ems/destinations")


if __name__ == "__main__":
    main()
