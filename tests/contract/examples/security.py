"""Roles, accounts, messages and certificates."""

from __future__ import annotations

from examples.example import Example
from sanstone.security.certificates import CertificateSpecification, judge, self_signed

SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
INSTALLED = self_signed(CertificateSpecification((("CN", "installed.example.org"),)), 30)
CLIENT = self_signed(CertificateSpecification((("CN", "a client"),)), 30)
CLIENT_SERIAL = judge(CLIENT.text).serial_number
AUTHORITY = self_signed(CertificateSpecification((("CN", "of servers"),), authority=True), 30)
EXAMPLES = (
    Example(
        "security/roles",
        objects=(
            {"name": "operator", "privileges": [{"path": "/api/storage", "access": "all"}]},
            {
                "owner.name": "svm2",
                "name": "reader",
                "privileges": [{"path": "/api", "access": "readonly"}],
            },
        ),
        another={"name": "other", "privileges": [{"path": "/api/svm", "access": "read_modify"}]},
        exists_code="1",
    ),
    Example(
        "security/roles/{owner.uuid}/{role.name}/privileges",
        objects=({"path": "/api/protocols/*/services", "access": "readonly"},),
        another={"path": "/api/svm/svms", "access": "none"},
        exists_code="1",
        changes=({"access": "read_create"},),
    ),
    Example(
        "security/accounts",
        objects=(
            {
                "name": "joe.smith",
                "role.name": "readonly",
                "password": "first pass 1",
                "comment": "the first",
                "locked": False,
                "applications": [
                    {
                        "application": "http",
                        "authentication_methods": ["password", "certificate"],
                        "second_authentication_method": "none",
                    },
                    {
                        "application": "ssh",
                        "authentication_methods": ["publickey"],
                        "second_authentication_method": "totp",
                    },
                ],
            },
            {
                "name": "storage-admins",
                "applications": [
                    {
                        "application": "http",
                        "authentication_methods": ["nsswitch"],
                        "is_ns_switch_group": True,
                    }
                ],
            },
            {
                "owner.name": "svm1",
                "name": "vsadmin",
                "password": "second pass 1",
                "applications": [{"application": "http", "authentication_methods": ["password"]}],
            },
        ),
        another={
            "name": "another",
            "role.name": "operator",
            "applications": [{"application": "ssh", "authentication_methods": ["publickey"]}],
        },
        exists_code="1",
        changes=(
            {"role.name": "admin", "comment": "", "locked": True},
            {
                "applications": [{"application": "http", "authentication_methods": ["password"]}],
            },
        ),
    ),
    Example(
        "security/authentication/cluster/ldap",
        objects=(
            {
                "servers": ["ldap1.example.org", "192.0.2.55"],
                "schema": "rfc_2307",
                "ldaps_enabled": True,
                "use_start_tls": False,
                "port": 10636,
                "base_dn": "dc=example,dc=org",
                "base_scope": "subtree",
                "user_dn": "ou=people,dc=example,dc=org",
                "user_scope": "onelevel",
                "group_dn": "ou=groups,dc=example,dc=org",
                "group_scope": "onelevel",
                "bind_dn": "cn=array,dc=example,dc=org",
                "bind_password": "a secret",
                "min_bind_level": "simple",
                "query_timeout": 1,
                "referral_enabled": False,
                "session_security": "none",
                "skip_config_validation": True,
            },
        ),
        another={
            "servers": ["ldap2.example.org"],
            "base_dn": "dc=example,dc=org",
            "skip_config_validation": True,
        },
        exists_code="1",
        changes=(
            {"servers": ["ldap2.example.org"], "schema": "ad_idmu", "bind_dn": "array@example.org"},
            {"use_start_tls": True},
        ),
    ),
    Example(
        "security/authentication/cluster/oidc",
        objects=(
            {
                "provider": "entra",
                "issuer": "https://login.example.org/tenant/v2.0",
                "client_id": "1234567890abcdef",
                "client_secret": "a secret",
                "authorization_endpoint": "https://login.example.org/tenant/authorize",
                "token_endpoint": "https://login.example.org/tenant/token",
                "provider_jwks_uri": "https://login.example.org/tenant/keys",
                "end_session_endpoint": "https://login.example.org/tenant/logout",
                "access_token_issuer": "https://login.example.org/services/trust",
                "jwks_refresh_interval": "PT2H",
                "remote_user_claim": "email",
                "scopes": ["email"],
                "redirect_ipaddress": "array.example.org",
                "skip_uri_validation": True,
                "enabled": False,
            },
        ),
        another={
            "issuer": "https://sso.example.org",
            "client_id": "array",
            "authorization_endpoint": "https://sso.example.org/authorize",
            "token_endpoint": "https://sso.example.org/token",
            "provider_jwks_uri": "https://sso.example.org/keys",
            "redirect_ipaddress": "192.0.2.7",
            "skip_uri_validation": True,
        },
        exists_code="1",
        changes=(
            {"enabled": True, "provider": "Our login", "client_secret": "another"},
            {"redirect_ipaddress": "2001:db8::7", "scopes": []},
        ),
    ),
    Example(
        "security/authentication/publickeys",
        objects=(
            {"account.name": "joe.smith", "index": 3, "public_key": SSH_KEY, "comment": "a host"},
            {"owner.name": "svm1", "account.name": "vsadmin", "public_key": SSH_KEY},
        ),
        another={"account.name": "joe.smith", "public_key": SSH_KEY},
        exists_code="1",
        changes=({"public_key": SSH_KEY + " again", "comment": "changed"},),
    ),
    Example(
        "security/login/totps",
        objects=(
            {"account.name": "joe.smith", "comment": "a phone"},
            {"owner.name": "svm1", "account.name": "vsadmin"},
        ),
        another={"account.name": "admin"},
        exists_code="1",
        changes=({"enabled": False, "comment": "lost"},),
    ),
    Example(
        "security/login/messages",
        changes=({"banner": "Keep out.\n", "message": "Welcome.", "show_cluster_message": False},),
    ),
    Example(
        "private/cli/security/login/role/config",
        changes=(
            {
                "passwd_minlength": 12,
                "passwd_alphanum": "disabled",
                "passwd_min_special_chars": 1,
                "passwd_min_lowercase_chars": 1,
                "passwd_min_uppercase_chars": 1,
                "passwd_min_digits": 1,
                "passwd_expiry_time": 90,
                "require_initial_passwd_update": "enabled",
                "disallowed_reuse": 3,
                "change_delay": 1,
                "max_failed_login_attempts": 5,
                "lockout_duration": 1,
            },
        ),
    ),
    Example(
        "security/certificates",
        objects=(
            {
                "type": "server",
                "name": "server1",
                "common_name": "array.example.org",
                "expiry_time": "P90D",
                "hash_function": "sha384",
                "key_size": 2048,
                "subject_alternatives.dns": ["array.example.org", "*.example.org"],
                "subject_alternatives.ip": ["10.10.1.1", "fd00::1"],
            },
            {
                "type": "server",
                "name": "server2",
                "public_certificate": INSTALLED.text,
                "private_key": INSTALLED.key,
                "intermediate_certificates": [INSTALLED.text],
            },
            {"type": "root_ca", "name": "authority", "common_name": "An authority"},
            {
                "type": "client",
                "name": "client1",
                "public_certificate": CLIENT.text,
                "private_key": CLIENT.key,
            },
            {"type": "server_ca", "name": "servers", "public_certificate": AUTHORITY.text},
            {"type": "client_ca", "name": "clients", "public_certificate": AUTHORITY.text},
        ),
        another={"type": "root_ca", "name": "another", "common_name": "Another authority"},
        exists_code="1",
        changes=({"name": "renamed"},),
        shown_otherwise={"expiry_time": "a time is shown for a duration"},
    ),
    Example("private/cli/system/timeout", changes=({"timeout": 10},)),
    Example("cluster/web", changes=({"certificate.name": "server2"},)),
)
