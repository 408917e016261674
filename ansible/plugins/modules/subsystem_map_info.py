#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: subsystem_map_info
short_description: Read about subsystem map objects
version_added: 0.1.0
description:
  - Subsystem maps show a namespace to the hosts of a subsystem.
  - It reads C(/api/protocols/nvme/subsystem-maps).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about subsystem map objects
  sanstone.array.subsystem_map_info:
    filter:
      svm.name: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    subsystem:
      description: The subsystem.
      returned: where it has a value
      type: dict
    namespace:
      description: The namespace.
      returned: where it has a value
      type: dict
    nsid:
      description: Namespace id.
      returned: where it has a value
      type: str
    anagrpid:
      description: ANA group.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/nvme/subsystem-maps")


if __name__ == "__main__":
    main()
