"""Read certificates (RFC 5280) and requests for them (RFC 2986) that somebody brings.

asn1crypto reads them in this process, and only the parts that are used. So a certificate is loaded
by OpenSSL besides, before it is taken (`openssl.require_loadable`). Kinds of keys that asn1crypto
does not know, such as ML-DSA, make a certificate unreadable.
"""

from __future__ import annotations

import ipaddress
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from asn1crypto import csr, pem, x509

_BITS_OF_CURVES = {"secp521r1": 521}
"""asn1crypto tells the whole bytes of a curve's keys: this one's are 66."""
_DNS_NAME = re.compile(r"[A-Za-z0-9*._-]+")


class Unreadable(Exception):
    """A certificate or request cannot be read; the text says why."""


@dataclass(frozen=True)
class Facts:
    """The content of a certificate; times are in seconds since 1970.

    Names are `DNS:…` and `IP Address:…`; other names are left out. Sizes of keys are in bits, 0 for
    kinds other than RSA and elliptic curves.
    """

    common_name: str
    issuer: str
    serial_number: str
    begins: float
    ends: float
    subject_key: str
    authority_key: str
    names: tuple[str, ...]
    authority: bool
    hash_function: str
    key_size: int

    @property
    def is_current(self) -> bool:
        """Whether the certificate is valid now."""
        return self.begins <= time.time() < self.ends


def facts(certificate: str) -> Facts:
    """Return the content of a certificate in PEM. Raises Unreadable."""
    with _reading():
        read = x509.Certificate.load(_der(certificate), strict=True)
        constraints = read.basic_constraints_value
        authority_key = read.authority_key_identifier_value
        return Facts(
            common_name=_common_name(read.subject),
            issuer=_common_name(read.issuer),
            serial_number=_hexadecimal(read.serial_number),
            begins=read.not_valid_before.timestamp(),
            ends=read.not_valid_after.timestamp(),
            subject_key=_identifier(read.key_identifier),
            authority_key=_identifier(authority_key and authority_key["key_identifier"].native),
            names=tuple(_names(read.subject_alt_name_value or ())),
            authority=bool(constraints and constraints["ca"].native),
            hash_function=read["signature_algorithm"].hash_algo,
            key_size=_key_size(read.public_key),
        )


def requested_names(request: str) -> tuple[str, ...]:
    """Return the names that a request in PEM asks for, written as in Facts. Raises Unreadable."""
    with _reading():
        read = csr.CertificationRequest.load(_der(request), strict=True)
        return tuple(
            name
            for attribute in read["certification_request_info"]["attributes"]
            if attribute["type"].native == "extension_request"
            for extensions in attribute["values"]
            for extension in extensions
            if extension["extn_id"].native == "subject_alt_name"
            for name in _names(extension["extn_value"].parsed)
        )


@contextmanager
def _reading() -> Iterator[None]:
    """Raise Unreadable for what asn1crypto raises: KeyError is for an unknown kind of key."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise Unreadable(str(error).partition("\n")[0]) from error


def _der(text: str) -> bytes:
    _, _, der = pem.unarmor(text.encode())
    return bytes(der)


def _common_name(name: x509.Name) -> str:
    """Return the first common name, '' without any; what cannot be shown of it is left out."""
    for attribute in (each for part in name.chosen for each in part):
        if attribute["type"].native == "common_name":
            return "".join(filter(str.isprintable, attribute["value"].native)).strip()
    return ""


def _hexadecimal(number: int) -> str:
    """Return whole bytes, as openssl(1) shows a serial number."""
    digits = f"{number:X}"
    return digits.zfill(len(digits) + len(digits) % 2)


def _identifier(key: bytes | None) -> str:
    return key.hex(":").upper() if key else ""


def _names(names: Any) -> Iterator[str]:
    """Yield the alternative names. Those that are none, as browsers see them, are left out.

    The names may stand in a configuration of openssl(1).
    """
    for name in names:
        content = name.chosen.contents
        if name.name == "dns_name" and _DNS_NAME.fullmatch(text := content.decode("latin-1")):
            yield f"DNS:{text}"
        elif name.name == "ip_address" and len(content) in (4, 16):
            yield f"IP Address:{ipaddress.ip_address(content)}"


def _key_size(key: x509.PublicKeyInfo) -> int:
    if key.algorithm in ("rsa", "rsassa_pss"):
        return int(key["public_key"].parsed["modulus"].native.bit_length())
    if key.algorithm == "ec":
        curve = key["algorithm"]["parameters"]
        return int(_BITS_OF_CURVES.get(curve.native, 8 * curve.key_size))
    return 0
