"""Logins by password, with one process's authenticator, and the hashes that they cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, func, select
from standing_clock import Clock

from sanstone.core.database.store import reading, writing
from sanstone.core.errors import ApiError
from sanstone.model.security import Account
from sanstone.security import password_hashes
from sanstone.security.authentication import Authenticator

HERE, THERE = "10.0.0.1", "10.0.0.2"
Check = Callable[..., bool]


@pytest.fixture
def hashed(toys: Engine, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stored hashes that passwords were compared with; there are accounts admin and viewer."""
    with writing(toys) as session:
        session.add(Account(name="admin", password=password_hashes.hash_password("right")))
        session.add(
            Account(name="viewer", password=password_hashes.hash_password("right"), role="readonly")
        )
    compared: list[str] = []
    verify = password_hashes.verify_password

    def counted(stored: str, password: str) -> bool:
        compared.append(stored)
        return verify(stored, password)

    monkeypatch.setattr(password_hashes, "verify_password", counted)
    return compared


@pytest.fixture
def check(toys: Engine, hashed: list[str]) -> Check:
    """Check a name and a password from an address with one process's authenticator."""
    authenticator = Authenticator(toys)

    def checked(name: str = "admin", password: str = "right", address: str = HERE) -> bool:
        login = authenticator.check(name, password, address)
        assert login is None or (login.account.name, login.user) == (name, name)
        return login is not None

    return checked


def waits(check: Check, name: str = "admin", password: str = "right", address: str = HERE) -> int:
    """Assert that an attempt is refused unseen, and return the seconds after which to try again."""
    with pytest.raises(ApiError) as error:
        check(name, password, address)
    assert (error.value.status, error.value.code) == (429, "65538")
    return error.value.retry_after


def count(database: Engine, table: type) -> int:
    """Return the number of rows of a table."""
    with reading(database) as session:
        return session.scalar(select(func.count()).select_from(table)) or 0
