"""Accounts, roles, keys, certificates, the audit log."""

from __future__ import annotations

from sanstone.shell.place import Place, Verb

_OWNER = {"owner.name": "vserver", "owner.uuid": "vserver-uuid"}
_ENTRY = "applications."
_DIRECTORY = {"path": "cmddirname"}
_BY_COMMANDS = {"path": "!/api*"}

PLACES = (
    Place(
        "security/accounts",
        "security login",
        "account",
        keys=("name", "owner.name"),
        optional=("owner.name",),
        names=_OWNER
        | {
            "name": "user-or-group-name",
            "role.name": "role",
            "locked": "is-locked",
            f"{_ENTRY}application": "application",
            f"{_ENTRY}authentication_methods": "authentication-method",
            f"{_ENTRY}second_authentication_method": "second-authentication-method",
            f"{_ENTRY}is_ldap_fastbind": "is-ldap-fastbind",
            f"{_ENTRY}is_ns_switch_group": "is-ns-switch-group",
        },
        columns=("name", f"{_ENTRY}application", "role.name", "locked", "owner.name"),
        aliases={"name": ("username",), f"{_ENTRY}authentication_methods": ("authmethod",)},
        verbs=(
            Verb(
                "lock",
                "modify",
                "Keep an account out",
                takes=(),
                fixed={"locked": True},
                asks='Account "${user-or-group-name}" will be kept out. Do you want to continue?',
            ),
            Verb("unlock", "modify", "Let an account in", takes=(), fixed={"locked": False}),
        ),
    ),
    Place(
        "security/authentication/password",
        "security login",
        "password",
        keys=("name",),
        names=_OWNER | {"name": "username"},
        plain={"create": "password"},
    ),
    Place(
        "security/authentication/publickeys",
        "security login publickey",
        "public key",
        keys=("account.name", "index", "owner.name"),
        optional=("owner.name",),
        names=_OWNER
        | {
            "account.name": "username",
            "public_key": "publickey",
            "sha_fingerprint": "fingerprint",
        },
        columns=("account.name", "index", "sha_fingerprint", "comment", "owner.name"),
    ),
    Place(
        "security/login/totps",
        "security login totp",
        "TOTP profile",
        keys=("account.name", "owner.name"),
        optional=("owner.name",),
        names=_OWNER | {"account.name": "username", "sha_fingerprint": "fingerprint"},
        columns=("account.name", "enabled", "sha_fingerprint", "comment", "owner.name"),
    ),
    Place(
        "security/authentication/cluster/oidc",
        "security oidc",
        "identity provider",
    ),
    Place(
        "security/roles",
        "security login rest-role",
        "role",
        keys=("name", "owner.name"),
        optional=("owner.name",),
        names=_OWNER | {"name": "role", "privileges.path": "api", "privileges.access": "access"},
        columns=("name", "owner.name", "privileges.path", "privileges.access"),
    ),
    Place(
        "security/roles/{owner.uuid}/{role.name}/privileges",
        "security login rest-role privilege",
        "privilege",
        keys=("path",),
        names={"path": "api"},
        columns=("../name", "../owner.name", "path", "access"),
        asks_programs=False,
        verbs=(
            Verb(
                "/security login role show",
                "show",
                "Display the directories of commands that roles may use",
                fixed=_BY_COMMANDS,
                names=_DIRECTORY,
            ),
            Verb(
                "/security login role modify",
                "modify",
                "Modify what a role may do in a directory of commands",
                names=_DIRECTORY,
            ),
            Verb(
                "/security login role delete",
                "delete",
                "Take a directory of commands from a role; the last leaves one that may do nothing",
                names=_DIRECTORY,
            ),
        ),
    ),
    Place(
        "private/cli/security/login/role/config",
        "security login role config",
        "rules for passwords",
        keys=("vserver", "role"),
    ),
    Place(
        "security/login/messages",
        "security login banner",
        "message",
        keys=("scope", "svm.name"),
        optional=("svm.name",),
        columns=("scope", "svm.name", "banner"),
        verbs=(
            Verb("/security login motd show", "show", "Display messages"),
            Verb(
                "/security login motd modify",
                "modify",
                "Modify a message",
                takes=("message", "show_cluster_message"),
            ),
        ),
    ),
    Place(
        "security/certificates",
        "security certificate",
        "certificate",
        keys=("name",),
        names={
            "name": "cert-name",
            "expiry_time": "expiration",
            "key_size": "size",
            "serial_number": "serial",
            "subject_alternatives.dns": "dns-name",
            "subject_alternatives.ip": "ipaddr",
        },
        columns=("name", "type", "common_name", "serial_number", "ca", "expiry_time"),
    ),
    Place(
        "security/certificates/{uuid}/sign",
        "security certificate",
        "signed certificate",
        names={"expiry_time": "expiration"},
        plain={"create": "sign"},
    ),
    Place(
        "security/certificate-signing-request",
        "security certificate",
        "signing request",
        names={
            "subject_name": "subject",
            "security_strength": "size",
            "subject_alternatives.dns": "dns-name",
            "subject_alternatives.ip": "ipaddr",
        },
        plain={"create": "generate-csr"},
    ),
    Place(
        "security/audit/messages",
        "security audit log",
        "audit message",
        keys=("index",),
        columns=("timestamp", "application", "location", "user", "input", "state"),
    ),
)
