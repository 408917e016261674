"""Secrets that the kernel needs in plain text, encrypted at rest under the array's own key.

CHAP and DH-HMAC-CHAP keys are encrypted with AES-256-GCM; only root and the API's user can read the
key's file, so that a copied database alone reveals nothing. A digest under that key replaces what
must be recognised again but never read, such as an unknown login name: it may be a password in the
wrong field. Passwords, which nobody needs in plain text, are hashed (`security.password_hashes`).
"""

from __future__ import annotations

import base64
import hmac
import os
from pathlib import Path
from typing import Any

from sanstone.core import places

_NONCE, _TAG, _KEY = 12, 16, 32


class KeyUnavailable(Exception):
    """The array's key file is missing or damaged."""


def key_path() -> Path:
    """Return the path of the key's file."""
    return places.state_directory() / "secret.key"


def new_key() -> bytes:
    """Return a random key for an array that has none."""
    return os.urandom(_KEY)


def _key() -> bytes:
    try:
        key = key_path().read_bytes()
    except OSError as error:
        raise KeyUnavailable(f"{key_path()}: {error.strerror}") from error
    if len(key) != _KEY:
        raise KeyUnavailable(f"{key_path()}: {len(key)} bytes instead of {_KEY}")
    return key


def _cipher(nonce: bytes) -> Any:
    # Its import takes 60 ms, since it has declarations in C parsed; most processes read no secret.
    from Cryptodome.Cipher import AES

    return AES.new(_key(), AES.MODE_GCM, nonce=nonce)


def encrypt(text: str) -> str:
    """Encrypt a secret; return it in base64. Raises KeyUnavailable."""
    nonce = os.urandom(_NONCE)
    sealed, tag = _cipher(nonce).encrypt_and_digest(text.encode())
    return base64.b64encode(nonce + tag + sealed).decode()


def decrypt(sealed: str) -> str:
    """Decrypt what `encrypt` returned. Raises KeyUnavailable, or ValueError when tampered with."""
    raw = base64.b64decode(sealed)
    nonce, tag, body = raw[:_NONCE], raw[_NONCE : _NONCE + _TAG], raw[_NONCE + _TAG :]
    opened: bytes = _cipher(nonce).decrypt_and_verify(body, tag)
    return opened.decode()


def digest(text: str) -> str:
    """Return a digest that only this array can compute. Raises KeyUnavailable."""
    return hmac.digest(_key(), text.encode("utf-8", "surrogatepass"), "sha256").hex()
