"""`security/authentication/cluster/ldap`: the directory where accounts of the array are looked for.

There is one at most. Queries go to its servers in their order, each for `query_timeout` at a step;
by TLS alone, by StartTLS or from the first byte on, and only where a certificate that is installed
as `server_ca` has signed theirs, or is it. So it is with Active Directory, too: with `ad_idmu` or
`ms_ad_bis` names are those of sAMAccountName, and `bind_dn` may be a userPrincipalName. Who is in a
group by another group, or has it as primary group, is in it. Other domains of a forest are not
queried. Tests use Samba's domain controller.

A user is looked for as `bind_dn`, and the password is tried by a bind as the user. An account says
by the method `nsswitch` that it is a user or a group there (`security/accounts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import WRITE, Field, Reader, Resource
from sanstone.core.declaration.types import Boolean, Choice, Integer, ListOf, Never, Password, Text
from sanstone.kernel.directory.question import (
    AD_IDMU,
    BASE,
    MS_AD_BIS,
    ONE_LEVEL,
    RFC_2307,
    SUBTREE,
)
from sanstone.model.directory import ANONYMOUS, SIMPLE, LdapClient
from sanstone.resources.without_effect import off
from sanstone.rules.destinations import DestinationHost
from sanstone.security import directory

ENCRYPTED, UNANSWERED, NO_SERVERS = "4915251", "4915258", "4915248"
PORT, TLS_PORT = 389, 636
LONGEST_TIMEOUT = 10
DN = Text(1024, 3, r"[A-Za-z][A-Za-z0-9-]*=.+", "a distinguished name such as dc=example,dc=org")
DN.good = ("dc=example,dc=org", "ou=people, dc=example, dc=org")
SCOPE = Choice(BASE, ONE_LEVEL, SUBTREE)
_COLUMNS = {
    "servers": "servers",
    "schema": "schema",
    "base_dn": "base_dn",
    "base_scope": "base_scope",
    "user_dn": "user_dn",
    "user_scope": "user_scope",
    "group_dn": "group_dn",
    "group_scope": "group_scope",
    "bind_dn": "bind_dn",
    "bind_password": "bind_password",
    "min_bind_level": "given_bind_level",
    "query_timeout": "query_timeout",
    "skip_config_validation": "skip_config_validation",
}
"""Columns by field."""


class LdapResource(Resource[LdapClient]):
    """The array's use of LDAP."""

    path = LdapClient.kind
    doc = (
        "The LDAP servers that accounts of the method `nsswitch` are looked for in, Active "
        "Directory's among them. The array speaks TLS alone with them."
    )
    model = LdapClient
    single = True
    keys = ()
    order = ()
    prepares = True
    fields = (
        Field(
            "servers",
            ListOf(DestinationHost(), 8),
            "Host names or IP addresses of the servers, in the order of their use. A "
            "server's certificate must be for this name or address.",
            access=WRITE,
            required=True,
        ),
        Field(
            "schema",
            Choice(
                RFC_2307,
                AD_IDMU,
                MS_AD_BIS,
                aliases={"rfc-2307": RFC_2307, "ad-idmu": AD_IDMU, "ms-ad-bis": MS_AD_BIS},
            ),
            "How users and groups are written: `rfc_2307` as posixAccount, and posixGroup, "
            "groupOfNames or groupOfUniqueNames; `ad_idmu` and `ms_ad_bis` as in Active Directory, "
            "where sAMAccountName names both, groups of groups and primary groups included.",
            access=WRITE,
            default=RFC_2307,
        ),
        Field(
            "ldaps_enabled",
            Boolean(),
            "Whether servers are spoken to by TLS from the first byte on, and not by StartTLS.",
            access=WRITE,
            attribute="ldaps",
        ),
        Field(
            "use_start_tls",
            Boolean(),
            "Whether TLS starts by StartTLS: always, unless `ldaps_enabled`. There is no way "
            "without TLS.",
            access=WRITE,
            get=lambda row, _: not row.ldaps,
        ),
        Field(
            "port",
            Integer(1, 65535),
            f"Port of the servers: {PORT}, with `ldaps_enabled` {TLS_PORT}, unless given.",
            access=WRITE,
        ),
        Field("base_dn", DN, "Below which everything is looked for.", access=WRITE, required=True),
        Field("base_scope", SCOPE, "How far below it.", access=WRITE, default=SUBTREE),
        Field(
            "user_dn",
            DN,
            "Below which users are looked for; base_dn unless given.",
            access=WRITE,
            get=lambda row, _: row.user_dn or None,
        ),
        Field("user_scope", SCOPE, "How far below it.", access=WRITE, default=SUBTREE),
        Field(
            "group_dn",
            DN,
            "Below which groups are looked for; base_dn unless given.",
            access=WRITE,
            get=lambda row, _: row.group_dn or None,
        ),
        Field("group_scope", SCOPE, "How far below it.", access=WRITE, default=SUBTREE),
        Field(
            "bind_dn",
            Text(1024),
            "User of the array's searches: a distinguished name, or a userPrincipalName of "
            "Active Directory. None asks anonymously.",
            access=WRITE,
            default="",
            get=lambda row, _: row.bind_dn or None,
        ),
        Field(
            "bind_password",
            Password(1),
            "The password there; taken, never shown. One of another bind_dn is forgotten.",
            access=WRITE,
            secret=True,
        ),
        Field(
            "min_bind_level",
            Choice(ANONYMOUS, SIMPLE),
            "How the array binds at least: `simple` as bind_dn, which there must be then. It is as "
            "bind_dn makes it unless given.",
            access=WRITE,
        ),
        Field(
            "query_timeout",
            Integer(1, LONGEST_TIMEOUT),
            "Seconds for each step with a server; then the next server is tried.",
            access=WRITE,
            default=3,
        ),
        off("referral_enabled", Never(), "Whether the array goes where a server refers it."),
        Field(
            "session_security",
            Choice("none"),
            "Signing and sealing of LDAP's own, which TLS makes superfluous.",
            access=WRITE,
            get=lambda _row, _reader: "none",
        ),
        Field(
            "skip_config_validation",
            Boolean(),
            "Whether the directory is created without asking its servers first. A change never "
            "asks them: see `status`.",
            access=WRITE,
            default=False,
        ),
        Field(
            "status.state",
            Choice("up", "down"),
            "Whether a server answers; checked when this field is read, every few seconds at most.",
            get=lambda _row, reader: "down" if _error(reader) else "up",
            costly=True,
        ),
        Field(
            "status.message",
            Text(),
            "Why none does.",
            get=lambda _row, reader: _error(reader) or None,
            costly=True,
        ),
    )

    def prepare(self, session: Session, values: dict[str, Any]) -> dict[str, Any]:
        """Ask the servers, unless that is to be skipped or there is a directory already."""
        row = _row(values)
        if row.skip_config_validation or session.scalar(select(LdapClient.uuid)):
            return {}
        question = directory.directory_of(row, directory.authorities(session))
        if error := directory.failure(question, now=True):
            text = f"The directory cannot be used: {error}"
            raise errors.invalid(text, "servers", UNANSWERED)
        return {}

    def create(self, change: Change, values: dict[str, Any]) -> LdapClient:
        """Give the array a directory."""
        if change.session.scalar(select(LdapClient.uuid)):
            text = "The array's directory already exists; change it."
            raise errors.conflict(text, "servers", errors.EXISTS)
        row = _row(values)
        change.add(row)
        return row

    def rows(self, reader: Reader) -> Sequence[LdapClient]:
        """Return the directory if there is one."""
        return reader.session.scalars(select(LdapClient)).all()

    def update(self, change: Change, row: LdapClient, values: dict[str, Any]) -> None:
        """Change how the array asks the servers."""
        ldaps = _ldaps(values, row.ldaps)
        if values.get("servers") == []:
            raise _no_servers()
        if values.get("bind_dn", row.bind_dn) != row.bind_dn:
            row.bind_password = ""
        if row.ldaps != ldaps and row.port == _port(row.ldaps):
            row.port = _port(ldaps)
        row.ldaps = ldaps
        row.port = values.get("port", row.port)
        _set(row, values)

    def delete(self, change: Change, row: LdapClient, options: dict[str, Any]) -> None:
        """Delete the directory; who has an account in it cannot log in any more."""
        change.delete(row)


