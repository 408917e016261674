"""Running openssl(1): the one place where keys and certificates are made, read and checked.

What openssl is to read is put into files in memory (memfd_create(2)) and named by their descriptor,
so that no key is ever on a disk or in a list of arguments. Keys are written by openssl to its
standard output.
"""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from sanstone.core import errors

PROGRAM = "/usr/bin/openssl"
TIMEOUT = 30.0
"""Seconds that it may take: an RSA key of 4096 bits needs some, and clients give up after 45."""
_PEM = re.compile(r"-----BEGIN ([A-Z ]+)-----\n(?:(?!-----).)+?\n-----END \1-----\n?", re.DOTALL)
"""A block ends before the next one begins, or a text of beginnings alone would be searched to its
end for each of them."""


class OpensslError(Exception):
    """openssl refused; the text is its first complaint."""


@dataclass(frozen=True)
class Facts:
    """What a certificate says of itself; times are in seconds since 1970."""

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


def run(arguments: Sequence[str], files: Mapping[str, str] | None = None) -> str:
    """Run openssl and return what it printed; `{name}` in an argument is the file of that name.

    Raises OpensslError, or ApiError when it does not answer in time.
    """
    with ExitStack() as stack:
        given = {n: stack.enter_context(_in_memory(text)) for n, text in (files or {}).items()}
        places = {name: f"/proc/self/fd/{number}" for name, number in given.items()}
        argv = [PROGRAM, *(places.get(a.strip("{}"), a) if a[:1] == "{" else a for a in arguments)]
        try:
            done = subprocess.run(
                argv,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                # Names in a certificate that somebody brings may be of any bytes.
                errors="replace",
                check=False,
                pass_fds=tuple(given.values()),
                env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin"},
                timeout=TIMEOUT,
            )
        except subprocess.TimeoutExpired as error:
            text = (
                f"openssl {arguments[0]} did not answer within {TIMEOUT:.0f} s: the array is busy. "
                "Try again later, or ask for a smaller key."
            )
            raise errors.ApiError(503, errors.INTERNAL, text) from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise OpensslError(lines[0] if lines else f"exit status {done.returncode}")
    return done.stdout


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the kind and text of each PEM block in a text, such as `CERTIFICATE`."""
    found = _PEM.finditer(text.replace("\r\n", "\n"))
    return [(match[1], match[0].rstrip("\n") + "\n") for match in found]


def facts(certificate: str) -> Facts:
    """Return what a certificate says. Raises OpensslError.

    openssl reads certificates whose times are none, and says "Bad time value" for them.
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
        common_name=_found(r"CN\s*=\s*(.+)", subject),
        issuer=_found(r"CN\s*=\s*(.+)", issuer),
        serial_number=_found(r"serial=([0-9A-F]+)", shown),
        begins=_moment(_found(r"notBefore=(.+)", shown)),
        ends=_moment(_found(r"notAfter=(.+)", shown)),
        subject_key=_found(r"Subject Key Identifier:.*\n\s*([0-9A-F:]+)", shown),
        authority_key=_found(r"Authority Key Identifier:.*\n\s*(?:keyid:)?([0-9A-F:]+)", shown),
        names=tuple(
            _canonical(name.strip())
            for name in _found(r"Subject Alternative Name:.*\n\s*(.+)", shown).split(",")
            if name.strip()
        ),
        authority="CA:TRUE" in shown,
        hash_function=_found(r"signature algorithm: .*?(sha[0-9]+)", printed.lower()),
        key_size=int(_found(r"Public-Key: \(([0-9]+) bit", printed) or 0),
    )


def check_pair(chain: str, key: str) -> str:
    """Return why a web server could not serve a certificate chain with a key, '' if it could.

    It is loaded just as nginx will load it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with _in_memory(key + chain) as number:
        try:
            # An encrypted key would be asked for at a terminal.
            context.load_cert_chain(f"/proc/self/fd/{number}", password=lambda: b"")
        except (ssl.SSLError, OSError) as error:
            return getattr(error, "reason", "") or str(error)
    return ""


def is_current(known: Facts) -> bool:
    """Return whether a certificate is valid now."""
    return known.begins <= time.time() < known.ends


@contextmanager
def _in_memory(text: str) -> Iterator[int]:
    """Give a file in memory, which other users cannot open."""
    number = os.memfd_create("openssl", os.MFD_CLOEXEC)
    with os.fdopen(number, "w") as file:
        file.write(text)
        file.flush()
        yield number


def _canonical(name: str) -> str:
    """Return an alternative name with an IP address, if it is one, as everybody else writes it."""
    kind, _, value = name.partition(":")
    with suppress(ValueError):
        return f"{kind}:{ipaddress.ip_address(value)}" if kind == "IP Address" else name
    return name


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return match[1].strip() if match else ""


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except ValueError as error:
        raise OpensslError(f'"{text}" is no time') from error
