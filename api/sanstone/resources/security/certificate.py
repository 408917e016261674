"""`security/certificates`: certificates, created or uploaded, with their keys.

A `server` certificate is for the web server (see `web`), a `client` one for the array where it logs
in to others, a `root_ca` signs requests; a `server_ca` is an authority, or one server's own
certificate, that the array believes servers by: those that it tells of events. A `client_ca` is one
that it believes clients by: accounts of the method `certificate` (`security/accounts`) log in with
certificates that it signed. As soon as there is one, the web server requests a certificate from
each client, and refuses a client with any other. POST with `public_certificate` and `private_key`
installs one, POST without creates a self-signed one; of a `server_ca` and a `client_ca` nobody has
the key, so they can only be installed. Keys are encrypted in the database and never returned. A
certificate that cannot be served, because it has expired or does not match its key, is refused
here, before the web server would fail on it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from marshmallow import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Reader, Resource, constant
from sanstone.core.declaration.types import (
    Choice,
    Integer,
    IpAddress,
    Lines,
    ListOf,
    Text,
    Timestamp,
    Uuid,
)
from sanstone.model.events import EmsDestination
from sanstone.model.security import CLIENT, CLIENT_CA, ROOT_CA, SERVER, SERVER_CA, Certificate
from sanstone.resources.without_effect import fixed
from sanstone.rules.security.certificates import certificate_of
from sanstone.security import certificates, openssl
from sanstone.security.certificates import BAD_FORMAT, BadCertificate, CertificateSpecification

BAD_TYPE, BAD_NAME, IN_USE = "3735622", "3735588", "3735589"
DEFAULT_DAYS, MOST_DAYS = 365, 3652
COMMON_NAME = Text(
    64, 1, r"[A-Za-z0-9*_.:@-][A-Za-z0-9*_.:@ -]*", "letters, digits, blank * _ . : @ -"
)
DNS_NAME = Text(
    253, 1, r"(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*", "a DNS name, or *. and one"
)
PEM = 65_536
BELIEVED = (SERVER_CA, CLIENT_CA)
"""Types that the array has no key for."""
MOST = 64
"""Most alternative names, addresses or intermediate certificates."""


class Expiry(Timestamp):
    """A time of expiry: a moment, or an ISO 8601 duration from now (`P365DT`)."""

    schema = {"type": "string"}
    good = ("P90D", "P365DT", "2036-01-02T03:04:05+00:00")
    bad = (*Timestamp.bad, "P90", "P123456D", "90")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> float:
        days = re.fullmatch(r"P([0-9]{1,5})DT?(?:0H)?", value) if isinstance(value, str) else None
        if days:
            return time.time() + int(days[1]) * certificates.DAY
        return super()._deserialize(value, attr, data, **kw)


class Pem(Lines):
    """One certificate in PEM."""

    def __init__(self) -> None:
        super().__init__(PEM)
        self.good = ()
        self.bad += ("one line",)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if [kind for kind, _ in openssl.blocks(text)] != ["CERTIFICATE"]:
            raise ValidationError("This must be a certificate in PEM.")
        return text


def alternative_fields(get: Callable[[str], Any] | None = None) -> tuple[Field, Field]:
    """Return the fields of a certificate's alternative names."""
    return (
        Field(
            "subject_alternatives.dns",
            ListOf(DNS_NAME, MOST),
            "DNS names that it is good for.",
            access=CREATE,
            get=get("DNS:") if get else None,
        ),
        Field(
            "subject_alternatives.ip",
            ListOf(IpAddress(), MOST),
            "IP addresses that it is good for.",
            access=CREATE,
            get=get("IP Address:") if get else None,
        ),
    )


def alternatives(values: dict[str, Any]) -> tuple[str, ...]:
    """Return the alternative names of a request in openssl's form."""
    dns = values.get("subject_alternatives.dns", [])
    addresses = values.get("subject_alternatives.ip", [])
    return (*(f"DNS:{name}" for name in dns), *(f"IP:{address}" for address in addresses))


