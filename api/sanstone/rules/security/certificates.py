"""The web server's certificate, and the first one, which the array makes for itself."""

from __future__ import annotations

from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.model.security import SERVER, Certificate
from sanstone.security import certificates
from sanstone.security.certificates import CertificateSpecification
from sanstone.security.x509 import Facts


def served(session: Session) -> Certificate | None:
    """Return the certificate of the web server."""
    return session.scalar(_served())


@cache
def _served() -> Select[tuple[Certificate]]:
    return select(Certificate).filter_by(served=True)


def self_signed(common_name: str, names: tuple[str, ...]) -> Certificate:
    """Return a new self-signed server certificate, in no session."""
    specification = CertificateSpecification((("CN", common_name),), names)
    signed = certificates.self_signed(specification, 3650)
    row = certificate_of(
        SERVER, signed.text, signed.key, certificates.judge(signed.text, signed.key)
    )
    row.name = f"{row.common_name}_{row.serial_number}"
    return row


def certificate_of(kind: str, text: str, key: str, facts: Facts) -> Certificate:
    """Return a certificate of a type, and its key, both in PEM: in no session, without a name."""
    return Certificate(
        type=kind,
        common_name=facts.common_name,
        ca=facts.issuer,
        serial_number=facts.serial_number,
        expiry_time=facts.ends,
        subject_key_identifier=facts.subject_key,
        authority_key_identifier=facts.authority_key,
        names=list(facts.names),
        hash_function=facts.hash_function,
        key_size=facts.key_size,
        public_certificate=text,
        private_key=key,
    )
