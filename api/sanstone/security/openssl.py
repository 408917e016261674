"""Run openssl(1), and OpenSSL in this process: where keys and certificates are created and checked.

`security.x509` reads certificates.

Its input is put into files in memory, so that no key is ever on a disk or in a list of arguments.
openssl writes keys to its standard output.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping, Sequence

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


def require_loadable(certificates: str) -> None:
    """Raise OpensslError for certificates in PEM that OpenSSL cannot load.

    With such an authority of clients nginx would not start, and no server could be verified by it.
    Python loads no text with other characters than ASCII, be they outside of the blocks.
    """
    if not certificates.isascii():
        raise OpensslError("PEM has ASCII characters alone")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=certificates)
    except (ssl.SSLError, ValueError) as error:
        raise OpensslError(getattr(error, "reason", "") or str(error)) from error


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
