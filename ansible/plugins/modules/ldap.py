#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ldap
short_description: Make, change and remove the array's ldap
version_added: 0.1.0
description:
  - The LDAP servers that accounts of the method V(nsswitch) are looked for in, Active Directory's
    among them. They are asked by TLS alone.
  - Its options are the fields of C(/api/security/authentication/cluster/ldap), nested as
    they are there. What is not given is left as it is.
options:
  servers:
    description:
      - Host names or IP addresses of the servers, in the order in which they are asked. A
        server's certificate must be for this name or address.
    type: list
    elements: str
  schema:
    description:
      - 'How users and groups are written: V(rfc_2307) as posixAccount, and posixGroup, groupOfNames
        or groupOfUniqueNames; V(ad_idmu) and V(ms_ad_bis) as in Active Directory, where sAMAccountName
        names both, groups of groups and primary groups included. The array''s default is
        V(rfc_2307).'
    type: str
    choices:
      - rfc_2307
      - ad_idmu
      - ms_ad_bis
  ldaps_enabled:
    description:
      - Whether servers are spoken to by TLS from the first byte on, and not by StartTLS.
    type: bool
  use_start_tls:
    description:
      - 'Whether TLS is begun by StartTLS: always, unless V(ldaps_enabled). There is no way
        without TLS.'
    type: bool
  port:
    description:
      - 'Port of the servers: 389, with V(ldaps_enabled) 636, unless given.'
    type: int
  base_dn:
    description:
      - Below which everything is looked for.
    type: str
  base_scope:
    description:
      - How far below it. The array's default is V(subtree).
    type: str
    choices:
      - base
      - onelevel
      - subtree
  user_dn:
    description:
      - Below which users are looked for; base_dn unless given.
    type: str
  user_scope:
    description:
      - How far below it. The array's default is V(subtree).
    type: str
    choices:
      - base
      - onelevel
      - subtree
  group_dn:
    description:
      - Below which groups are looked for; base_dn unless given.
    type: str
  group_scope:
    description:
      - How far below it. The array's default is V(subtree).
    type: str
    choices:
      - base
      - onelevel
      - subtree
  bind_dn:
    description:
      - 'Whom the array looks for users as: a distinguished name, or a userPrincipalName of
        Active Directory. None asks anonymously.'
    type: str
  bind_password:
    description:
      - The password there; taken, never shown. One of another bind_dn is forgotten.
    type: str
  min_bind_level:
    description:
      - 'How the array binds at least: V(simple) as bind_dn, which there must be then. It
        is as bind_dn makes it unless given.'
    type: str
    choices:
      - anonymous
      - simple
  query_timeout:
    description:
      - Seconds for each step with a server, after which the next one is asked. The array's
        default is V(3).
    type: int
  skip_config_validation:
    description:
      - 'Whether the directory is created without asking its servers first. A change never
        asks them: see V(status). The array''s default is V(false).'
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.secrets
seealso:
  - module: sanstone.array.ldap_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Look for accounts in a directory
  sanstone.array.ldap:
    servers:
      - ldap1.example.org
      - ldap2.example.org
    base_dn: dc=example,dc=org
    bind_dn: cn=array,dc=example,dc=org
    bind_password: '{{ bind_password }}'
    skip_config_validation: true
    update_password: on_create

- name: Look for no accounts elsewhere
  sanstone.array.ldap:
    state: absent
"""

RETURN = r"""
record:
  description: The ldap as the array shows it afterwards, in check mode before the change.
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
    path="security/authentication/cluster/ldap",
    noun="ldap",
    fields={
        "servers": "servers",
        "schema": "schema",
        "ldaps_enabled": "ldaps_enabled",
        "use_start_tls": "use_start_tls",
        "port": "port",
        "base_dn": "base_dn",
        "base_scope": "base_scope",
        "user_dn": "user_dn",
        "user_scope": "user_scope",
        "group_dn": "group_dn",
        "group_scope": "group_scope",
        "bind_dn": "bind_dn",
        "bind_password": "bind_password",
        "min_bind_level": "min_bind_level",
        "query_timeout": "query_timeout",
        "skip_config_validation": "skip_config_validation",
    },
    secrets=frozenset(["bind_password"]),
    single=True,
)
OPTIONS = {
    "servers": {"type": "list", "elements": "str"},
    "schema": {"type": "str", "choices": ["rfc_2307", "ad_idmu", "ms_ad_bis"]},
    "ldaps_enabled": {"type": "bool"},
    "use_start_tls": {"type": "bool"},
    "port": {"type": "int"},
    "base_dn": {"type": "str"},
    "base_scope": {"type": "str", "choices": ["base", "onelevel", "subtree"]},
    "user_dn": {"type": "str"},
    "user_scope": {"type": "str", "choices": ["base", "onelevel", "subtree"]},
    "group_dn": {"type": "str"},
    "group_scope": {"type": "str", "choices": ["base", "onelevel", "subtree"]},
    "bind_dn": {"type": "str"},
    "bind_password": {"type": "str", "no_log": True},
    "min_bind_level": {"type": "str", "choices": ["anonymous", "simple"]},
    "query_timeout": {"type": "int"},
    "skip_config_validation": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
