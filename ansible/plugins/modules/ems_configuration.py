#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ems_configuration
short_description: Change the array's EMS configuration
version_added: 0.1.0
description:
  - The mail server by which events are mailed, and the proxy by which web servers are told.
  - Its options are the fields of C(/api/support/ems), nested as they are there. What is not
    given is left as it is.
options:
  mail_from:
    description:
      - Sender of the mails; needed for destinations by mail.
    type: str
  mail_server:
    description:
      - Host name or IP address of the mail server; needed for destinations by mail.
    type: str
  mail_server_encryption:
    description:
      - 'How the mail server is spoken to: unencrypted, by TLS after STARTTLS, or by TLS from
        the first byte on. Unless given, STARTTLS where there is a user, else unencrypted.
        With TLS the server must prove its name by a certificate that an authority has signed
        which is generally known or installed as V(server_ca).'
    type: str
    choices:
      - none
      - starttls
      - tls
  mail_server_port:
    description:
      - Its port; 25, with STARTTLS 587, with TLS 465 unless given.
    type: int
  mail_server_user:
    description:
      - Name by which the array logs in at the mail server; none for no login.
    type: str
  mail_server_password:
    description:
      - Password there.
    type: str
  proxy_url:
    description:
      - Proxy by which destinations of type V(rest_api) are told; none for no proxy.
    type: str
  proxy_user:
    description:
      - Name by which the array logs in at the proxy; none for no login.
    type: str
  proxy_password:
    description:
      - Password there.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
seealso:
  - module: sanstone.array.ems_configuration_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Say by which mail server events are mailed
  sanstone.array.ems_configuration:
    mail_from: array@example.org
    mail_server: mail.example.org
"""

RETURN = r"""
record:
  description: The EMS configuration as the array shows it afterwards, in check mode before
    the change.
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
    path="support/ems",
    noun="ems configuration",
    fields={
        "mail_from": "mail_from",
        "mail_server": "mail_server",
        "mail_server_encryption": "mail_server_encryption",
        "mail_server_port": "mail_server_port",
        "mail_server_user": "mail_server_user",
        "mail_server_password": "mail_server_password",
        "proxy_url": "proxy_url",
        "proxy_user": "proxy_user",
        "proxy_password": "proxy_password",
    },
    single=True,
    creatable=False,
)
OPTIONS = {
    "mail_from": {"type": "str"},
    "mail_server": {"type": "str"},
    "mail_server_encryption": {"type": "str", "choices": ["none", "starttls", "tls"]},
    "mail_server_port": {"type": "int"},
    "mail_server_user": {"type": "str"},
    "mail_server_password": {"type": "str", "no_log": True},
    "proxy_url": {"type": "str"},
    "proxy_user": {"type": "str"},
    "proxy_password": {"type": "str", "no_log": True},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
