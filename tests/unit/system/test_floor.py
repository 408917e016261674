"""Which release is older than which, and which is too old for an array."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeKernel
from sanstone.system import floor
from sanstone.system.bundles import BundleRefused

ORDER = (
    *("0.1.0", "0.2", "0.10.0", "1.0-rc1", "1.0-rc2", "1.0-rc10", "1.0", "1.0.1~beta", "1.0.1"),
    *("1.1", "1.1.a", "2", "10.0"),
)


@pytest.mark.parametrize("pair", list(pairwise(ORDER)))
def test_an_older_release(pair: tuple[str, str]) -> None:
    older, newer = pair
    assert floor.rank(older) < floor.rank(newer)


@pytest.mark.parametrize("same", ["1.0", "1", "1.0.0+20261129"])
def test_the_same_release(same: str) -> None:
    assert floor.rank(same) == floor.rank("1.0")


def slot(version: str, *, current: bool = False, good: bool = False) -> dict[str, Any]:
    return {"version": version, "is_current": current, "good": good}


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (slot("2.0", good=True), "2.0"),
        (slot("2.0"), "1.0"),
        (slot("", good=True), "1.0"),
        (slot("0.9", good=True), "1.0"),
    ],
    ids=["served", "never served", "unreadable", "older"],
)
def test_the_floor_is_the_newest_that_runs_or_has_served(other: Any, expected: str) -> None:
    assert floor.of({"a": slot("1.0", current=True), "b": other}) == expected


def test_an_older_one_is_taken_if_the_console_has_accepted_that_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    slots = {"a": slot("2.0", current=True), "b": slot("")}
    floor.check("2.0", slots)
    with pytest.raises(BundleRefused, match=r"1\.5 is older than 2\.0"):
        floor.check("1.5", slots)
    files = FakeKernel().host.files
    floor.accept(files, tmp_path, "1.5")
    floor.check("1.5", slots)
    with pytest.raises(BundleRefused):
        floor.check("1.4", slots)
    floor.forget(files)
    with pytest.raises(BundleRefused):
        floor.check("1.5", slots)
