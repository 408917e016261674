"""Passwords for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import argon2
import pytest

from sanstone.security import password_hashes


@contextmanager
def hashed_quickly() -> Iterator[None]:
    """Have passwords hashed as the product does, but for the effort: no test is about that."""
    with pytest.MonkeyPatch.context() as patch:
        quick = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(password_hashes, "_hasher", quick)
        yield
