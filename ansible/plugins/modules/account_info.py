#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: account_info
short_description: Read about account objects
version_added: 0.1.0
description:
  - Accounts say who may log in, through what, and with which role.
  - It reads C(/api/security/accounts).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about account objects
  sanstone.array.account_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    owner:
      description: The SVM that owns it, or the array.
      returned: where it has a value
      type: dict
    scope:
      description: Whether the array or an SVM owns it.
      returned: where it has a value
      type: str
    name:
      description: 'Name to log in with: letters, digits, _ . - @. The name of a group of
        the directory, or of a user there who comes through V(http) and V(ontapi) alone, may
        have other letters, blanks and ( ) & '', too.'
      returned: where it has a value
      type: str
    role:
      description: Fields of role.
      type: dict
      contains:
        name:
          description: Role, which says what it may do.
          returned: where it has a value
          type: str
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    locked:
      description: Whether it is kept out, by an administrator or after failed logins.
      returned: where it has a value
      type: bool
    applications:
      description: Ways in, each with what proves who it is.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        application:
          description: Way in.
          returned: where it has a value
          type: str
        authentication_methods:
          description: What proves who it is; any one suffices. V(nsswitch) is the array's
            directory (see V(security/authentication/cluster/ldap)), which has the password
            then; V(certificate), of V(http) alone, is one of the client's whose common name
            is the account's, signed by an authority of type V(client_ca) (see V(security/certificates));
            V(oidc), of V(http) alone, is a login to the web interface by the identity provider,
            for which the user has the account's name (see V(security/authentication/cluster/oidc)).
          returned: where it has a value
          type: list
          elements: str
        second_authentication_method:
          description: 'What is asked for after that: V(totp) is a code of an authenticator
            app, by the account''s profile in V(security/login/totps). V(http) asks for it
            when one logs in to the web interface, and refuses HTTP Basic; V(ssh) asks in
            the shell, at the console too. It does not go together with V(certificate) or
            V(oidc).'
          returned: where it has a value
          type: str
        is_ns_switch_group:
          description: Whether the account is a group of the directory, whose members log
            in under their own names; it is said of all applications or none, which are V(http)
            and V(ontapi) with V(nsswitch).
          returned: where it has a value
          type: bool
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/accounts")


if __name__ == "__main__":
    main()
