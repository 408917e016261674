#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: host_info
short_description: Read about host objects
version_added: 0.1.0
description:
  - Hosts are the initiators and NVMe hosts that igroups and subsystems of an SVM name. A
    host is V(connected); V(degraded) if it is connected by some paths and has lost others;
    V(lost) if it has lost all of them; V(not_served) while the SVM or its service is down;
    and V(never) if it was not seen. Their paths are in V(protocols/san/paths). Those in the
    worst state come first.
  - It reads C(/api/protocols/san/hosts).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about host objects
  sanstone.array.host_info:
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
      description: The SVM.
      returned: where it has a value
      type: dict
    uuid:
      description: Identity of the host.
      returned: where it has a value
      type: str
    name:
      description: Its comment or alias, else its IQN, NQN or WWPN.
      returned: where it has a value
      type: str
    initiator:
      description: Fields of initiator.
      type: dict
      contains:
        name:
          description: IQN, NQN or WWPN of the host.
          returned: where it has a value
          type: str
    state:
      description: How its paths are, taken together.
      returned: where it has a value
      type: str
    since:
      description: When the last path was lost, where that is known.
      returned: where it has a value
      type: str
    transport_protocols:
      description: How it comes.
      returned: where it has a value
      type: list
      elements: str
    addresses:
      description: Where it is, or was when it was seen last.
      returned: where it has a value
      type: list
      elements: str
    igroups:
      description: The igroups whose LUNs it sees.
      returned: where it has a value
      type: list
      elements: dict
    subsystems:
      description: The subsystems that list it.
      returned: where it has a value
      type: list
      elements: dict
    paths:
      description: Fields of paths.
      type: dict
      contains:
        total:
          description: Its paths.
          returned: where it has a value
          type: int
        connected:
          description: Those by which it is logged in.
          returned: where it has a value
          type: int
        lost:
          description: Those that it had and has no more.
          returned: where it has a value
          type: int
        narrow:
          description: Those on which packets of the MTU of the LIF's port do not pass.
          returned: where it has a value
          type: int
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/hosts")


if __name__ == "__main__":
    main()
