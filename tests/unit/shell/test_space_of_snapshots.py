"""The space of snapshots, as the shell shows it."""

from __future__ import annotations

import pytest
from console import Console
from simulator import Simulator, Snapshot

from sanstone.client.rest import Array

MIB = 1024**2


@pytest.fixture
def measured(console: Console, furnished: tuple[Simulator, Array, Snapshot]) -> Console:
    """A shell on an array where a host overwrote 3 MiB after a snapshot."""
    array = furnished[0]
    [pool] = (group.pool for group in array.kernel.storage.groups.groups.values())
    assert pool is not None
    lun = min(pool.volumes)
    pool.write(lun, 8 * MIB)
    console.run("volume snapshot create -vserver svm1 -volume vol1 -snapshot s1")
    pool.write(lun, 3 * MIB)
    array.measure()
    return console


def test_a_snapshot_shows_what_it_holds(measured: Console) -> None:
    title, _, row = measured.run("volume snapshot show -volume vol1").splitlines()
    assert title.split()[-1] == "Size"
    assert row.split()[-1] == "3MB"
    output = measured.run("volume snapshot show -volume vol1 -fields size,logical-size")
    assert output.splitlines()[-1].split()[-2:] == ["3MB", "2.50GB"]


def test_a_volume_shows_what_its_snapshots_hold(measured: Console) -> None:
    output = measured.run("volume show -volume vol* -fields size-used-by-snapshots")
    assert [line.split()[1:] for line in output.splitlines()[2:4]] == [
        ["vol1", "3MB"],
        ["vol2", "0B"],
    ]


def test_which_go_by_themselves_is_shown_and_set(console: Console) -> None:
    rules = "-enabled true -trigger volume -target-free-space 30 -defer-delete prefix -prefix own_"
    console.run(f"volume snapshot autodelete modify -vserver svm1 -volume vol1 {rules}")
    shown = console.table("volume snapshot autodelete show -volume vol1")
    order = ["true", "try", "prefix", "oldest_first", "own_", "30", "volume"]
    assert shown == [["svm1", "vol1", *order]]
    console.run(
        "snapshot autodelete modify svm1 vol1 -delete-order newest_first -commitment destroy"
    )
    fields = "delete-order,commitment"
    [row] = console.table(f"snapshot autodelete show -volume vol1 -fields {fields}")
    assert row == ["svm1", "vol1", "newest_first", "destroy"]
