#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: iscsi_isns_info
short_description: Read about iSCSI iSNS objects
version_added: 0.1.0
description:
  - An iSNS server tells hosts which iSCSI targets there are, and where. The target of an
    SVM is registered there with its portals and their portal groups, from a LIF of the SVM
    over TCP at port 3205, while the iSCSI service runs; again every 5 minutes, and at once
    when a LIF comes or goes. What is switched off or deleted is taken back, or forgotten
    by the server after 15 minutes if that cannot be reached.
  - It reads C(/api/protocols/san/iscsi/isns).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about iSCSI iSNS objects
  sanstone.array.iscsi_isns_info:
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
    address:
      description: Address of the server.
      returned: where it has a value
      type: str
    enabled:
      description: Whether to register.
      returned: where it has a value
      type: bool
    entity_id:
      description: The name by which the server knows what the SVM registers.
      returned: where it has a value
      type: str
    state:
      description: Whether the target is registered, or will soon be; or why not, in V(message).
      returned: where it has a value
      type: str
    message:
      description: Why it could not be registered.
      returned: where it has a value
      type: str
    last_registration_time:
      description: When the server took the registration last.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/iscsi/isns")


if __name__ == "__main__":
    main()
