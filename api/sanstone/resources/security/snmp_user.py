"""`support/snmp/users`: who may read the array's objects by SNMP, and the senders of traps.

A user is a community of SNMPv2c, which needs nothing but its name, or a user of SNMPv3 (USM), or
both by one name. The keys derived from passwords are kept, and of use with this array alone
(`security/snmp_keys.py`). MD5 and DES, which ONTAP has too, are not offered.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Reference, Resource, constant
from sanstone.core.declaration.types import Choice, Password, Text, Uuid
from sanstone.model.snmp import BOTH, COMMUNITY, USM, SnmpTraphost, SnmpUser
from sanstone.model.svm import Svm
from sanstone.resources.security.owner import array_owner
from sanstone.rules.cluster.snmp import AUTHENTICATION, ENGINE, PRIVACY, USER_NAME, array_engine
from sanstone.security import snmp_keys
from sanstone.security.snmp_keys import NONE

COMMENT = Text(128)
_USM_FIELDS = (
    "snmpv3.authentication_protocol",
    "snmpv3.authentication_password",
    "snmpv3.privacy_protocol",
    "snmpv3.privacy_password",
)


def _of_usm(column: str) -> Any:
    return lambda row, _: getattr(row, column) if row.is_usm else None


class SnmpUserResource(Resource[SnmpUser]):
    """SNMP users."""

    path = SnmpUser.kind
    doc = "Users of SNMP: communities of SNMPv2c, and users of SNMPv3."
    model = SnmpUser
    keys = ("engine_id", "name")
    searched = ("name",)
    fields = (
        Field("uuid", Uuid(), "Identity of the user."),
        Reference(
            "owner",
            Svm,
            "The array: SVMs speak no SNMP of their own.",
            get=lambda _, reader: array_owner(reader.session),
        ),
        Field(
            "engine_id",
            ENGINE,
            "Id of the array's SNMP engine, part of the keys (RFC 3411).",
            always=True,
        ),
        Field(
            "name",
            USER_NAME,
            "Name of the user, or the community.",
            access=CREATE,
            required=True,
            always=True,
        ),
        Field(
            "authentication_method",
            Choice(COMMUNITY, USM, BOTH),
            "Whether it is a community of SNMPv2c, a user of SNMPv3 (`usm`), or one of each.",
            access=CREATE,
            default=COMMUNITY,
            attribute="method",
        ),
        Field(
            "snmpv3.authentication_protocol",
            AUTHENTICATION,
            "Hash by which messages are signed: SHA-1, SHA-256, or none for messages that anybody "
            "can send.",
            access=CREATE,
            get=_of_usm("authentication_protocol"),
        ),
        Field(
            "snmpv3.authentication_password",
            Password(snmp_keys.SHORTEST),
            "Password that the key is derived from.",
            access=CREATE,
            secret=True,
        ),
        Field(
            "snmpv3.privacy_protocol",
            PRIVACY,
            "How messages are encrypted: AES with 128 bits, or not at all.",
            access=CREATE,
            get=_of_usm("privacy_protocol"),
        ),
        Field(
            "snmpv3.privacy_password",
            Password(snmp_keys.SHORTEST),
            "Password that the key is derived from.",
            access=CREATE,
            secret=True,
        ),
        Field(
            "comment",
            COMMENT,
            "What the user is for.",
            access=WRITE,
            get=lambda row, _: row.comment or None,
        ),
        Field(
            "scope",
            Choice("cluster", "svm"),
            "Its owner: the array.",
            get=constant("cluster"),
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> SnmpUser:
        """Add a user. Raises ApiError."""
        session, name = change.session, values["name"]
        if session.scalar(select(SnmpUser.uuid).filter_by(name=name)):
            text = f'An SNMP user named "{name}" already exists.'
            raise errors.conflict(text, "name", errors.EXISTS)
        row = SnmpUser(
            engine_id=array_engine(session),
            name=name,
            method=values["authentication_method"],
            authentication_protocol=values.get("snmpv3.authentication_protocol", NONE),
            privacy_protocol=values.get("snmpv3.privacy_protocol", NONE),
            comment=values.get("comment", ""),
        )
        _check(row, values)
        engine, signed_by = row.engine_id, row.authentication_protocol
        if signed_by != NONE:
            password = values["snmpv3.authentication_password"]
            row.authentication_key = snmp_keys.authentication_key(password, signed_by, engine)
        if row.privacy_protocol != NONE:
            password = values["snmpv3.privacy_password"]
            row.privacy_key = snmp_keys.privacy_key(password, signed_by, engine)
        change.add(row)
        return row

    def update(self, change: Change, row: SnmpUser, values: dict[str, Any]) -> None:
        """Change the comment; a user with other passwords is another user."""
        row.comment = values.get("comment", row.comment)

    def delete(self, change: Change, row: SnmpUser, options: dict[str, Any]) -> None:
        """Delete a user whom no trap host has. Raises ApiError."""
        host = change.session.scalar(select(SnmpTraphost.host).filter_by(user_uuid=row.uuid))
        if host:
            text = f'Trap host "{host}" uses SNMP user "{row.name}".'
            raise errors.conflict(text, "name")
        change.delete(row)


def _check(row: SnmpUser, values: dict[str, Any]) -> None:
    """Raise ApiError for fields of SNMPv3 that do not go together."""
    if not row.is_usm:
        for field in _USM_FIELDS:
            if field in values:
                text = f"{field} is of a user with authentication_method usm or both."
                raise errors.invalid(text, field)
        return
    if row.privacy_protocol != NONE and row.authentication_protocol == NONE:
        text = "SNMPv3 encrypts only messages that are signed, too."
        raise errors.invalid(text, "snmpv3.authentication_protocol")
    for use, protocol in (
        ("authentication", row.authentication_protocol),
        ("privacy", row.privacy_protocol),
    ):
        field = f"snmpv3.{use}_password"
        if protocol != NONE and field not in values:
            raise errors.missing(field)
