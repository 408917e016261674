"""Hashes of passwords, by argon2id (RFC 9106), one at a time (see `gate`)."""

from __future__ import annotations

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from sanstone.security.gate import hashing

_hasher = PasswordHasher()


def hash_password(password: str) -> str:
    """Return the argon2id hash of a password. Raises ApiError when the gate is occupied."""
    with hashing.place():
        return _hasher.hash(password)


def verify_password(hashed: str, password: str) -> bool:
    """Return whether a password matches a hash. Raises ApiError when the gate is occupied."""
    try:
        with hashing.place():
            return _hasher.verify(hashed, password)
    except (VerifyMismatchError, InvalidHashError):
        return False
