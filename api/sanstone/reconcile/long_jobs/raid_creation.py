"""Create a RAID group: seconds, or hours if its disks must be zeroed first.

A restart does the rest: a partly zeroed disk still counts as empty, and `kernel.storage.md` tells
an interrupted creation from an array that holds data.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Engine

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import block, disk_writes, md
from sanstone.kernel.storage.stack import under_md
from sanstone.reconcile import layers
from sanstone.reconcile.long_jobs.work import Progress

KIND = "raid.create"


def order(array: md.Array, disk_uids: list[str]) -> dict[str, Any]:
    """Return the data of an order. It names disks by identity: paths change at a boot."""
    return {
        "aggregate": array.aggregate,
        "number": array.number,
        "raid_type": array.raid_type,
        "disks": disk_uids,
    }


class RaidCreation:
    """Creates one RAID group."""

    stoppable = True

    def __init__(self, host: Host, _database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is malformed or a disk is missing."""
        self._host = host
        present = {disk.identity: disk for disk in block.disks(host) if not disk.identity_conflict}
        try:
            disks = [present[uid] for uid in data["disks"]]
            number, raid_type = data["number"], data["raid_type"]
            self._array = md.Array(data["aggregate"], number, raid_type, ())
            names.array_uuid(self._array.aggregate, number)
            if raid_type not in md.RAID_TYPES or number not in range(1000):
                raise ValueError(f"{raid_type}, {number}")
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise HostError(
                "a RAID group cannot be created, not all is there: {}", error
            ) from error
        self._size = sum(disk.size for disk in disks)
        self._disks = disks
        self._names = [disk.name for disk in disks]
        self._before = disk_writes.written(host, self._names)

    def run(self) -> None:
        """Create the group, or complete an interrupted creation. Raises HostError."""
        aggregate = self._array.aggregate
        desired_layers = layers.of_aggregate(aggregate).under_md
        members = []
        for disk in self._disks:
            where = aggregate, disk.identity, disk.path, desired_layers
            under_md.ensure(self._host, *where, new=True)
            members.append(under_md.member(self._host, *where))
        md.ensure_created(self._host, replace(self._array, disks=tuple(members)))

    def progress(self) -> Progress:
        """Return the part of the disks that is zeroed, by the kernel's counters; mdadm has none."""
        done = disk_writes.written(self._host, self._names) - self._before
        return Progress(min(99, 100 * done // self._size))
