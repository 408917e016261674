#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: ldap_info
short_description: Read about the array's ldap
version_added: 0.1.0
description:
  - The LDAP servers that accounts of the method V(nsswitch) are looked for in, Active Directory's
    among them. They are asked by TLS alone.
  - It reads C(/api/security/authentication/cluster/ldap).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about ldap objects
  sanstone.array.ldap_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    servers:
      description: Host names or IP addresses of the servers, in the order in which they are
        asked. A server's certificate must be for this name or address.
      returned: where it has a value
      type: list
      elements: str
    schema:
      description: 'How users and groups are written: V(rfc_2307) as posixAccount, and posixGroup,
        groupOfNames or groupOfUniqueNames; V(ad_idmu) and V(ms_ad_bis) as in Active Directory,
        where sAMAccountName names both, groups of groups and primary groups included.'
      returned: where it has a value
      type: str
    ldaps_enabled:
      description: Whether servers are spoken to by TLS from the first byte on, and not by
        StartTLS.
      returned: where it has a value
      type: bool
    use_start_tls:
      description: 'Whether TLS is begun by StartTLS: always, unless V(ldaps_enabled). There
        is no way without TLS.'
      returned: where it has a value
      type: bool
    port:
      description: 'Port of the servers: 389, with V(ldaps_enabled) 636, unless given.'
      returned: where it has a value
      type: int
    base_dn:
      description: Below which everything is looked for.
      returned: where it has a value
      type: str
    base_scope:
      description: How far below it.
      returned: where it has a value
      type: str
    user_dn:
      description: Below which users are looked for; base_dn unless given.
      returned: where it has a value
      type: str
    user_scope:
      description: How far below it.
      returned: where it has a value
      type: str
    group_dn:
      description: Below which groups are looked for; base_dn unless given.
      returned: where it has a value
      type: str
    group_scope:
      description: How far below it.
      returned: where it has a value
      type: str
    bind_dn:
      description: 'Whom the array looks for users as: a distinguished name, or a userPrincipalName
        of Active Directory. None asks anonymously.'
      returned: where it has a value
      type: str
    min_bind_level:
      description: 'How the array binds at least: V(simple) as bind_dn, which there must be
        then. It is as bind_dn makes it unless given.'
      returned: where it has a value
      type: str
    query_timeout:
      description: Seconds for each step with a server, after which the next one is asked.
      returned: where it has a value
      type: int
    session_security:
      description: Signing and sealing of LDAP's own, which TLS makes superfluous.
      returned: where it has a value
      type: str
    skip_config_validation:
      description: 'Whether the directory is created without asking its servers first. A change
        never asks them: see V(status).'
      returned: where it has a value
      type: bool
    status:
      description: Fields of status.
      type: dict
      contains:
        state:
          description: Whether a server answers; asked for with this field alone, every few
            seconds at most.
          returned: where it has a value
          type: str
        message:
          description: Why none does.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/authentication/cluster/ldap", single=True)


if __name__ == "__main__":
    main()
