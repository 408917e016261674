"""Passwords for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import argon2
import pytest

from sanstone.core import secrets


@contextmanager
def hashed_quickly() -> Iterator[None]:
    """Have passwords hashed as the product does, but for the effort: no test is about that."""
    with pytest.MonkeyPatch.context() as patch:
        quick = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(secrets, "_hasher", quick)
        yield
