#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: service_policy_info
short_description: Read about service policy objects
version_added: 0.1.0
description:
  - Service policies say what network interfaces serve; all are built in.
  - It reads C(/api/network/ip/service-policies).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about service policy objects
  sanstone.array.service_policy_info:
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
      description: Identity of the policy.
      returned: where it has a value
      type: str
    name:
      description: Name of the policy.
      returned: where it has a value
      type: str
    svm:
      description: The SVM whose interfaces may have it.
      returned: where it has a value
      type: dict
    scope:
      description: Whether it is an SVM's or the array's.
      returned: where it has a value
      type: str
    services:
      description: What is served.
      returned: where it has a value
      type: list
      elements: str
    ipspace:
      description: Fields of ipspace.
      type: dict
      contains:
        name:
          description: IPspace; there is one.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the IPspace.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("network/ip/service-policies")


if __name__ == "__main__":
    main()
