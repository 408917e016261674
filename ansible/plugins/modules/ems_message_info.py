#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_message_info
short_description: Read about EMS message objects
version_added: 0.1.0
description:
  - The kinds of events that the array raises, with what to do about each.
  - It reads C(/api/support/ems/messages).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about EMS message objects
  sanstone.array.ems_message_info:
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
      description: Name of the kind.
      returned: where it has a value
      type: str
    name_pattern:
      description: What V(message.name) of an event of this kind fits.
      returned: where it has a value
      type: str
    severity:
      description: How grave it is at worst.
      returned: where it has a value
      type: str
    description:
      description: What it means.
      returned: where it has a value
      type: str
    corrective_action:
      description: What to do about it.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/ems/messages")


if __name__ == "__main__":
    main()
