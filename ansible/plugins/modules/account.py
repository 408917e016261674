#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: account
short_description: Make, change and remove the array's account objects
version_added: 0.1.0
description:
  - Accounts say who may log in, through what, and with which role.
  - Its options are the fields of C(/api/security/accounts), nested as they are there. What
    is not given is left as it is.
options:
  owner:
    description:
      - The SVM that owns it, or the array. By its name.
    type: str
  name:
    description:
      - 'Name to log in with: letters, digits, _ . - @. The name of a group of the directory,
        or of a user there who comes through V(http) and V(ontapi) alone, may have other letters,
        blanks and ( ) & '', too.'
    type: str
    required: true
  role:
    description:
      - Role, which says what it may do.
    type: str
  account_password:
    description:
      - Password; taken, never shown.
    type: str
  comment:
    description:
      - Comment.
    type: str
  locked:
    description:
      - Whether it is kept out, by an administrator or after failed logins.
    type: bool
  applications:
    description:
      - Ways in, each with what proves who it is.
    type: list
    elements: dict
    suboptions:
      application:
        description:
          - Way in.
        type: str
        required: true
        choices:
          - http
          - ssh
          - console
          - ontapi
          - service_processor
      authentication_methods:
        description:
          - What proves who it is; any one suffices. V(nsswitch) is the array's directory
            (see V(security/authentication/cluster/ldap)), which has the password then; V(certificate),
            of V(http) alone, is one of the client's whose common name is the account's, signed
            by an authority of type V(client_ca) (see V(security/certificates)); V(oidc),
            of V(http) alone, is a login to the web interface by the identity provider, for
            which the user has the account's name (see V(security/authentication/cluster/oidc)).
        type: list
        elements: str
        required: true
      second_authentication_method:
        description:
          - 'What is asked for after that: V(totp) is a code of an authenticator app, by the
            account''s profile in V(security/login/totps). V(http) asks for it when one logs
            in to the web interface, and refuses HTTP Basic; V(ssh) asks in the shell, at
            the console too. It does not go together with V(certificate) or V(oidc).'
        type: str
        choices:
          - none
          - totp
      is_ns_switch_group:
        description:
          - Whether the account is a group of the directory, whose members log in under their
            own names; it is said of all applications or none, which are V(http) and V(ontapi)
            with V(nsswitch).
        type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.secrets
seealso:
  - module: sanstone.array.account_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make an account for a program
  sanstone.array.account:
    name: monitor
    role: storage-viewer
    account_password: '{{ monitor_password }}'
    applications:
      - application: http
        authentication_methods:
          - password
      - application: ssh
        authentication_methods:
          - publickey
    update_password: on_create

- name: Remove an account
  sanstone.array.account:
    name: monitor
    state: absent
"""

RETURN = r"""
record:
  description: The account as the array shows it afterwards, in check mode before the change.
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
    path="security/accounts",
    noun="account",
    identity={"owner.name": "owner", "name": "name"},
    otherwise={"owner": {"scope": "cluster"}},
    fields={
        "owner": "owner",
        "name": "name",
        "role": "role",
        "account_password": "password",
        "comment": "comment",
        "locked": "locked",
        "applications": "applications",
    },
    at_first=frozenset(["name", "owner"]),
    secrets=frozenset(["password"]),
)
OPTIONS = {
    "owner": {"type": "str"},
    "name": {"type": "str", "required": True},
    "role": {"type": "str"},
    "account_password": {"type": "str", "no_log": True},
    "comment": {"type": "str"},
    "locked": {"type": "bool"},
    "applications": {
        "type": "list",
        "elements": "dict",
        "options": {
            "application": {
                "type": "str",
                "required": True,
                "choices": ["http", "ssh", "console", "ontapi", "service_processor"],
            },
            "authentication_methods": {"type": "list", "elements": "str", "required": True},
            "second_authentication_method": {"type": "str", "choices": ["none", "totp"]},
            "is_ns_switch_group": {"type": "bool"},
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
