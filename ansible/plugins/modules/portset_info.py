#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: portset_info
short_description: Read about portset objects
version_added: 0.1.0
description:
  - Portsets are sets of interfaces; an igroup that is bound to one is served only there.
  - It reads C(/api/protocols/san/portsets).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about portset objects
  sanstone.array.portset_info:
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
    uuid:
      description: Identity of the portset.
      returned: where it has a value
      type: str
    name:
      description: Name within the SVM.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    protocol:
      description: What its interfaces serve.
      returned: where it has a value
      type: str
    interfaces:
      description: The interfaces.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        uuid:
          description: Identity of the interface.
          returned: where it has a value
          type: str
        ip:
          description: The interface, if it is a LIF.
          returned: where it has a value
          type: dict
        fc:
          description: The interface, if it is a Fibre Channel interface.
          returned: where it has a value
          type: dict
    igroups:
      description: Igroups that are bound to it.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the igroup.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the igroup.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/portsets")


if __name__ == "__main__":
    main()
