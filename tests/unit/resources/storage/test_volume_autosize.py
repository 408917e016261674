"""How the size of a volume follows its use: settings, what the API shows, what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import GIB, Array

PATH = "storage/volumes"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with the aggregate aggr1 and the SVM svm1."""
    api.disks(12)
    api.aggregate()
    api.svm()
    return api


def created(array: Array, **more: Any) -> tuple[str, dict[str, Any]]:
    """Create a volume; return its path and its autosize."""
    record = array.make(PATH, {"name": "v", "svm": {"name": "svm1"}, "size": GIB, **more})
    return f"{PATH}/{record['uuid']}", record["autosize"]


def autosize(array: Array, path: str) -> dict[str, Any]:
    shown: dict[str, Any] = array.get(path)["autosize"]
    return shown


def test_it_is_off_with_the_limits_that_it_would_have(array: Array) -> None:
    assert created(array)[1] == {
        "mode": "off",
        "maximum": GIB * 120 // 100,
        "minimum": GIB,
        "grow_threshold": 85,
        "shrink_threshold": 50,
    }


def test_what_is_set_is_shown(array: Array) -> None:
    sent = {
        "mode": "grow_shrink",
        "maximum": 3 * GIB,
        "minimum": GIB // 2,
        "grow_threshold": 90,
        "shrink_threshold": 40,
    }
    assert created(array, autosize=sent, **{"guarantee.type": "volume"})[1] == sent


def test_limits_are_fixed_when_it_is_switched_on(array: Array) -> None:
    path, _ = created(array)
    array.patch(path, {"size": 2 * GIB})
    assert autosize(array, path)["maximum"] == 2 * GIB * 120 // 100
    array.patch(path, {"autosize.mode": "grow"})
    array.patch(path, {"size": 2 * GIB + GIB // 4})
    shown = autosize(array, path)
    assert (shown["maximum"], shown["minimum"]) == (2 * GIB * 120 // 100, 2 * GIB)


def test_limits_follow_a_size_that_somebody_sets_beyond_them(array: Array) -> None:
    path, _ = created(array, autosize={"mode": "grow_shrink", "maximum": 2 * GIB})
    array.patch(path, {"size": 3 * GIB})
    assert autosize(array, path)["maximum"] == 3 * GIB * 120 // 100
    array.patch(path, {"size": GIB // 2})
    assert autosize(array, path)["minimum"] == GIB // 2


def test_a_maximum_that_the_size_has_passed_is_none_when_it_is_switched_on(array: Array) -> None:
    path, _ = created(array, autosize={"maximum": GIB // 2})
    array.patch(path, {"autosize.mode": "grow"})
    assert autosize(array, path)["maximum"] == GIB * 120 // 100


@pytest.mark.parametrize(
    ("size", "percent"), [(19, 85), (20, 90), (100, 92), (500, 95), (1024, 98)]
)
def test_larger_volumes_grow_later(array: Array, size: int, percent: int) -> None:
    assert created(array, size=size * GIB)[1]["grow_threshold"] == percent


@pytest.mark.parametrize(
    ("sent", "target"),
    [
        ({"mode": "grow", "maximum": GIB // 2}, "autosize.maximum"),
        ({"mode": "grow_shrink", "minimum": 2 * GIB}, "autosize.minimum"),
        ({"grow_threshold": 40, "shrink_threshold": 40}, "autosize.shrink_threshold"),
        ({"mode": "sometimes"}, "autosize.mode"),
    ],
)
def test_what_cannot_be_is_refused(array: Array, sent: dict[str, Any], target: str) -> None:
    body = {"name": "v", "svm": {"name": "svm1"}, "size": GIB, "autosize": sent}
    assert array.refuse("POST", PATH, "262197", body)["target"] == target


def test_a_volume_grows_before_it_would_shrink(array: Array) -> None:
    assert created(array, autosize={"grow_threshold": 30})[1]["shrink_threshold"] == 15
