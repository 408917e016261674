"""`protocols/san/iscsi/credentials`: how initiators authenticate to an SVM's iSCSI target.

Each SVM has the credential `default`, for every initiator without one of its own; it is created and
deleted with the SVM. `chap` needs a user and a password of the initiator (inbound); with outbound
ones the target authenticates itself too.

Names and passwords are limited to what LIO supports (drivers/target/iscsi/, Linux 6.12): it stores
up to 255 characters, treats one that begins with `NULL` as none (iscsi_target_configfs.c), and
never matches a CHAP name that begins with `0x` or `0b`, since it reads those as encoded numbers
(extract_param() in iscsi_target_nego.c). ONTAP's limit is 128 characters. Initiators may have
narrower ones: Microsoft's takes passwords of 12 to 16 characters.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.host_types import IscsiName
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Items, Resource, constant
from sanstone.core.declaration.types import Choice, IpAddress, Text
from sanstone.model.san import DEFAULT_CREDENTIAL, IscsiCredential
from sanstone.model.svm import Svm
from sanstone.resources.cluster.svm import WITH_SVM, svm_reference

ALREADY_THERE, IS_DEFAULT, BAD_INITIATOR = "5374142", "5374148", "5373997"
INBOUND_NEEDED, OUTBOUND_NEEDED, SAME_PASSWORD, CHAP_UNWANTED = (
    "5374149",
    "5374150",
    "5374147",
    "5374900",
)


class _DefaultCredential:
    """Creates the credential `default` with each SVM, and deletes all of them with it."""

    table = IscsiCredential.__tablename__

    def created(self, change: Change, svm: Svm) -> None:
        """Add the credential that admits every initiator of an igroup."""
        change.add(IscsiCredential(svm_uuid=svm.uuid, initiator=DEFAULT_CREDENTIAL))

    def deleted(self, change: Change, svm: Svm) -> None:
        """Delete the SVM's credentials."""
        mine = select(IscsiCredential).filter_by(svm_uuid=svm.uuid)
        for row in change.session.scalars(mine).all():
            change.delete(row)


WITH_SVM.append(_DefaultCredential())


class CredentialInitiator(IscsiName):
    """An initiator's iSCSI name, or `default`."""

    good = (*IscsiName.good, DEFAULT_CREDENTIAL)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        return (
            DEFAULT_CREDENTIAL
            if value == DEFAULT_CREDENTIAL
            else super()._deserialize(value, attr, data, **kw)
        )


_WORD = r"(?!NULL)[!-~](?:[ -~]*[!-~])?"
_USER = rf"(?!0[xXbB]){_WORD}"
_WORD_HINT = "printable ASCII characters, no blank at either end, and not NULL at the beginning"


def _user_field(name: str, doc: str) -> Field:
    hint = f"{_WORD_HINT}, nor 0x or 0b"
    kind = Text(128, 0, rf"(?:{_USER})?", hint)
    return Field(
        f"chap.{name}.user",
        kind,
        doc,
        access=WRITE,
        get=lambda row, _: getattr(row, f"{name}_user") or None,
    )


def _password_field(name: str) -> Field:
    kind = Text(128, 1, _WORD, _WORD_HINT)
    doc = "Its secret; taken, never shown."
    return Field(f"chap.{name}.password", kind, doc, access=WRITE, secret=True)