def _row(values: dict[str, Any]) -> LdapClient:
    """Return a row of a request's values, in no session. Raises ApiError."""
    if not values["servers"]:
        raise _no_servers()
    ldaps = _ldaps(values, ldaps=False)
    row = LdapClient(
        ldaps=ldaps,
        port=values.get("port", _port(ldaps)),
        user_dn="",
        group_dn="",
        bind_password="",
        given_bind_level="",
    )
    _set(row, values)
    return row


def _set(row: LdapClient, values: dict[str, Any]) -> None:
    """Set the given fields. Raises ApiError."""
    for field, column in _COLUMNS.items():
        if field in values:
            setattr(row, column, values[field])
    if row.given_bind_level == SIMPLE and not row.bind_dn:
        raise errors.missing("bind_dn")


def _ldaps(values: dict[str, Any], ldaps: bool) -> bool:
    """Return whether TLS is there from the first byte on. Raises ApiError for no TLS, or both."""
    start_tls, wants_ldaps = values.get("use_start_tls"), values.get("ldaps_enabled")
    if start_tls is None:
        return ldaps if wants_ldaps is None else bool(wants_ldaps)
    if wants_ldaps is None:
        # StartTLS alone replaces the other; neither is impossible.
        wants_ldaps = ldaps and not start_tls
    if start_tls == wants_ldaps:
        text = (
            "Passwords go to the directory by TLS alone: set either use_start_tls or "
            "ldaps_enabled, and not both."
        )
        raise errors.invalid(text, "use_start_tls", ENCRYPTED)
    return bool(wants_ldaps)


def _port(ldaps: bool) -> int:
    return TLS_PORT if ldaps else PORT


def _no_servers() -> errors.ApiError:
    return errors.invalid("A directory needs a server.", "servers", NO_SERVERS)


def _error(reader: Reader) -> str:
    """Return why no server of the directory answers, '' if one does."""
    return reader.once(_ask)


def _ask(session: Session) -> str:
    question = directory.configured(session)
    return directory.failure(question) if question else ""