def _named(prefix: str) -> Callable[[Certificate, Reader], list[str] | None]:
    def get(row: Certificate, _reader: Reader) -> list[str] | None:
        return [n.removeprefix(prefix) for n in row.names if n.startswith(prefix)] or None

    return get


class CertificateResource(Resource[Certificate]):
    """Certificates."""

    path = Certificate.kind
    prepares = True
    doc = (
        "Certificates of the array's web server, those by which the array logs in to other "
        "servers, and authorities: its own that sign, and those by which it believes servers and "
        "clients."
    )
    model = Certificate
    searched = ("name",)
    fields = (
        Field("uuid", Uuid(), "Identity of the certificate."),
        Field(
            "name",
            Text(128, 1, r"[A-Za-z0-9_][A-Za-z0-9_.:-]*", "letters, digits, _ . : -"),
            "Name; composed of common name and serial number unless given.",
            access=WRITE,
        ),
        Field(
            "type",
            Choice(SERVER, ROOT_CA, CLIENT, SERVER_CA, CLIENT_CA),
            "Its use: `server` for the array's web server, `client` where the array logs in "
            "to another server, `root_ca` to sign requests, `server_ca` to believe other servers, "
            "`client_ca` to believe clients that log in as accounts by certificates.",
            access=CREATE,
            required=True,
            code=BAD_TYPE,
            always=True,
        ),
        Field(
            "common_name",
            COMMON_NAME,
            "Name of its owner; the array needs it to create one.",
            access=CREATE,
            code=BAD_NAME,
        ),
        Field(
            "expiry_time",
            Expiry(),
            "When it ends, or how long a new one is valid; a year unless given.",
            access=CREATE,
        ),
        Field(
            "hash_function",
            Choice(*certificates.HASHES),
            "Hash that is signed.",
            access=CREATE,
        ),
        Field(
            "key_size",
            Integer(256, 4096),
            "Bits of the key: 256, 384 or 521 on a curve, 2048, 3072 or 4096 with RSA.",
            access=CREATE,
        ),
        *alternative_fields(_named),
        Field("public_certificate", Lines(PEM), "The certificate in PEM.", access=CREATE),
        Field(
            "intermediate_certificates",
            ListOf(Pem(), MOST),
            "Certificates between it and its authority, in PEM.",
            access=CREATE,
            get=lambda row, _: [text for _, text in openssl.blocks(row.intermediates)] or None,
        ),
        Field("private_key", Lines(PEM), "Its key in PEM.", access=CREATE, secret=True),
        Field("ca", Text(256), "Common name of the authority that signed it."),
        Field("serial_number", Text(40), "Serial number."),
        Field("subject_key_identifier", Text(), "Identifier of its key."),
        Field("authority_key_identifier", Text(), "Identifier of the key that signed it."),
        fixed("svm.name", Text(), "Absent: certificates are the array's, not an SVM's."),
        Field("scope", Choice("cluster"), "All are the array's.", get=constant("cluster")),
    )

    def prepare(self, session: Session, values: dict[str, Any]) -> dict[str, Any]:
        """Create a certificate with its key, or check the uploaded one."""
        try:
            row = _installed(values) if "public_certificate" in values else _self_signed(values)
        except BadCertificate as error:
            raise errors.invalid(str(error), "public_certificate", BAD_FORMAT) from error
        return {"certificate": row}

    def create(self, change: Change, values: dict[str, Any]) -> Certificate:
        """Install the created or uploaded certificate."""
        row: Certificate = values["certificate"]
        row.name = values.get("name") or f"{row.common_name}_{row.serial_number}".replace(" ", "_")
        _require_free(change.session, row.name)
        change.add(row)
        return row

    def update(self, change: Change, row: Certificate, values: dict[str, Any]) -> None:
        """Rename a certificate; its content cannot be changed."""
        name = values.get("name", row.name)
        if name != row.name:
            _require_free(change.session, name)
            row.name = name

    def delete(self, change: Change, row: Certificate, options: dict[str, Any]) -> None:
        """Delete a certificate that neither the web server nor a destination of events uses."""
        if row.served:
            text = f'The web server shows certificate "{row.name}"; let it show another first.'
            raise errors.conflict(text, code=IN_USE)
        destination = change.session.scalar(
            select(EmsDestination.name).filter_by(certificate_uuid=row.uuid)
        )
        if destination:
            text = f'Destination "{destination}" of events uses certificate "{row.name}".'
            raise errors.conflict(text, code=IN_USE)
        change.delete(row)


