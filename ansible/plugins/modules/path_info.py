#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: path_info
short_description: Read about path objects
version_added: 0.1.0
description:
  - 'Paths of hosts over all transports: from the host by its initiator to an interface of
    an SVM, and to what igroups and subsystems show it there. A path is V(connected); V(lost)
    since the host was logged in last; V(lif_down) while its interface is; V(not_served) while
    the SVM or its service is down; and V(never) if the host may log in and has not been seen.
    Hosts that knock and are not allowed are in V(protocols/san/refused-initiators). Logins
    are looked at every 5 seconds. What the configuration takes away is gone, and not lost.'
  - It reads C(/api/protocols/san/paths).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about path objects
  sanstone.array.path_info:
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
      description: Identity of the path.
      returned: where it has a value
      type: str
    host:
      description: Fields of host.
      type: dict
      contains:
        name:
          description: Comment or alias of the host, else its IQN or NQN.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the host in V(protocols/san/hosts).
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
        addresses:
          description: 'Where it is, or was when it was seen last: by FCP its address in the
            fabric.'
          returned: where it has a value
          type: list
          elements: str
    transport_protocol:
      description: How it comes.
      returned: where it has a value
      type: str
    interface:
      description: Fields of interface.
      type: dict
      contains:
        name:
          description: Interface.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the interface.
          returned: where it has a value
          type: str
        ip:
          description: Fields of ip.
          type: dict
          contains:
            address:
              description: Address of a LIF.
              returned: where it has a value
              type: str
        wwpn:
          description: World wide name of a Fibre Channel interface.
          returned: where it has a value
          type: str
        state:
          description: Whether the interface can be reached.
          returned: where it has a value
          type: str
        mtu:
          description: The MTU of the LIF's port, in bytes, when V(mtu) was looked for.
          returned: where it has a value
          type: int
    igroups:
      description: The igroups whose LUNs it shows.
      returned: where it has a value
      type: list
      elements: dict
    subsystem:
      description: The subsystem that it leads to.
      returned: where it has a value
      type: dict
    device_count:
      description: LUNs or namespaces that the host reaches by it.
      returned: where it has a value
      type: int
    luns:
      description: The LUNs.
      returned: where it has a value
      type: list
      elements: dict
    namespaces:
      description: The namespaces.
      returned: where it has a value
      type: list
      elements: dict
    state:
      description: How it is.
      returned: where it has a value
      type: str
    since:
      description: Since when, where that is known.
      returned: where it has a value
      type: str
    mtu:
      description: Bytes of the largest packet that was seen to pass between LIF and host,
        uncut. It is looked for at logins and every 10 minutes, by echoes, where the MTU of
        the LIF's port is over 1500, up to that. V(null) where it is not, or where the host
        answers no echo.
      returned: where it has a value
      type: int
    message:
      description: What the state means, in words.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/paths")


if __name__ == "__main__":
    main()
