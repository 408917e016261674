"""Passwords for arrays that nobody gave one."""

from __future__ import annotations

import secrets


def random_password() -> str:
    """Return a password as the array's rules want them: with letters and digits."""
    return f"{secrets.token_urlsafe(12)}-a1"