def _self_signed(values: dict[str, Any]) -> Certificate:
    for name in ("private_key", "intermediate_certificates"):
        if name in values:
            text = f"{name} is of use only with public_certificate."
            raise errors.invalid(text, name, errors.EXCLUSIVE)
    if values["type"] in BELIEVED:
        raise errors.missing("public_certificate")
    if "common_name" not in values:
        raise errors.missing("common_name")
    size = values.get("key_size", 256)
    if size not in (*certificates.CURVES, *certificates.RSA_SIZES):
        text = "key_size must be 256, 384, 521, 2048, 3072 or 4096."
        raise errors.invalid(text, "key_size")
    specification = CertificateSpecification(
        subject=(("CN", values["common_name"]),),
        names=alternatives(values),
        authority=values["type"] == ROOT_CA,
        algorithm=certificates.EC if size in certificates.CURVES else certificates.RSA,
        size=size,
        hash_function=values.get("hash_function", "sha256"),
    )
    signed = certificates.self_signed(specification, days_until(values.get("expiry_time")))
    return certificate_of(
        values["type"], signed.text, signed.key, certificates.judge(signed.text, signed.key)
    )


def _installed(values: dict[str, Any]) -> Certificate:
    for name in ("common_name", "expiry_time", "hash_function", "key_size"):
        if name in values:
            text = f"The certificate says its {name} itself."
            raise errors.invalid(text, name, errors.EXCLUSIVE)
    if alternatives(values):
        text = "The certificate says its other names itself."
        raise errors.invalid(text, "subject_alternatives", errors.EXCLUSIVE)
    key = values.get("private_key", "")
    if values["type"] in BELIEVED:
        for name in ("private_key", "intermediate_certificates"):
            if name in values:
                text = f"A {values['type']} is installed without {name}."
                raise errors.invalid(text, name, errors.EXCLUSIVE)
    elif not key:
        raise errors.missing("private_key")
    between = values.get("intermediate_certificates", [])
    facts = certificates.judge(values["public_certificate"], key, between)
    if values["type"] == ROOT_CA and not facts.authority:
        raise BadCertificate("The certificate is not that of an authority.")
    if values["type"] == CLIENT_CA:
        certificates.require_own_signature(values["public_certificate"])
    row = certificate_of(values["type"], values["public_certificate"], key, facts)
    row.intermediates = "".join(text.rstrip("\n") + "\n" for text in between)
    return row


def days_until(moment: float | None) -> int:
    """Return the days until a certificate's expiry, a year by default.

    Raises ApiError for a moment in the past, or too far in the future.
    """
    if moment is None:
        return DEFAULT_DAYS
    days = round((moment - time.time()) / certificates.DAY)
    if not 1 <= days <= MOST_DAYS:
        text = f"expiry_time must be 1 to {MOST_DAYS} days from now."
        raise errors.invalid(text, "expiry_time")
    return days


def _require_free(session: Session, name: str) -> None:
    if session.scalar(select(Certificate.uuid).filter_by(name=name)):
        text = f'A certificate named "{name}" already exists.'
        raise errors.conflict(text, "name", errors.EXISTS)
