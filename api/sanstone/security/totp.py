"""Time-based one-time passwords (RFC 6238): six digits of HMAC-SHA-1, a new one every 30 s.

These are the parameters that every authenticator app takes by default. Nothing here reads or writes
a database; see `second_factor`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets as chance
import struct
from urllib.parse import quote, urlencode

from sanstone.core import secrets

STEP = 30
"""Seconds for which a code is the current one."""
DIGITS = 6
DRIFT = 1
"""Steps by which the clock of who shows a code may differ, either way (RFC 6238, 5.2)."""
EMERGENCY_CODES, EMERGENCY_DIGITS = 5, 8
_SECRET_BYTES = 20
"""As many as the hash has (RFC 4226, 4)."""


def new_secret() -> str:
    """Return a random secret in base32, as apps take it."""
    return base64.b32encode(chance.token_bytes(_SECRET_BYTES)).decode()


def fingerprint(secret: str) -> str:
    """Return the SHA-256 of a secret in hexadecimal digits: it tells secrets apart."""
    return hashlib.sha256(secret.encode()).hexdigest()


def step_at(seconds: float) -> int:
    """Return the step of a moment, in seconds since 1970."""
    return int(seconds // STEP)


def code_of(secret: str, step: int, digits: int = DIGITS) -> str:
    """Return the code of a step (RFC 4226, 5.3)."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", step), "sha1")
    offset = digest[-1] & 0x0F
    (number,) = struct.unpack_from(">I", digest, offset)
    return f"{(number & 0x7FFF_FFFF) % 10**digits:0{digits}}"


def matching_step(secret: str, code: str, now: float) -> int | None:
    """Return the step with this code, None if no step near `now` has it."""
    current = step_at(now)
    matching = None
    # All are compared, whichever it is.
    for step in range(current - DRIFT, current + DRIFT + 1):
        if hmac.compare_digest(code_of(secret, step).encode(), code.encode()):
            matching = step
    return matching


def uri(secret: str, array: str, account: str) -> str:
    """Return the `otpauth:` URI by which an app takes over a secret, mostly from a QR code."""
    label = quote(f"{array}:{account}", safe=":")
    query = urlencode({"secret": secret, "issuer": array}, quote_via=quote)
    return f"otpauth://totp/{label}?{query}"


def new_emergency_codes() -> list[str]:
    """Return random codes; each stands for one code of the app."""
    most = 10**EMERGENCY_DIGITS
    codes: dict[str, None] = {}
    while len(codes) < EMERGENCY_CODES:
        codes[f"{chance.randbelow(most):0{EMERGENCY_DIGITS}}"] = None
    return list(codes)


def emergency_digest(account: str, code: str) -> str:
    """Return the digest to store of an emergency code of the account with this UUID.

    The array's key is in it: eight digits alone would be found by trying them all.
    """
    return secrets.digest(f"emergency code\0{account}\0{code}")
