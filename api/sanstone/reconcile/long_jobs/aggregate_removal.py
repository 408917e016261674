"""Dissolve an aggregate: pool, volume group, RAID groups, and their superblocks.

LVM checks a pool's metadata on deactivation, too, which may take minutes. Stopping RAID groups and
erasing superblocks waits for each disk. A restart does what is left.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Engine

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import block, lvm, md
from sanstone.reconcile.long_jobs.work import Progress
from sanstone.reconcile.tasks.configuration import writing_copies

KIND = "aggregate.remove"
log = logging.getLogger("sanstone.task")


def order(aggregate: str, raid_type: str, groups: list[list[str]]) -> dict[str, Any]:
    """Return the data of an order; `groups` are the identities of the disks of each RAID group."""
    return {"aggregate": aggregate, "raid_type": raid_type, "groups": groups}


class AggregateRemoval:
    """Dissolves one aggregate. Not stoppable: LVM, when killed, may leave a pool suspended."""

    stoppable = False

    def __init__(self, host: Host, _database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is malformed."""
        self._host = host
        present = {disk.identity: disk for disk in block.disks(host) if not disk.identity_conflict}
        try:
            self._aggregate = data["aggregate"]
            names.volume_group(self._aggregate)
            if data["raid_type"] not in md.RAID_TYPES or len(data["groups"]) > 1000:
                raise ValueError(f"{data['raid_type']}, {len(data['groups'])} groups")
            self._arrays = [
                md.Array(
                    self._aggregate,
                    number,
                    data["raid_type"],
                    tuple(present[uid].path for uid in uids if uid in present),
                )
                for number, uids in enumerate(data["groups"])
            ]
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise HostError(f"this is no order to remove an aggregate: {error}") from error

    def run(self) -> None:
        """Dissolve it. Raises HostError."""
        volumes = tuple(lvm.PhysicalVolume(device, 0) for device in self._running())
        if volumes:
            with writing_copies(self._host):
                lvm.ensure_removed(self._host, lvm.Group(self._aggregate, volumes))
        for array in self._arrays:
            md.ensure_removed(self._host, array)

    def progress(self) -> Progress:
        """Return unknown progress."""
        return Progress()

    def _running(self) -> Iterator[str]:
        """Assemble the RAID groups that are left; yield their devices.

        The volume group must be wiped through them, else its label would stay on the disks and
        reappear in a later RAID group. A group that cannot be assembled has lost its superblocks,
        or too many disks.
        """
        for array in self._arrays:
            try:
                md.ensure_running(self._host, array, degraded=True)
            except md.ArrayError as error:
                log.info("raid group %s is not started for its removal: %s", array.device, error)
                continue
            yield array.device
