"""The cost of a request to the API for LUNs, in calls of the array's own functions."""

from __future__ import annotations

import pytest
from counted_calls import Calls
from in_process import GIB, Array

from sanstone.core import jobs

LUNS = 22
PATH = "storage/luns"


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
