"""Accounts, roles, certificates, and who did what."""

from __future__ import annotations

from sanstone.shell.place import Place

PLACES = (
    Place(
        "security/accounts",
        "security login",
        "account",
        keys=("owner.name", "name"),
        names={"owner.name": "vserver", "name": "user-or-group-name", "role.name": "role"},
        columns=("owner.name", "name", "role.name", "locked", "comment"),
    ),
    Place(
        "security/authentication/publickeys",
        "security login publickey",
        "public key",
        keys=("owner.name", "account.name", "index"),
        names={"owner.name": "vserver", "account.name": "username", "public_key": "publickey"},
    ),
    Place(
        "security/login/messages",
        "security login message",
        "login message",
    ),
    Place(
        "security/roles",
        "security login role",
        "role",
        keys=("owner.name", "name"),
        names={"owner.name": "vserver", "name": "role"},
        columns=("owner.name", "name", "builtin"),
    ),
    Place(
        "security/roles/{owner.uuid}/{role.name}/privileges",
        "security login role privilege",
        "privilege",
    ),
    Place(
        "private/cli/security/login/role/config",
        "security login role config",
        "rule for passwords",
    ),
    Place(
        "security/certificates",
        "security certificate",
        "certificate",
        keys=("name",),
    ),
    Place("security/audit/messages", "security audit log", "audit message"),
    Place("cluster/web", "cluster web", "web server"),
)
