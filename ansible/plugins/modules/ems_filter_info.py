#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_filter_info
short_description: Read about EMS filter objects
version_added: 0.1.0
description:
  - Filters say by name and severity which events a destination is told of.
  - It reads C(/api/support/ems/filters).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about EMS filter objects
  sanstone.array.ems_filter_info:
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
      description: Name of the filter.
      returned: where it has a value
      type: str
    system_defined:
      description: Whether every array has it; such never change.
      returned: where it has a value
      type: bool
    rules:
      description: Its rules; the first that an event fits decides, and what fits none is
        excluded.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        index:
          description: Place among the rules, from 1; the end when not given.
          returned: where it has a value
          type: int
        type:
          description: What becomes of an event that fits.
          returned: where it has a value
          type: str
        message_criteria:
          description: Fields of message_criteria.
          type: dict
          contains:
            name_pattern:
              description: Names of events that fit.
              returned: where it has a value
              type: str
            severities:
              description: Severities of events that fit, between commas.
              returned: where it has a value
              type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/ems/filters")


if __name__ == "__main__":
    main()
