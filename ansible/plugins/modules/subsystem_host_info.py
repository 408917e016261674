#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: subsystem_host_info
short_description: Read about subsystem host objects
version_added: 0.1.0
description:
  - The hosts that one NVMe subsystem admits.
  - It reads C(/api/protocols/nvme/subsystems/{subsystem.uuid}/hosts).
options:
  subsystem:
    description:
      - The subsystem that it belongs to.
    type: str
    required: true
  svm:
    description:
      - The SVM of the subsystem.
    type: str
    required: true
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about subsystem host objects
  sanstone.array.subsystem_host_info:
    subsystem: subsystem1
    svm: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    subsystem:
      description: The subsystem.
      returned: where it has a value
      type: dict
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
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run(
        "protocols/nvme/subsystems/{subsystem.uuid}/hosts",
        parents=(
            Parent(
                "subsystem.uuid",
                "protocols/nvme/subsystems",
                {"svm.name": "svm", "name": "subsystem"},
            ),
        ),
        options={
            "subsystem": {"type": "str", "required": True},
            "svm": {"type": "str", "required": True},
        },
    )


if __name__ == "__main__":
    main()
