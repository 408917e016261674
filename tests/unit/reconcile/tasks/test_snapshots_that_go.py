"""Snapshots go by themselves when a volume is short of space, those alone that may, and no more."""

from __future__ import annotations

from typing import Any

import pytest
from machine_state import pools
from scenarios import aggregate, chain, svm
from simulator import Simulator

from fakes.thin_pool import ThinPool
from sanstone.system import slot_report

MIB = 1024**2
SIZE = 64 * MIB
WRITTEN = 8 * MIB
LUNS, VOLUMES, LUN = "storage/luns", "storage/volumes", "/vol/vol1/lun"
EVENT = "wafl.volume.snap.autoDelete"
NAMES = ("first", "second", "third", "fourth")
ON = {"enabled": True, "target_free_space": 35, "defer_delete": "none"}


@pytest.fixture
def full(array: Simulator, clock: Any) -> Simulator:
    """An array with a volume in which 4 snapshots hold 8 MiB each, and a LUN takes 24 of 64 MiB.

    So 56 of 64 MiB are in use, where the threshold is 85 percent.
    """
    chain(aggregate, svm)(array)
    body = {"svm.name": "svm1", "name": "vol1", "size": SIZE, "aggregates": [{"name": "aggr1"}]}
    array.do("POST", VOLUMES, body)
    body = {"svm.name": "svm1", "name": LUN, "os_type": "linux", "space.size": SIZE}
    array.do("POST", LUNS, body)
    write(array, 3 * WRITTEN)
    for name in NAMES:
        clock.now += 60
        array.do("POST", snapshots(array), {"name": name})
        write(array, WRITTEN)
    measure(array)
    return array


def pool(array: Simulator) -> ThinPool:
    [found] = pools(array.kernel).values()
    return found


def write(array: Simulator, size: int) -> None:
    [target] = array.kernel.mapper.table(f"sanstone-{array.uuid_of(LUNS, LUN)}")
    pool(array).write(int(target.arguments.split()[1]), size)


def measure(array: Simulator) -> None:
    array.settle()
    array.measure()


def look(array: Simulator) -> None:
    """Let the turns pass in which the array notices and acts."""
    for _ in range(2):
        array.settle()


def volume(array: Simulator) -> str:
    return f"{VOLUMES}/{array.uuid_of(VOLUMES, 'vol1')}"


def snapshots(array: Simulator) -> str:
    return f"{volume(array)}/snapshots"


def names(array: Simulator) -> list[str]:
    return [row["name"] for row in array.get(snapshots(array))["records"]]


def switch_on(array: Simulator, **more: Any) -> None:
    array.do("PATCH", volume(array), {"space.snapshot.autodelete": ON | more})
    look(array)


def messages(array: Simulator, name: str = EVENT) -> list[str]:
    events = array.get(f"support/ems/events?message.name={name}&fields=log_message")
    return [event["log_message"] for event in events["records"]]


def test_the_oldest_go_until_the_target_is_free(full: Simulator) -> None:
    look(full)
    assert names(full) == list(NAMES)
    occupied = pool(full).used
    switch_on(full)
    assert names(full) == ["third", "fourth"]
    assert pool(full).used == occupied - 2 * WRITTEN
    assert [text.split('"')[1] for text in messages(full)] == ["first", "second"]
    assert 'of volume "vol1" of SVM "svm1"' in messages(full)[0]
    look(full)
    assert names(full) == ["third", "fourth"]


def test_the_newest_go_one_by_one_as_it_is_known_what_is_left(full: Simulator) -> None:
    switch_on(full, delete_order="newest_first")
    assert names(full) == ["first", "second", "third"]
    look(full)
    assert names(full) == ["first", "second", "third"]
    measure(full)
    look(full)
    assert len(names(full)) <= 3


def test_those_whose_names_begin_with_the_prefix_go_last(full: Simulator) -> None:
    switch_on(full, defer_delete="prefix", prefix="fir")
    assert "first" in names(full)
    assert "second" not in names(full)


