#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: subsystem_info
short_description: Read about subsystem objects
version_added: 0.1.0
description:
  - NVMe subsystems show namespaces to the hosts they admit.
  - It reads C(/api/protocols/nvme/subsystems).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about subsystem objects
  sanstone.array.subsystem_info:
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
      description: Identity of the subsystem.
      returned: where it has a value
      type: str
    name:
      description: Name within the SVM; part of the NQN.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    os_type:
      description: System of the hosts.
      returned: where it has a value
      type: str
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    delete_on_unmap:
      description: Whether it is deleted with its last map.
      returned: where it has a value
      type: bool
    target_nqn:
      description: NQN that hosts connect to.
      returned: where it has a value
      type: str
    serial_number:
      description: Serial number that hosts see.
      returned: where it has a value
      type: str
    hosts:
      description: Hosts it admits.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        nqn:
          description: NQN of the host.
          returned: where it has a value
          type: str
        priority:
          description: Priority of the host; kept, without effect.
          returned: where it has a value
          type: str
        dh_hmac_chap:
          description: Fields of dh_hmac_chap.
          type: dict
          contains:
            mode:
              description: 'Who proves its identity: nobody, the host, or both.'
              returned: where it has a value
              type: str
            hash_function:
              description: Hash of the exchange; sha_256 when not given.
              returned: where it has a value
              type: str
            group_size:
              description: Diffie-Hellman group of the exchange; 2048_bit when not given.
              returned: where it has a value
              type: str
        tls:
          description: Fields of tls.
          type: dict
          contains:
            key_type:
              description: 'Whether the host needs TLS 1.3: none lets it in without, configured
                by its key alone.'
              returned: where it has a value
              type: str
    subsystem_maps:
      description: Namespaces it shows.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        nsid:
          description: Namespace id.
          returned: where it has a value
          type: str
        anagrpid:
          description: ANA group.
          returned: where it has a value
          type: str
        namespace:
          description: Fields of namespace.
          type: dict
          contains:
            name:
              description: Path.
              returned: where it has a value
              type: str
            uuid:
              description: Identity of the namespace.
              returned: where it has a value
              type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/nvme/subsystems")


if __name__ == "__main__":
    main()
