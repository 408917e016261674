"""The array that all tests of the contract share, brought back to its beginning after each."""

from __future__ import annotations

from collections.abc import Iterator

import garbage
import pytest
from furnished_array import FurnishedArray, restored
from lacking import lacking
from passwords import hashed_quickly
from patience import patient as patient
from simulator import Snapshot, simulated
from standing_clock import clock_of_all as clock_of_all

from sanstone.core import build

BUILD = build.Build("5a" * 20, 1_790_000_000, development=True)


def pytest_sessionstart() -> None:
    """Refuse to begin without an example of everything, and name the missing ones."""
    if texts := list(lacking()):
        raise pytest.UsageError("\n".join(texts))


def pytest_collection_finish() -> None:
    """Begin."""
    garbage.collect_rarely()


@pytest.fixture(scope="session")
def furnished(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[FurnishedArray, Snapshot]]:
    """An array with every example in it, and how it began."""
    folder = tmp_path_factory.mktemp("array")
    with pytest.MonkeyPatch.context() as patched, hashed_quickly(), simulated(folder) as simulator:
        patched.setattr(build, "running", lambda: BUILD)
        array = FurnishedArray(simulator)
        array.furnish()
        yield array, simulator.snapshot(folder / "beginning", running=True)


@pytest.fixture
def array(furnished: tuple[FurnishedArray, Snapshot]) -> Iterator[FurnishedArray]:
    """The array, which is restored after each test."""
    shared, beginning = furnished
    with restored(shared, beginning):
        yield shared
