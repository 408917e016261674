#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: certificate_info
short_description: Read about certificate objects
version_added: 0.1.0
description:
  - 'Certificates of the array''s web server, those by which the array logs in to other servers,
    and authorities: its own that sign, and those by which it believes servers and clients.'
  - It reads C(/api/security/certificates).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about certificate objects
  sanstone.array.certificate_info:
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
      description: Identity of the certificate.
      returned: where it has a value
      type: str
    name:
      description: Name; made of the common name and the serial number unless given.
      returned: where it has a value
      type: str
    type:
      description: 'What it is for: V(server) for the array''s web server, V(client) where
        the array logs in to another server, V(root_ca) to sign requests, V(server_ca) to
        believe other servers, V(client_ca) to believe clients, whose certificates are the
        logins of accounts.'
      returned: where it has a value
      type: str
    common_name:
      description: Name of whom it is for; needed for one that is made here.
      returned: where it has a value
      type: str
    expiry_time:
      description: When it ends, or for how long one is made; a year unless given.
      returned: where it has a value
      type: str
    hash_function:
      description: Hash that is signed.
      returned: where it has a value
      type: str
    key_size:
      description: 'Bits of the key: 256, 384 or 521 on a curve, 2048, 3072 or 4096 with RSA.'
      returned: where it has a value
      type: int
    subject_alternatives:
      description: Fields of subject_alternatives.
      type: dict
      contains:
        dns:
          description: DNS names that it is good for.
          returned: where it has a value
          type: list
          elements: str
        ip:
          description: IP addresses that it is good for.
          returned: where it has a value
          type: list
          elements: str
    public_certificate:
      description: The certificate in PEM.
      returned: where it has a value
      type: str
    intermediate_certificates:
      description: Certificates between it and its authority, in PEM.
      returned: where it has a value
      type: list
      elements: str
    ca:
      description: Common name of the authority that signed it.
      returned: where it has a value
      type: str
    serial_number:
      description: Serial number.
      returned: where it has a value
      type: str
    subject_key_identifier:
      description: Identifier of its key.
      returned: where it has a value
      type: str
    authority_key_identifier:
      description: Identifier of the key that signed it.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/certificates")


if __name__ == "__main__":
    main()
