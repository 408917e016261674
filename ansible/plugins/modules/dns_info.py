#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_info
short_description: Read about DNS objects
version_added: 0.1.0
description:
  - 'The DNS servers that the array asks. Those of an SVM are kept and have no effect: SVMs
    look up no names.'
  - It reads C(/api/name-services/dns).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about DNS objects
  sanstone.array.dns_info:
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
      description: Identity of whose it is.
      returned: where it has a value
      type: str
    svm:
      description: 'Whose it is: the array''s, which is named here as an SVM would be, or
        an SVM''s.'
      returned: where it has a value
      type: dict
    scope:
      description: Whose it is.
      returned: where it has a value
      type: str
    domains:
      description: Domains in which a host name without a dot is looked for, in this order.
      returned: where it has a value
      type: list
      elements: str
    servers:
      description: Addresses of the DNS servers that are asked first, in this order, before
        DHCP's.
      returned: where it has a value
      type: list
      elements: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("name-services/dns")


if __name__ == "__main__":
    main()
