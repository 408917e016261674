#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: refused_initiator_info
short_description: Read about refused initiator objects
version_added: 0.1.0
description:
  - 'Initiators and NVMe hosts that tried to log in and were refused: those that no igroup
    or subsystem allows there, and those whose CHAP secret is wrong. The array keeps the last
    256 for a week, and each no longer than until it is allowed. They chose their names themselves,
    but for ports of Fibre Channel, which stay where they are refused and are counted when
    they come; of those a driver in target mode (qla2xxx, efct) need not tell. Of iSCSI''s
    failed authentication the kernel tells the target alone, and if several fail within 5
    seconds the last of them; of NVMe''s it tells nothing.'
  - It reads C(/api/protocols/san/refused-initiators).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about refused initiator objects
  sanstone.array.refused_initiator_info:
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
      description: The SVM at whose door it knocked.
      returned: where it has a value
      type: dict
    uuid:
      description: Identity of the record.
      returned: where it has a value
      type: str
    initiator:
      description: Fields of initiator.
      type: dict
      contains:
        name:
          description: What it calls itself.
          returned: where it has a value
          type: str
        address:
          description: Where it is; NVMe hosts are known by name alone, and so may others
            be.
          returned: where it has a value
          type: str
    transport_protocol:
      description: How it came.
      returned: where it has a value
      type: str
    interface:
      description: Fields of interface.
      type: dict
      contains:
        name:
          description: Interface at which it knocked, where that is known.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the interface.
          returned: where it has a value
          type: str
        wwpn:
          description: World wide name of a Fibre Channel interface.
          returned: where it has a value
          type: str
    subsystem:
      description: The subsystem that it asked for, by NVMe.
      returned: where it has a value
      type: dict
    reason:
      description: Why it was refused.
      returned: where it has a value
      type: str
    count:
      description: How many times.
      returned: where it has a value
      type: int
    first_time:
      description: When first.
      returned: where it has a value
      type: str
    last_time:
      description: When last.
      returned: where it has a value
      type: str
    message:
      description: Why, and what helps, in words.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/refused-initiators")


if __name__ == "__main__":
    main()
