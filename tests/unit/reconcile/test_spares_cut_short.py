"""Power or process are gone while a spare takes the place of a disk that failed."""

from __future__ import annotations

from pathlib import Path

import pytest
from cut_short import states_at_each_step
from scenarios import Scenario, aggregate
from simulator import Begin, Simulator

from sanstone.reconcile.stages.raid import GRACE


@pytest.fixture
def begin() -> Begin:
    """An aggregate of six disks; two are spares."""
    return aggregate


def look_later(array: Simulator) -> None:
    """Have the reconciler look at the disks a while after its start."""
    array.settle()
    array.reconciler.memory.started -= GRACE
    for _ in range(3):
        array.reconciler.rescan()
        array.settle()


def fail_disk(array: Simulator) -> None:
    """Have a disk fail, and a spare take its place."""
    array.kernel.storage.fail_disk("sda")
    look_later(array)


def members(array: Simulator) -> list[str]:
    """Return the names of the aggregate's disks."""
    [record] = array.get("storage/aggregates?fields=block_storage.primary.disks")["records"]
    return [disk["name"] for disk in record["block_storage"]["primary"]["disks"]]


def in_sync(array: Simulator) -> int:
    """Return how many disks of the RAID group have all data."""
    [group] = array.kernel.storage.arrays.running.values()
    return len(group.in_sync)


def test_converges_after_a_kill_at_every_step(array: Simulator, tmp_path: Path) -> None:
    look_later(array)
    states = states_at_each_step(array, Scenario("spare", aggregate, fail_disk), tmp_path)
    assert len(states) >= 3
    undisturbed = array.dump()
    for moment, (snapshot, _rows) in states.items():
        array.load(snapshot)
        look_later(array)
        assert array.dump() == undisturbed, f"killed {moment}"
        array.load(snapshot)
        array.reboot()
        look_later(array)
        assert "1.0.7" in members(array), f"power cut {moment}"
        assert in_sync(array) == 6, f"power cut {moment}"


def test_a_power_cut_before_the_array_has_noticed_has_the_disk_tried_again(
    array: Simulator,
) -> None:
    array.kernel.storage.fail_disk("sda")
    array.reboot()
    look_later(array)
    assert "1.0.7" not in members(array)
    assert in_sync(array) == 6
