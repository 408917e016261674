"""The name in a client's certificate, from the web server.

The web server verifies the certificate against the authorities of type `client_ca`, and passes its
subject on (etc/nginx/nginx.conf). The common name is the account's.
"""

from __future__ import annotations

import re

_PART = re.compile(r"(?:\\.|[^\\,+])+", re.DOTALL)
"""An attribute of a name; `,` and `+` separate them unless a backslash is before."""
_ESCAPED = re.compile(rb"\\([0-9A-Fa-f]{2}|.)", re.DOTALL)


def common_name(subject: str) -> str:
    """Return the one common name in a distinguished name in the form of RFC 2253.

    Return '' where there is none, or more than one: it would be up to the reader whom they name.
    """
    attributes = (part.partition("=") for part in _PART.findall(subject))
    names = [value for kind, _, value in attributes if kind.strip().upper() == "CN"]
    if len(names) != 1:
        return ""
    try:
        name = _ESCAPED.sub(_unescaped, names[0].encode("latin-1")).decode()
    except UnicodeError:
        return ""
    return name if name.isprintable() else ""


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes.fromhex(match[1].decode()) if len(match[1]) == 2 else match[1]
