#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_configuration_info
short_description: Read about the array's EMS configuration
version_added: 0.1.0
description:
  - The mail server by which events are mailed, and the proxy by which web servers are told.
  - It reads C(/api/support/ems).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about EMS configuration objects
  sanstone.array.ems_configuration_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    mail_from:
      description: Sender of the mails; needed for destinations by mail.
      returned: where it has a value
      type: str
    mail_server:
      description: Host name or IP address of the mail server; needed for destinations by
        mail.
      returned: where it has a value
      type: str
    mail_server_encryption:
      description: 'How the mail server is spoken to: unencrypted, by TLS after STARTTLS,
        or by TLS from the first byte on. Unless given, STARTTLS where there is a user, else
        unencrypted. With TLS the server must prove its name by a certificate that an authority
        has signed which is generally known or installed as V(server_ca).'
      returned: where it has a value
      type: str
    mail_server_port:
      description: Its port; 25, with STARTTLS 587, with TLS 465 unless given.
      returned: where it has a value
      type: int
    mail_server_user:
      description: Name by which the array logs in at the mail server; none for no login.
      returned: where it has a value
      type: str
    proxy_url:
      description: Proxy by which destinations of type V(rest_api) are told; none for no proxy.
      returned: where it has a value
      type: str
    proxy_user:
      description: Name by which the array logs in at the proxy; none for no login.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/ems", single=True)


if __name__ == "__main__":
    main()
