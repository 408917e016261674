"""Shelves as the array shows them."""

from __future__ import annotations

import pytest
from in_process import Array

SHELVES = "storage/shelves"


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("OK", "ok"),
        ("not installed", "ok"),
        ("non-critical", "warning"),
        ("critical", "error"),
        ("unrecoverable", "error"),
        ("unsupported", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_bay_shows_the_shelfs_facts(api: Array, status: str, state: str) -> None:
    bays = [{"id": 3, "disk": "", "status": status}]
    api.observe(SHELVES, "500605b0", vendor="V", model="M", bays=bays)
    shelf = api.get(f"{SHELVES}/500605b0")
    assert shelf["bays"] == [{"id": 3, "has_disk": False, "state": state}]
    assert shelf["disk_count"] == 0


def test_a_shelf_is_found_by_a_disk_in_it(api: Array) -> None:
    api.disk("1.0.1")
    for number, disk in enumerate(("serial:disk:1.0.1", "serial:of another")):
        bays = [{"id": 0, "disk": disk, "status": "OK"}]
        api.observe(SHELVES, f"shelf{number}", vendor="V", model="M", bays=bays)
    [record] = api.records(f"{SHELVES}?bays.disk.name=1.0.1")
    assert record["uid"] == "shelf0"