class IscsiCredentialResource(Resource[IscsiCredential]):
    """iSCSI credentials."""

    path = "protocols/san/iscsi/credentials"
    doc = "Credentials say how an initiator authenticates to an SVM's iSCSI target."
    model = IscsiCredential
    keys = ("svm.uuid", "initiator")
    order = ("svm_uuid", "initiator")
    searched = ("initiator",)
    fields = (
        svm_reference(always=True),
        Field(
            "initiator",
            CredentialInitiator(),
            "iSCSI name of the initiator, or `default` for all that have no credential.",
            access=CREATE,
            required=True,
            code=BAD_INITIATOR,
        ),
        Items(
            "initiator_address.ranges",
            (Field("start", IpAddress(), "First."), Field("end", IpAddress(), "Last.")),
            "Absent: the kernel does not tell initiators apart by their addresses.",
            get=constant(()),
        ),
        Field(
            "authentication_type",
            Choice("chap", "none", "deny"),
            "Whether CHAP is demanded, nothing is, or logins are refused.",
            access=WRITE,
            required=True,
        ),
        _user_field("inbound", "CHAP name of the initiator."),
        _password_field("inbound"),
        _user_field("outbound", "CHAP name of the target; an empty one ends mutual CHAP."),
        _password_field("outbound"),
    )

    def select(self) -> Select[Any]:
        """Return the credentials with their SVMs."""
        return select(IscsiCredential).options(joinedload(IscsiCredential.svm))

    def create(self, change: Change, values: dict[str, Any]) -> IscsiCredential:
        """Add the credential of an initiator."""
        svm, initiator = values["svm"], values["initiator"]
        if change.session.get(IscsiCredential, (svm.uuid, initiator)):
            text = f'A credential of "{initiator}" already exists in SVM "{svm.name}".'
            raise errors.conflict(text, "initiator", ALREADY_THERE)
        secrets = _secrets(values["authentication_type"], values, {})
        row = IscsiCredential(svm_uuid=svm.uuid, initiator=initiator, **secrets)
        change.add(row)
        return row

    def update(self, change: Change, row: IscsiCredential, values: dict[str, Any]) -> None:
        """Change the values in a request; they apply from the next login."""
        present = {name: getattr(row, name) or "" for name in _COLUMNS}
        kind = values.get("authentication_type", row.authentication_type)
        for name, value in _secrets(kind, values, present).items():
            if value != (getattr(row, name) or ""):
                setattr(row, name, value)

    def delete(self, change: Change, row: IscsiCredential, options: dict[str, Any]) -> None:
        """Delete a credential; the default then applies to the initiator."""
        if row.initiator == DEFAULT_CREDENTIAL:
            text = "The default credential cannot be deleted."
            raise errors.conflict(text, "initiator", IS_DEFAULT)
        change.delete(row)


_COLUMNS = ("inbound_user", "inbound_password", "outbound_user", "outbound_password")


def _secrets(kind: str, values: dict[str, Any], present: dict[str, str]) -> dict[str, str]:
    """Return all columns of a credential, from the request and `present`. Raises ApiError."""
    requested = {name: values[path] for name in _COLUMNS if (path := _path(name)) in values}
    if kind != "chap":
        if requested:
            text = f"CHAP names and passwords are not allowed with authentication type {kind}."
            raise errors.invalid(text, "authentication_type", CHAP_UNWANTED)
        return {"authentication_type": kind, **dict.fromkeys(_COLUMNS, "")}
    merged = {name: requested.get(name, present.get(name, "")) for name in _COLUMNS}
    if not merged["inbound_user"] or not merged["inbound_password"]:
        text = "CHAP needs chap.inbound.user and chap.inbound.password."
        raise errors.invalid(text, "chap.inbound", INBOUND_NEEDED)
    if requested.get("outbound_user") == "":
        merged["outbound_password"] = requested.get("outbound_password", "")
    if bool(merged["outbound_user"]) != bool(merged["outbound_password"]):
        text = "Mutual CHAP needs both chap.outbound.user and chap.outbound.password."
        raise errors.invalid(text, "chap.outbound", OUTBOUND_NEEDED)
    if merged["inbound_password"] == merged["outbound_password"]:
        text = "The inbound and the outbound password must differ (RFC 7143, 12.1.4)."
        raise errors.invalid(text, "chap.outbound.password", SAME_PASSWORD)
    return {"authentication_type": kind, **merged}


def _path(column: str) -> str:
    """Return the field of a column: `inbound_user` is `chap.inbound.user`."""
    return "chap." + column.replace("_", ".")
