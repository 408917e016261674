#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: subsystem
short_description: Make, change and remove the array's subsystem objects
version_added: 0.1.0
description:
  - NVMe subsystems show namespaces to the hosts they admit.
  - Its options are the fields of C(/api/protocols/nvme/subsystems), nested as they are there.
    What is not given is left as it is.
options:
  name:
    description:
      - Name within the SVM; part of the NQN.
    type: str
    required: true
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  os_type:
    description:
      - System of the hosts.
    type: str
    choices:
      - aix
      - hyper_v
      - linux
      - vmware
      - windows
      - xen
  comment:
    description:
      - Comment.
    type: str
  delete_on_unmap:
    description:
      - Whether it is deleted with its last map. The array's default is V(false).
    type: bool
  hosts:
    description:
      - Hosts it admits.
    type: list
    elements: dict
    suboptions:
      nqn:
        description:
          - NQN of the host.
        type: str
        required: true
      priority:
        description:
          - Priority of the host; kept, without effect.
        type: str
        choices:
          - regular
          - high
      dh_hmac_chap:
        description:
          - Fields of dh_hmac_chap.
        type: dict
        suboptions:
          hash_function:
            description:
              - Hash of the exchange; sha_256 when not given.
            type: str
            choices:
              - sha_256
              - sha_512
          group_size:
            description:
              - Diffie-Hellman group of the exchange; 2048_bit when not given.
            type: str
            choices:
              - none
              - 2048_bit
              - 3072_bit
              - 4096_bit
              - 6144_bit
              - 8192_bit
          host_secret_key:
            description:
              - Secret with which the host proves its identity; taken, never shown.
            type: str
          controller_secret_key:
            description:
              - Secret with which the controller proves its identity; taken, never shown.
            type: str
      tls:
        description:
          - Fields of tls.
        type: dict
        suboptions:
          key_type:
            description:
              - 'Whether the host needs TLS 1.3: none lets it in without, configured by its
                key alone.'
            type: str
            choices:
              - none
              - configured
          configured_psk:
            description:
              - Key of host and array for TLS, as nvme gen-tls-key makes it; taken, never
                shown.
            type: str
  allow_delete_while_mapped:
    description:
      - Whether it may be deleted with namespaces mapped.
    type: bool
  allow_delete_with_hosts:
    description:
      - Whether it may be deleted with hosts.
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.secrets
seealso:
  - module: sanstone.array.subsystem_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make a subsystem for a host
  sanstone.array.subsystem:
    svm: svm1
    name: host1
    os_type: linux
    hosts:
      - nqn: nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5

- name: Remove a subsystem with its hosts
  sanstone.array.subsystem:
    svm: svm1
    name: host1
    allow_delete_with_hosts: true
    state: absent
"""

RETURN = r"""
record:
  description: The subsystem as the array shows it afterwards, in check mode before the change.
  returned: when it exists, or shall exist
  type: dict
hosts:
  description: Hosts that are connected now to what would change.
  returned: in check mode, when something would change
  type: list
  elements: dict
  sample:
    - protocol: iscsi
      name: iqn.1994-05.com.example:host1
job:
  description: UUID of the job that works on the change.
  returned: with O(wait=false), when the array has not ended it at once
  type: str
code:
  description: ONTAP's code of the error.
  returned: when the array refuses
  type: str
  sample: '262197'
target:
  description: The field at fault.
  returned: when the array refuses, where it is one
  type: str
status:
  description: HTTP's status of the answer.
  returned: when the array refuses
  type: int
  sample: 409
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Members, Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="protocols/nvme/subsystems",
    noun="subsystem",
    identity={"svm.name": "svm", "name": "name"},
    fields={
        "name": "name",
        "svm": "svm",
        "os_type": "os_type",
        "comment": "comment",
        "delete_on_unmap": "delete_on_unmap",
        "hosts": "hosts",
    },
    at_first=frozenset(["name", "os_type", "svm"]),
    secrets=frozenset(
        [
            "hosts.dh_hmac_chap.controller_secret_key",
            "hosts.dh_hmac_chap.host_secret_key",
            "hosts.tls.configured_psk",
        ]
    ),
    lists={"hosts": Members("hosts", ("nqn",))},
    switches=("allow_delete_while_mapped", "allow_delete_with_hosts"),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "os_type": {"type": "str", "choices": ["aix", "hyper_v", "linux", "vmware", "windows", "xen"]},
    "comment": {"type": "str"},
    "delete_on_unmap": {"type": "bool"},
    "hosts": {
        "type": "list",
        "elements": "dict",
        "options": {
            "nqn": {"type": "str", "required": True},
            "priority": {"type": "str", "choices": ["regular", "high"]},
            "dh_hmac_chap": {
                "type": "dict",
                "options": {
                    "hash_function": {"type": "str", "choices": ["sha_256", "sha_512"]},
                    "group_size": {
                        "type": "str",
                        "choices": [
                            "none",
                            "2048_bit",
                            "3072_bit",
                            "4096_bit",
                            "6144_bit",
                            "8192_bit",
                        ],
                    },
                    "host_secret_key": {"type": "str", "no_log": True},
                    "controller_secret_key": {"type": "str", "no_log": True},
                },
            },
            "tls": {
                "type": "dict",
                "options": {
                    "key_type": {"type": "str", "choices": ["none", "configured"], "no_log": False},
                    "configured_psk": {"type": "str", "no_log": True},
                },
            },
        },
    },
    "allow_delete_while_mapped": {"type": "bool"},
    "allow_delete_with_hosts": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
