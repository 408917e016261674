"""Run openssl(1): the one place where keys and certificates are created, read and checked.

Its input is put into files in memory, so that no key is ever on a disk or in a list of arguments.
openssl writes keys to its standard output.
"""

from __future__ import annotations

import ipaddress
import re
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sanstone.core import errors
from sanstone.kernel import processes
from sanstone.kernel.host import CommandError, CommandTimeout

PROGRAM = "/usr/bin/openssl"
TIMEOUT = 30.0
"""Seconds for openssl: an RSA key of 4096 bits takes some, and clients time out after 45."""
_PEM = re.compile(r"-----BEGIN ([A-Z ]+)-----\n(?:(?!-----).)+?\n-----END \1-----\n?", re.DOTALL)
"""A block ends before the next one begins; otherwise a text of nothing but beginnings would be
searched to its end for each of them."""


class OpensslError(Exception):
    """openssl failed; the text is its first error message."""


@dataclass(frozen=True)
class Facts:
    """The content of a certificate; times are in seconds since 1970."""

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


def require() -> None:
    """Raise MissingPrograms if openssl is not installed."""
    processes.require([PROGRAM])


def run(arguments: Sequence[str], files: Mapping[str, str] | None = None) -> str:
    """Run openssl and return its output; `{name}` in an argument is the file of that name.

    Raises OpensslError, or ApiError when it does not answer in time.
    """
    try:
        return processes.run([PROGRAM, *arguments], files=files, time_limit=TIMEOUT)
    except CommandTimeout as error:
        text = (
            f"openssl {arguments[0]} did not answer within {TIMEOUT:.0f} s: the array is busy. "
            "Try again later, or ask for a smaller key."
        )
        raise errors.ApiError(503, errors.INTERNAL, text) from error
    except CommandError as error:
        lines = [line for line in error.stderr.splitlines() if line.strip()]
        raise OpensslError(lines[0] if lines else f"exit status {error.status}") from error


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the kind and text of each PEM block in a text, such as `CERTIFICATE`."""
    matches = _PEM.finditer(text.replace("\r\n", "\n"))
    return [(match[1], match[0].rstrip("\n") + "\n") for match in matches]


def facts(certificate: str) -> Facts:
    """Return the content of a certificate. Raises OpensslError.

    openssl accepts certificates with invalid times, and prints "Bad time value" for them.
    """
    shown = run(
        [
            *("x509", "-in", "{certificate}", "-noout", "-subject", "-issuer", "-serial"),
            *("-dates", "-dateopt", "iso_8601", "-nameopt", "utf8,sep_multiline,sname,-esc_msb"),
            *(
                "-ext",
                "basicConstraints,subjectAltName,subjectKeyIdentifier,authorityKeyIdentifier",
            ),
        ],
        {"certificate": certificate},
    )
    printed = run(["x509", "-in", "{certificate}", "-noout", "-text"], {"certificate": certificate})
    subject, _, rest = shown.partition("issuer=")
    issuer = rest.partition("serial=")[0]
    return Facts(
        common_name=_first_match(r"CN\s*=\s*(.+)", subject),
        issuer=_first_match(r"CN\s*=\s*(.+)", issuer),
        serial_number=_first_match(r"serial=([0-9A-F]+)", shown),
        begins=_moment(_first_match(r"notBefore=(.+)", shown)),
        ends=_moment(_first_match(r"notAfter=(.+)", shown)),
        subject_key=_first_match(r"Subject Key Identifier:.*\n\s*([0-9A-F:]+)", shown),
        authority_key=_first_match(
            r"Authority Key Identifier:.*\n\s*(?:keyid:)?([0-9A-F:]+)", shown
        ),
        names=tuple(
            _canonical(name.strip())
            for name in _first_match(r"Subject Alternative Name:.*\n\s*(.+)", shown).split(",")
            if name.strip()
        ),
        authority="CA:TRUE" in shown,
        hash_function=_first_match(r"signature algorithm: .*?(sha[0-9]+)", printed.lower()),
        key_size=int(_first_match(r"Public-Key: \(([0-9]+) bit", printed) or 0),
    )


def check_pair(chain: str, key: str) -> str:
    """Return why a web server could not serve a certificate chain with a key, '' if it could.

    It is loaded exactly as nginx will load it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with processes.in_memory("pair", key + chain) as path:
        try:
            # openssl would prompt for the password of an encrypted key.
            context.load_cert_chain(path, password=lambda: b"")
        except (ssl.SSLError, OSError) as error:
            return getattr(error, "reason", "") or str(error)
    return ""


def is_current(facts: Facts) -> bool:
    """Return whether a certificate is valid now."""
    return facts.begins <= time.time() < facts.ends


def _canonical(name: str) -> str:
    """Return an alternative name, an IP address in its usual spelling."""
    kind, _, value = name.partition(":")
    with suppress(ValueError):
        return f"{kind}:{ipaddress.ip_address(value)}" if kind == "IP Address" else name
    return name


def _first_match(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return match[1].strip() if match else ""


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except ValueError as error:
        raise OpensslError(f'"{text}" is no time') from error
