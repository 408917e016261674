#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: software_info
short_description: Read about the array's software
version_added: 0.1.0
description:
  - The release that the array runs. Giving another V(version), whose package was downloaded,
    writes it to the other system slot and reboots into it. Giving the one to which the array
    V(can_go_back), by V(cluster/software/images), reboots into it as it is. A package that
    is older than what has served here is refused, unless the rescue entry of a medium has
    it accepted.
  - It reads C(/api/cluster/software).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about software objects
  sanstone.array.software_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    nodes:
      description: The node.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the node.
          returned: where it has a value
          type: str
    state:
      description: How the last update goes, or went; absent while there was none.
      returned: where it has a value
      type: str
    pending_version:
      description: Release that is being installed.
      returned: where it has a value
      type: str
    elapsed_duration:
      description: Seconds it took so far.
      returned: where it has a value
      type: int
    status_details:
      description: The last update.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        state:
          description: How it goes.
          returned: where it has a value
          type: str
        start_time:
          description: When it began.
          returned: where it has a value
          type: str
        end_time:
          description: When it ended.
          returned: where it has a value
          type: str
        issue:
          description: Fields of issue.
          type: dict
          contains:
            message:
              description: How it goes, in words.
              returned: where it has a value
              type: str
            code:
              description: 0, or the error's code.
              returned: where it has a value
              type: int
        node:
          description: Fields of node.
          type: dict
          contains:
            name:
              description: The node.
              returned: where it has a value
              type: str
    update_details:
      description: The last update by its parts, of which there is one.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        state:
          description: How it goes.
          returned: where it has a value
          type: str
        elapsed_duration:
          description: Seconds so far.
          returned: where it has a value
          type: int
        node:
          description: Fields of node.
          type: dict
          contains:
            name:
              description: The node.
              returned: where it has a value
              type: str
    validation_results:
      description: What the last validation found.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        status:
          description: Whether it may be installed.
          returned: where it has a value
          type: str
        issue:
          description: Fields of issue.
          type: dict
          contains:
            message:
              description: What is wrong.
              returned: where it has a value
              type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("cluster/software", single=True)


if __name__ == "__main__":
    main()
