#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ntp_server_info
short_description: Read about NTP server objects
version_added: 0.1.0
description:
  - NTP servers tell the array the time, instead of those that DHCP names.
  - It reads C(/api/cluster/ntp/servers).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about NTP server objects
  sanstone.array.ntp_server_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    server:
      description: Host name or IP address.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("cluster/ntp/servers")


if __name__ == "__main__":
    main()
