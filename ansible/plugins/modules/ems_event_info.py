#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_event_info
short_description: Read about EMS event objects
version_added: 0.1.0
description:
  - Events tell what an administrator should know; one that lasts has an event at its end.
  - It reads C(/api/support/ems/events).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about EMS event objects
  sanstone.array.ems_event_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    index:
      description: Number of the event; a later one's is higher.
      returned: where it has a value
      type: int
    time:
      description: When it happened.
      returned: where it has a value
      type: str
    message:
      description: Fields of message.
      type: dict
      contains:
        name:
          description: Name of the kind of event.
          returned: where it has a value
          type: str
        severity:
          description: How grave it is.
          returned: where it has a value
          type: str
    log_message:
      description: What happened, in words.
      returned: where it has a value
      type: str
    active:
      description: Whether what it reports lasts.
      returned: where it has a value
      type: bool
    object:
      description: Fields of object.
      type: dict
      contains:
        path:
          description: Resource of the object concerned.
          returned: where it has a value
          type: str
        key:
          description: Key of the object, mostly its UUID.
          returned: where it has a value
          type: str
    corrective_action:
      description: What to do about it.
      returned: where it has a value
      type: str
    acknowledged:
      description: Fields of acknowledged.
      type: dict
      contains:
        state:
          description: Whether somebody has seen it.
          returned: where it has a value
          type: bool
        user:
          description: Who.
          returned: where it has a value
          type: str
        time:
          description: When.
          returned: where it has a value
          type: str
    node:
      description: Fields of node.
      type: dict
      contains:
        name:
          description: Name of the node.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the node.
          returned: where it has a value
          type: str
    parameters:
      description: The variable parts of the message.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name.
          returned: where it has a value
          type: str
        value:
          description: Value.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/ems/events")


if __name__ == "__main__":
    main()
