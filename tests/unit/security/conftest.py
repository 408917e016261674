"""Logins by password, with one process's authenticator."""

from __future__ import annotations

from logins_by_password import check, hashed

__all__ = ("check", "hashed")
