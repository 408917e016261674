"""What unit tests of several layers share; pytest puts this directory on the path for its sake."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from toy import ToyBase

from sanstone.core import secrets, store
from sanstone.core.store import Base


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """A database with the product's tables and those of the toy resources, and its secret key."""
    monkeypatch.setenv("SANSTONE_DATABASE", str(tmp_path / "sanstone.db"))
    monkeypatch.setenv("SANSTONE_RUN", str(tmp_path))
    secrets.create_key(secrets.key_path())
    database = store.engine(store.path())
    Base.metadata.create_all(database)
    ToyBase.metadata.create_all(database)
    yield database
    database.dispose()
