"""Fixtures of unit tests of several layers; pytest puts this directory on the path for its sake."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import alike_applications
import alike_databases
import empty_database
import garbage
import pytest
from beginnings import KEY
from hypothesis import HealthCheck, settings
from passwords import hashed_quickly
from patience import patient as patient
from sqlalchemy import Engine
from standing_clock import clock as clock
from standing_clock import clock_of_all as clock_of_all
from toy import NODE, ToyBase

from sanstone.core import places, secrets
from sanstone.core.database import store
from sanstone.kernel.storage import disk_arrival
from sanstone.kernel.web import destination

# No test is about time, and one database serves all examples of a test: they only read it. The
# examples are the same at each run: a change is judged by itself alone.
settings.register_profile(
    "unit",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("unit")
collect_ignore = ["contributing"]
"""Files that come into copies of the tree; their tests run there."""
alike_applications.register()
alike_databases.register()


def pytest_collection_finish() -> None:
    """Begin."""
    garbage.collect_rarely()


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Passwords are hashed at the least cost."""
    with hashed_quickly():
        yield


@pytest.fixture(scope="session", autouse=True)
def servers_of_this_machine() -> Iterator[None]:
    """Servers of tests, which listen on this machine, may be named and connected to."""
    with (
        patch.object(destination, "require_permitted", lambda _: None),
        patch.object(destination, "require_elsewhere", lambda *_: None),
    ):
        yield


@pytest.fixture(autouse=True)
def quick_disks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disks that are there are all that there are."""
    monkeypatch.setattr(disk_arrival, "QUIET", 0.0)
    monkeypatch.setattr(disk_arrival, "QUIET_WITHOUT_DISKS", 0.0)


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """A database of the test's own, with the product's and the toys' tables, and a secret key."""
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    monkeypatch.setenv("SANSTONE_RUN", str(tmp_path))
    places.database_directory().mkdir()
    places.api_directory().mkdir()
    secrets.key_path().write_bytes(KEY)
    places.node_identity().write_text(NODE)
    store.path().write_bytes(empty_database.content(ToyBase.metadata))
    database = store.engine(store.path())
    yield database
    database.dispose()
