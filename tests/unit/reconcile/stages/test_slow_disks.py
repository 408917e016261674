"""Disks that answer far slower than the others of their RAID group."""

from __future__ import annotations

import pytest
from scenarios import aggregate
from simulator import Begin, Simulator
from standing_clock import Clock

from sanstone.reconcile.stages.raid import GRACE
from sanstone.reconcile.stages.slow_disks import FEWEST, NOTICED, PATIENCE, TIMES, WINDOW

MEMBERS = ("sda", "sdb", "sdc", "sdd", "sde", "sdf")


@pytest.fixture
def begin() -> Begin:
    """An aggregate of six disks; two are spares."""
    return aggregate


@pytest.fixture(autouse=True)
def started(array: Simulator, clock: Clock) -> None:
    """Have the array run for a while."""
    clock.now += max(GRACE, WINDOW)
    array.settle()


def serve(
    array: Simulator, clock: Clock, slow: float, usual: float = 4.0, requests: int = 2 * FEWEST
) -> None:
    """Have all disks serve for a minute, the second one in `slow` ms each, others as usual."""
    for name in MEMBERS:
        each = array.kernel.storage.disks.present[name]
        reads, *between, milliseconds = each.io[:4]
        took = int(requests * (slow if name == "sdb" else usual))
        each.io = (reads + requests, *between, milliseconds + took, *each.io[4:])
    clock.now += WINDOW
    array.settle()


def messages(array: Simulator) -> list[str]:
    """Return the messages of the events about slow disks."""
    path = "support/ems/events?message.name=disk.slow&fields=log_message"
    return [str(event["log_message"]) for event in array.get(path)["records"]]


def is_member(array: Simulator, name: str) -> bool:
    """Return whether a disk is in the aggregate."""
    for _ in range(3):
        array.settle()
    return bool(array.get(f"storage/disks/{name}?fields=aggregates")["aggregates"])


def keep_all(array: Simulator) -> None:
    """Have no disk copied that ails."""
    path = "private/cli/storage/raid-options?name=raid.disk.copy.auto.enable"
    array.do("PATCH", path, {"value": "off"})


def test_a_lastingly_slow_disk_is_an_event_and_is_copied(array: Simulator, clock: Clock) -> None:
    for _ in range(PATIENCE - 1):
        serve(array, clock, 4.0 * TIMES)
    assert messages(array) == []
    serve(array, clock, 4.0 * TIMES)
    [text] = messages(array)
    assert 'Disk 1.0.2 of aggregate "aggr1" answers far slower' in text
    assert "40 ms, the others 4.0 ms" in text
    assert is_member(array, "1.0.7")
    assert [step for step in array.kernel.interrupt.log if "--replace /dev/sdb" in step]
    reason = array.get("storage/disks/1.0.2?fields=outage")["outage"]["reason"]["message"]
    assert "answers far slower than the others" in reason


def test_a_slow_disk_without_redundancy_is_an_event_and_stays(
    array: Simulator, clock: Clock
) -> None:
    for name in ("sdg", "sdh"):
        array.kernel.remove_disk(name)
    array.reconciler.rescan()
    array.settle()
    for _ in range(PATIENCE):
        serve(array, clock, 400.0)
    assert len(messages(array)) == 1
    array.kernel.storage.fail_disk("sdc")
    array.kernel.add_disk("sdg")
    array.kernel.storage.arrays.rebuilds_slowly = True
    array.reconciler.rescan()
    array.settle()
    assert not array.get("storage/disks/1.0.2?fields=outage")["outage"]["persistently_failed"]


def test_a_recovered_disk_ends_its_event(array: Simulator, clock: Clock) -> None:
    keep_all(array)
    for _ in range(PATIENCE):
        serve(array, clock, 400.0)
    for _ in range(PATIENCE):
        serve(array, clock, 4.0)
    path = "support/ems/events?message.name=disk.slow.resolved"
    assert len(array.get(path)["records"]) == 1


@pytest.mark.parametrize(
    ("slow", "usual", "requests"),
    [
        (4.0 * TIMES - 1, 4.0, 2 * FEWEST),
        (NOTICED - 1, 0.1, 2 * FEWEST),
        (400.0, 400.0, 2 * FEWEST),
        (400.0, 4.0, FEWEST - 1),
    ],
    ids=["not ten times", "nobody notices", "all are", "hardly used"],
)
def test_other_slowness_raises_no_event(
    array: Simulator, clock: Clock, slow: float, usual: float, requests: int
) -> None:
    for _ in range(2 * PATIENCE):
        serve(array, clock, slow, usual, requests)
    assert messages(array) == []


def test_a_rebuild_is_no_measure(array: Simulator, clock: Clock) -> None:
    [name] = array.kernel.storage.arrays.running
    array.kernel.storage.arrays.become(name, "resync")
    for _ in range(2 * PATIENCE):
        serve(array, clock, 400.0)
    assert messages(array) == []