@pytest.mark.parametrize(("commitment", "stays"), [("try", True), ("destroy", False)])
def test_what_a_volume_is_a_clone_of_goes_where_it_may_and_the_clone_stays(
    full: Simulator, commitment: str, stays: bool
) -> None:
    body = {"svm.name": "svm1", "name": "clone1", "clone.is_flexclone": True}
    parent = {"clone.parent_volume.name": "vol1", "clone.parent_snapshot.name": "first"}
    full.do("POST", VOLUMES, body | parent)
    switch_on(full, commitment=commitment)
    assert ("first" in names(full)) == stays
    assert (
        full.get(f"{VOLUMES}/{full.uuid_of(VOLUMES, 'clone1')}")["clone"]["is_flexclone"] == stays
    )
    assert any("clone1" in text for text in messages(full)) != stays


@pytest.mark.parametrize(("commitment", "stays"), [("try", True), ("disrupt", False)])
def test_what_is_of_a_group_goes_where_it_may(
    full: Simulator, commitment: str, stays: bool
) -> None:
    body = {"svm.name": "svm1", "name": "g", "volumes": [{"name": "vol1"}]}
    group = full.make("application/consistency-groups", body)
    path = f"application/consistency-groups/{group['uuid']}/snapshots"
    for name in ("first", "second"):
        [row] = full.get(f"{snapshots(full)}?name={name}")["records"]
        full.do("DELETE", f"{snapshots(full)}/{row['uuid']}")
    full.do("POST", path, {"name": "together"})
    write(full, 3 * WRITTEN)
    measure(full)
    switch_on(full, commitment=commitment, target_free_space=60)
    assert ("together" in names(full)) == stays
    assert "third" not in names(full)


def test_one_that_has_not_reached_its_time_of_expiry_stays(full: Simulator) -> None:
    [row] = full.get(f"{snapshots(full)}?name=first")["records"]
    expiry = {"expiry_time": "2099-01-01T00:00:00Z"}
    full.do("PATCH", f"{snapshots(full)}/{row['uuid']}", expiry)
    switch_on(full, commitment="destroy", target_free_space=100)
    write(full, 6 * WRITTEN)
    for _ in range(3):
        measure(full)
        look(full)
    assert names(full) == ["first"]


def test_those_beyond_their_share_go_whatever_the_volume_has_left(full: Simulator) -> None:
    body = {"size": 4 * SIZE, "space.snapshot.reserve_percent": 10}
    full.do("PATCH", volume(full), body)
    switch_on(full)
    assert names(full) == list(NAMES)
    switch_on(full, trigger="snap_reserve")
    assert names(full) == ["third", "fourth"]
    assert "of its share" in messages(full)[0]


def test_a_volume_that_may_grow_grows_before_and_loses_snapshots_at_its_maximum(
    full: Simulator,
) -> None:
    grows = {"autosize": {"mode": "grow", "maximum": SIZE * 5 // 4}}
    full.do("PATCH", volume(full), grows)
    switch_on(full)
    assert names(full) == list(NAMES)
    assert full.get(volume(full))["size"] > SIZE
    write(full, 6 * WRITTEN)
    measure(full)
    look(full)
    look(full)
    assert full.get(volume(full))["size"] == SIZE * 5 // 4
    assert "first" not in names(full)


def test_snapshots_go_first_where_that_is_said(full: Simulator) -> None:
    full.do("PATCH", volume(full), {"space.mgmt_try_first": "snap_delete"})
    grows = {"autosize": {"mode": "grow", "maximum": 4 * SIZE}, "space.snapshot.autodelete": ON}
    full.do("PATCH", volume(full), grows)
    look(full)
    assert names(full) == ["third", "fourth"]
    assert full.get(volume(full))["size"] == SIZE


def test_none_goes_on_trial(full: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot_report, "on_trial", lambda: True)
    switch_on(full)
    assert names(full) == list(NAMES)
