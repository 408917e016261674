"""The cost of a request to the API, in calls of the array's own functions.

Calls are the same on every machine and at every time; seconds are not. Calls of functions of the
package `sanstone` count, and each time that one of its generators goes on.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from in_process import GIB, Array

import sanstone
from sanstone.core import jobs

LUNS = 22
PATH = "storage/luns"
OURS = str(Path(sanstone.__file__).parent)


class Calls(Counter[str]):
    """Calls by function in this thread, while it counts."""

    def _note(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            self[f"{frame.f_code.co_filename.removeprefix(OURS)}:{frame.f_code.co_name}"] += 1

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the calls inside."""
        before = sys.getprofile()
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)

    @contextmanager
    def pausing(self) -> Iterator[None]:
        """Count no calls inside."""
        before = sys.getprofile()
        sys.setprofile(None)
        try:
            yield
        finally:
            sys.setprofile(before)

    def most(self) -> str:
        """Return the functions with the most calls, for a test that fails."""
        return f"{self.total()} calls, most of them {self.most_common(12)}"


@pytest.fixture
def array(api: Array) -> Array:
    """An array with LUNs, on which each statement was compiled and each login remembered."""
    api.disks(8)
    api.aggregate()
    api.svm()
    api.volume()
    for number in range(LUNS):
        api.lun(f"/vol/vol1/lun{number}")
    api.get(f"{PATH}?fields=**")
    return api


def test_calls_of_creating_a_lun(array: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls()

    def reconcile() -> None:
        with calls.pausing():
            array.reconcile()

    monkeypatch.setattr(jobs, "wake", reconcile)
    lun = {"name": "/vol/vol1/new", "svm.name": "svm1", "os_type": "linux", "space.size": GIB}
    with calls.counting():
        response = array.call("POST", f"{PATH}?return_records=true", lun)
    assert response.status_code == 201
    assert calls.total() <= 800, calls.most()


def test_calls_of_listing_all_fields_of_luns(array: Array) -> None:
    calls = Calls()
    with calls.counting():
        records = array.records(f"{PATH}?fields=**")
    assert len(records) == LUNS
    assert "statistics" in records[0]
    assert calls.total() <= 5000, calls.most()
