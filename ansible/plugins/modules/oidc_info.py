#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: oidc_info
short_description: Read about the array's oidc
version_added: 0.1.0
description:
  - The identity provider (OpenID Connect) by which accounts of the method V(oidc) log in
    to the web interface, such as Microsoft Entra ID, AD FS or Keycloak.
  - It reads C(/api/security/authentication/cluster/oidc).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about oidc objects
  sanstone.array.oidc_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    provider:
      description: What the login page calls the provider; the host of the issuer unless given.
      returned: where it has a value
      type: str
    issuer:
      description: 'The provider''s own URL, to the letter: V(https://login.microsoftonline.com/<tenant
        id>/v2.0) of Microsoft Entra ID, V(https://<host>/adfs) of AD FS, V(https://<host>/realms/<realm>)
        of Keycloak, V(https://accounts.google.com) of Google.'
      returned: where it has a value
      type: str
    client_id:
      description: What the provider calls the array, as it was registered there.
      returned: where it has a value
      type: str
    authorization_endpoint:
      description: Where browsers log in; asked of the provider unless given, as are the other
        two.
      returned: where it has a value
      type: str
    token_endpoint:
      description: Where the array redeems a login's code.
      returned: where it has a value
      type: str
    provider_jwks_uri:
      description: Where the provider publishes the keys by which it signs.
      returned: where it has a value
      type: str
    end_session_endpoint:
      description: Where the browser of who logs out here is sent, to log out of the provider,
        too. Unless it is given, only the session here ends.
      returned: where it has a value
      type: str
    access_token_issuer:
      description: 'The issuer of access tokens, where it is another. It is shown, and has
        no effect: the array reads none.'
      returned: where it has a value
      type: str
    jwks_refresh_interval:
      description: ISO 8601; how long these keys are good. They are read again before, when
        something is signed by a key that is not among them.
      returned: where it has a value
      type: str
    remote_user_claim:
      description: 'The claim of the ID token that is the account''s name: V(preferred_username)
        of Entra ID and Keycloak, V(upn) of AD FS, V(email) of Google, or V(sub), which never
        changes. Take none that users may choose for themselves. A mail address that the provider
        says is not verified is not taken.'
      returned: where it has a value
      type: str
    scopes:
      description: What the array asks for besides V(openid), for the ID token to have this
        claim.
      returned: where it has a value
      type: list
      elements: str
    redirect_ipaddress:
      description: The array's own name or address, as users' browsers reach it.
      returned: where it has a value
      type: str
    redirect_uri:
      description: Where the provider sends browsers back to, which is to be registered there.
      returned: where it has a value
      type: str
    skip_uri_validation:
      description: Whether the provider is set up here without asking it anything; all three
        endpoints must be given then.
      returned: where it has a value
      type: bool
    enabled:
      description: Whether one can log in by it. Sessions that it began are over while it
        is not.
      returned: where it has a value
      type: bool
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/authentication/cluster/oidc", single=True)


if __name__ == "__main__":
    main()
