"""`security/certificate-signing-request` and `security/certificates/{uuid}/sign`.

The first creates a key and a request that any authority can sign; the key is returned and stored
nowhere, and is uploaded with the certificate when that is installed. The second signs a request
with an authority of the array.
"""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import CREATE, Field
from sanstone.core.declaration.types import Choice, Integer, Lines, Text
from sanstone.model.security import ROOT_CA, Certificate
from sanstone.resources.security.certificate import (
    PEM,
    Expiry,
    alternative_fields,
    alternatives,
    days_until,
)
from sanstone.security import certificates
from sanstone.security.certificates import BAD_FORMAT, BadCertificate, CertificateSpecification

CANNOT_SIGN, NO_REQUEST = "3735628", "3735626"
PARTS = ("C", "ST", "L", "O", "OU", "CN", "emailAddress")


class Subject(Text):
    """A subject, such as `C=US,O=Example,CN=array.example.org`."""

    good = ("C=US,O=An Example,CN=array.example.org", "CN=array")

    def __init__(self) -> None:
        super().__init__(255, 1)
        self.bad += ("array", "CN=", "XX=y", "CN=a,CN", "CN=$ENV::HOME", "CN=a\\n")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if not all(
            re.fullmatch(rf"(?:{'|'.join(PARTS)})=[A-Za-z0-9*_.:@' -]+", part)
            for part in text.split(",")
        ):
            raise ValidationError(f"This must be {', '.join(PARTS)}, each as CN=name.")
        return text


class SigningRequestAction(Action):
    """Create a certificate signing request."""

    path = "security/certificate-signing-request"
    doc = "Makes a key and a request for a certificate, which an authority can sign."
    model = Certificate
    prepares = True
    fields = (
        Field(
            "subject_name",
            Subject(),
            "Owner of the certificate, such as CN=array.example.org.",
            access=CREATE,
            required=True,
        ),
        Field(
            "algorithm", Choice(certificates.RSA, certificates.EC), "Kind of key.", access=CREATE
        ),
        Field(
            "security_strength", Integer(112, 256), "Bits of security of the key.", access=CREATE
        ),
        Field("hash_function", Choice(*certificates.HASHES), "Hash that is signed.", access=CREATE),
        *alternative_fields(),
    )
    answer = (
        Field("csr", Lines(PEM), "The request in PEM."),
        Field("generated_private_key", Lines(PEM), "The key in PEM; it is kept nowhere else."),
    )

    def prepare(self, session: Session, values: dict[str, Any]) -> dict[str, Any]:
        """Create the key and the request."""
        algorithm = values.get("algorithm", certificates.RSA)
        parts = [part.split("=", 1) for part in values["subject_name"].split(",")]
        specification = CertificateSpecification(
            subject=tuple((name, text) for name, text in parts),
            names=alternatives(values),
            algorithm=algorithm,
            size=_size(algorithm, values.get("security_strength", 112)),
            hash_function=values.get("hash_function", "sha256"),
        )
        try:
            request = certificates.request(specification)
        except BadCertificate as error:
            raise errors.invalid(str(error), code=NO_REQUEST) from error
        return {"signing": {"csr": request.text, "generated_private_key": request.key}}

    def run(self, change: Change, values: dict[str, Any]) -> dict[str, Any]:
        """Return the key and the request."""
        return dict(values["signing"])


def _size(algorithm: str, strength: int) -> int:
    """Return the size of a key (NIST SP 800-57 part 1, table 2). Raises ApiError."""
    sizes = (
        {128: 256, 192: 384, 256: 521}
        if algorithm == certificates.EC
        else {112: 2048, 128: 3072, 152: 4096}
    )
    size = next((size for bits, size in sorted(sizes.items()) if strength <= bits), None)
    if size is None:
        text = f"There are no keys of {strength} bits of security with {algorithm}."
        raise errors.invalid(text, "security_strength")
    return size


class SignAction(Action):
    """Sign a certificate signing request."""

    path = "security/certificates/{uuid}/sign"
    doc = "Has an authority of the array sign a request for a certificate."
    model = Certificate
    prepares = True
    fields = (
        Field(
            "signing_request",
            Lines(PEM),
            "The request in PEM.",
            access=CREATE,
            required=True,
            code=BAD_FORMAT,
        ),
        Field("expiry_time", Expiry(), "When it ends; after a year unless given.", access=CREATE),
        Field("hash_function", Choice(*certificates.HASHES), "Hash that is signed.", access=CREATE),
    )
    answer = (Field("public_certificate", Lines(PEM), "The certificate in PEM."),)

    def prepare(self, session: Session, values: dict[str, Any]) -> dict[str, Any]:
        """Sign the request."""
        authority = session.get(Certificate, values["uuid"])
        if authority is None:
            raise errors.unknown(f'certificate "{values["uuid"]}"', "uuid")
        if authority.type != ROOT_CA or not authority.private_key:
            text = f'Certificate "{authority.name}" is not that of an authority of the array.'
            raise errors.conflict(text, "uuid", CANNOT_SIGN)
        try:
            text = certificates.sign(
                values["signing_request"],
                authority.public_certificate,
                authority.private_key,
                days_until(values.get("expiry_time")),
                values.get("hash_function", "sha256"),
            )
        except BadCertificate as error:
            raise errors.invalid(str(error), "signing_request", BAD_FORMAT) from error
        return {"signed": text}

    def run(self, change: Change, values: dict[str, Any]) -> dict[str, Any]:
        """Return the signed certificate."""
        return {"public_certificate": values["signed"]}
