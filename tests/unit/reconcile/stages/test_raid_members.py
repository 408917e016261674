"""Members of RAID groups: what is told of them, and what becomes of those that are pulled."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import aggregate
from simulator import Begin, Simulator

AGGREGATES = "storage/aggregates"


@pytest.fixture
def begin() -> Begin:
    """An aggregate of six disks; two are spares."""
    return aggregate


def shown(array: Simulator) -> dict[str, Any]:
    """Return the aggregate."""
    [record] = array.get(f"{AGGREGATES}?fields=**")["records"]
    return dict(record)


def look(array: Simulator) -> None:
    """Have the reconciler look at the disks, as after a change that the kernel reports."""
    array.reconciler.rescan()
    array.settle()


def alerts(array: Simulator) -> list[str]:
    """Return the names of the alerts of now, without those that have ended."""
    events = array.get("support/ems/events?fields=message.name&order_by=index")["records"]
    names = [event["message"]["name"] for event in events]
    return [n for n in names if f"{n}.resolved" not in names and not n.endswith(".resolved")]


def test_larger_sectors_are_told_while_the_group_has_the_smaller_ones(array: Simulator) -> None:
    assert shown(array)["block_storage"]["primary"]["bytes_per_sector"] == 512
    array.kernel.storage.disks.present["sdb"].logical_block_size = 4096
    look(array)
    assert shown(array)["block_storage"]["primary"]["bytes_per_sector"] == 512
    assert "raid.sectors" in alerts(array)
