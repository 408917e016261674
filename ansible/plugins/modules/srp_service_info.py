#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: srp_service_info
short_description: Read about SRP service objects
version_added: 0.1.0
description:
  - The SRP service of an SVM, which serves its LUNs by SRP at LIFs whose service policy is
    V(default-data-srp), one at each Ethernet port.
  - It reads C(/api/protocols/san/srp/services).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about SRP service objects
  sanstone.array.srp_service_info:
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
    enabled:
      description: Whether initiators may log in.
      returned: where it has a value
      type: bool
    state:
      description: 'Whether hosts reach it: at one LIF at least.'
      returned: where it has a value
      type: str
    target:
      description: Fields of target.
      type: dict
      contains:
        name:
          description: Identifier by which hosts ask for the array's SRP targets, their V(id_ext)
            and V(ioc_guid). It is known once a LIF offers SRP.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/srp/services")


if __name__ == "__main__":
    main()
