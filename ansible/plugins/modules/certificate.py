#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: certificate
short_description: Make, change and remove the array's certificate objects
version_added: 0.1.0
description:
  - 'Certificates of the array''s web server, those by which the array logs in to other servers,
    and authorities: its own that sign, and those by which it believes servers and clients.'
  - Its options are the fields of C(/api/security/certificates), nested as they are there.
    What is not given is left as it is.
options:
  name:
    description:
      - Name; made of the common name and the serial number unless given.
    type: str
    required: true
  type:
    description:
      - 'What it is for: V(server) for the array''s web server, V(client) where the array
        logs in to another server, V(root_ca) to sign requests, V(server_ca) to believe other
        servers, V(client_ca) to believe clients, whose certificates are the logins of accounts.'
    type: str
    choices:
      - server
      - root_ca
      - client
      - server_ca
      - client_ca
  common_name:
    description:
      - Name of whom it is for; needed for one that is made here.
    type: str
  expiry_time:
    description:
      - When it ends, or for how long one is made; a year unless given.
    type: str
  hash_function:
    description:
      - Hash that is signed.
    type: str
    choices:
      - sha256
      - sha384
      - sha512
  key_size:
    description:
      - 'Bits of the key: 256, 384 or 521 on a curve, 2048, 3072 or 4096 with RSA.'
    type: int
  subject_alternatives:
    description:
      - Fields of subject_alternatives.
    type: dict
    suboptions:
      dns:
        description:
          - DNS names that it is good for.
        type: list
        elements: str
      ip:
        description:
          - IP addresses that it is good for.
        type: list
        elements: str
  public_certificate:
    description:
      - The certificate in PEM.
    type: str
  intermediate_certificates:
    description:
      - Certificates between it and its authority, in PEM.
    type: list
    elements: str
  private_key:
    description:
      - Its key in PEM.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.certificate_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make the array a certificate of its own
  sanstone.array.certificate:
    name: web
    type: server
    common_name: array.example.org
    expiry_time: P365D
    subject_alternatives:
      dns:
        - array.example.org

- name: Make an authority for certificates
  sanstone.array.certificate:
    name: authority
    type: root_ca
    common_name: Our authority

- name: Remove a certificate
  sanstone.array.certificate:
    name: authority
    state: absent
"""

RETURN = r"""
record:
  description: The certificate as the array shows it afterwards, in check mode before the
    change.
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="security/certificates",
    noun="certificate",
    identity={"name": "name"},
    fields={
        "name": "name",
        "type": "type",
        "common_name": "common_name",
        "expiry_time": "expiry_time",
        "hash_function": "hash_function",
        "key_size": "key_size",
        "subject_alternatives": "subject_alternatives",
        "public_certificate": "public_certificate",
        "intermediate_certificates": "intermediate_certificates",
        "private_key": "private_key",
    },
    new_name="name",
    at_first=frozenset(
        [
            "common_name",
            "expiry_time",
            "hash_function",
            "intermediate_certificates",
            "key_size",
            "private_key",
            "public_certificate",
            "subject_alternatives.dns",
            "subject_alternatives.ip",
            "type",
        ]
    ),
    unlike=frozenset(["expiry_time"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "type": {"type": "str", "choices": ["server", "root_ca", "client", "server_ca", "client_ca"]},
    "common_name": {"type": "str"},
    "expiry_time": {"type": "str"},
    "hash_function": {"type": "str", "choices": ["sha256", "sha384", "sha512"]},
    "key_size": {"type": "int", "no_log": False},
    "subject_alternatives": {
        "type": "dict",
        "options": {
            "dns": {"type": "list", "elements": "str"},
            "ip": {"type": "list", "elements": "str"},
        },
    },
    "public_certificate": {"type": "str"},
    "intermediate_certificates": {"type": "list", "elements": "str"},
    "private_key": {"type": "str", "no_log": True},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
