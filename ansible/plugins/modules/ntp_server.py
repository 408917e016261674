#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ntp_server
short_description: Make, change and remove the array's NTP server objects
version_added: 0.1.0
description:
  - NTP servers tell the array the time, instead of those that DHCP names.
  - Its options are the fields of C(/api/cluster/ntp/servers), nested as they are there. What
    is not given is left as it is.
options:
  server:
    description:
      - Host name or IP address.
    type: str
    required: true
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.ntp_server_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Take the time from a server
  sanstone.array.ntp_server:
    server: ntp.example.org

- name: Ask a server no more
  sanstone.array.ntp_server:
    server: ntp.example.org
    state: absent
"""

RETURN = r"""
record:
  description: The NTP server as the array shows it afterwards, in check mode before the change.
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
    path="cluster/ntp/servers",
    noun="ntp server",
    identity={"server": "server"},
    fields={"server": "server"},
    at_first=frozenset(["server"]),
)
OPTIONS = {"server": {"type": "str", "required": True}}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
