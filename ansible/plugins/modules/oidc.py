#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: oidc
short_description: Make, change and remove the array's oidc
version_added: 0.1.0
description:
  - The identity provider (OpenID Connect) by which accounts of the method V(oidc) log in
    to the web interface, such as Microsoft Entra ID, AD FS or Keycloak.
  - Its options are the fields of C(/api/security/authentication/cluster/oidc), nested as
    they are there. What is not given is left as it is.
options:
  provider:
    description:
      - What the login page calls the provider; the host of the issuer unless given.
    type: str
  issuer:
    description:
      - 'The provider''s own URL, to the letter: V(https://login.microsoftonline.com/<tenant
        id>/v2.0) of Microsoft Entra ID, V(https://<host>/adfs) of AD FS, V(https://<host>/realms/<realm>)
        of Keycloak, V(https://accounts.google.com) of Google.'
    type: str
  client_id:
    description:
      - What the provider calls the array, as it was registered there.
    type: str
  client_secret:
    description:
      - The secret that the provider has given the array; taken, never shown. A public client
        has none.
    type: str
  authorization_endpoint:
    description:
      - Where browsers log in; asked of the provider unless given, as are the other two.
    type: str
  token_endpoint:
    description:
      - Where the array redeems a login's code.
    type: str
  provider_jwks_uri:
    description:
      - Where the provider publishes the keys by which it signs.
    type: str
  end_session_endpoint:
    description:
      - Where the browser of who logs out here is sent, to log out of the provider, too. Unless
        it is given, only the session here ends.
    type: str
  access_token_issuer:
    description:
      - 'The issuer of access tokens, where it is another. It is shown, and has no effect:
        the array reads none.'
    type: str
  jwks_refresh_interval:
    description:
      - ISO 8601; how long these keys are good. They are read again before, when something
        is signed by a key that is not among them. The array's default is V(PT1H).
    type: str
  remote_user_claim:
    description:
      - 'The claim of the ID token that is the account''s name: V(preferred_username) of Entra
        ID and Keycloak, V(upn) of AD FS, V(email) of Google, or V(sub), which never changes.
        Take none that users may choose for themselves. A mail address that the provider says
        is not verified is not taken. The array''s default is V(preferred_username).'
    type: str
  scopes:
    description:
      - What the array asks for besides V(openid), for the ID token to have this claim. The
        array's default is V(['profile', 'email']).
    type: list
    elements: str
  redirect_ipaddress:
    description:
      - The array's own name or address, as users' browsers reach it.
    type: str
  skip_uri_validation:
    description:
      - Whether the provider is set up here without asking it anything; all three endpoints
        must be given then. The array's default is V(false).
    type: bool
  enabled:
    description:
      - Whether one can log in by it. Sessions that it began are over while it is not. The
        array's default is V(true).
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.secrets
seealso:
  - module: sanstone.array.oidc_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Log in to the web interface by an identity provider
  sanstone.array.oidc:
    provider: entra
    issuer: https://login.example.org/storage/v2.0
    client_id: 6731de76-14a6-49ae-97bc-6eba6914391e
    client_secret: '{{ client_secret }}'
    authorization_endpoint: https://login.example.org/storage/oauth2/v2.0/authorize
    token_endpoint: https://login.example.org/storage/oauth2/v2.0/token
    provider_jwks_uri: https://login.example.org/storage/discovery/v2.0/keys
    skip_uri_validation: true
    redirect_ipaddress: array.example.org
    update_password: on_create

- name: Log in by no identity provider
  sanstone.array.oidc:
    state: absent
"""

RETURN = r"""
record:
  description: The oidc as the array shows it afterwards, in check mode before the change.
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
    path="security/authentication/cluster/oidc",
    noun="oidc",
    fields={
        "provider": "provider",
        "issuer": "issuer",
        "client_id": "client_id",
        "client_secret": "client_secret",
        "authorization_endpoint": "authorization_endpoint",
        "token_endpoint": "token_endpoint",
        "provider_jwks_uri": "provider_jwks_uri",
        "end_session_endpoint": "end_session_endpoint",
        "access_token_issuer": "access_token_issuer",
        "jwks_refresh_interval": "jwks_refresh_interval",
        "remote_user_claim": "remote_user_claim",
        "scopes": "scopes",
        "redirect_ipaddress": "redirect_ipaddress",
        "skip_uri_validation": "skip_uri_validation",
        "enabled": "enabled",
    },
    at_first=frozenset(
        [
            "authorization_endpoint",
            "client_id",
            "issuer",
            "provider_jwks_uri",
            "skip_uri_validation",
            "token_endpoint",
        ]
    ),
    secrets=frozenset(["client_secret"]),
    single=True,
)
OPTIONS = {
    "provider": {"type": "str"},
    "issuer": {"type": "str"},
    "client_id": {"type": "str"},
    "client_secret": {"type": "str", "no_log": True},
    "authorization_endpoint": {"type": "str"},
    "token_endpoint": {"type": "str", "no_log": False},
    "provider_jwks_uri": {"type": "str"},
    "end_session_endpoint": {"type": "str"},
    "access_token_issuer": {"type": "str", "no_log": False},
    "jwks_refresh_interval": {"type": "str"},
    "remote_user_claim": {"type": "str"},
    "scopes": {"type": "list", "elements": "str"},
    "redirect_ipaddress": {"type": "str"},
    "skip_uri_validation": {"type": "bool"},
    "enabled": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
