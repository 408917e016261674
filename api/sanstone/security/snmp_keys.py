"""Keys of SNMPv3 users (USM), derived from their passwords, so that nobody keeps the passwords.

A password becomes a key, and that is localized: it is of use to one SNMP engine alone (RFC 3414,
A.2; with SHA-2 RFC 7860, 9.3). The engine of the array is named by its UUID, so that keys stay
valid where a machine that is installed afresh takes the configuration back.
"""

from __future__ import annotations

import hashlib
import uuid

SHA, SHA_256 = "sha", "sha2_256"
AES_128 = "aes128"
NONE = "none"
_HASHES = {SHA: "sha1", SHA_256: "sha256"}
_EXPANDED = 1 << 20
"""Octets that a password is repeated to before it is hashed."""
_AES_KEY = 16
"""Octets of a key of AES-128 (RFC 3826, 3.1.2.1)."""
_FORMAT = "80001f8805"
"""Beginning of an engine's id (RFC 3411, SnmpEngineID): the number of net-snmp, which the engine
is, and that the octets behind it are chosen by who runs it."""
SHORTEST = 8
"""Fewest characters of a password (RFC 3414, 11.2)."""


def engine_id(array_uuid: str) -> str:
    """Return the id of the array's SNMP engine, as hexadecimal digits."""
    return _FORMAT + uuid.UUID(array_uuid).hex


def authentication_key(password: str, protocol: str, engine: str) -> str:
    """Return the key by which messages are signed, as hexadecimal digits."""
    return _localized(password, protocol, engine).hex()


def privacy_key(password: str, protocol: str, engine: str) -> str:
    """Return the key by which messages are encrypted by AES-128, as hexadecimal digits.

    `protocol` is that of the user's authentication: its hash makes this key too.
    """
    return _localized(password, protocol, engine)[:_AES_KEY].hex()


def _localized(password: str, protocol: str, engine: str) -> bytes:
    name, password_bytes = _HASHES[protocol], password.encode()
    repeated = (password_bytes * (_EXPANDED // len(password_bytes) + 1))[:_EXPANDED]
    key = hashlib.new(name, repeated, usedforsecurity=True).digest()
    return hashlib.new(name, key + bytes.fromhex(engine) + key).digest()
