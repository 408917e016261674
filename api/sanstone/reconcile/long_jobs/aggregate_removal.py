"""Dissolve an aggregate: pool, volume group, RAID groups, their superblocks, and all layers.

LVM checks a pool's metadata on deactivation, too, which may take minutes. Stopping RAID groups and
erasing superblocks waits for each disk. A restart does the rest.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Engine

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import block, lvm, md
from sanstone.kernel.storage.mapped import DeviceError
from sanstone.kernel.storage.stack import over_md, under_md
from sanstone.reconcile import layers
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
            self._raid_type = data["raid_type"]
            self._groups = [
                {uid: present[uid].path for uid in uids if uid in present}
                for uids in data["groups"]
            ]
            self._layers = layers.of_aggregate(self._aggregate)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise HostError(f"this is no order to remove an aggregate: {error}") from error

    def run(self) -> None:
        """Dissolve it. Raises HostError."""
        volumes = tuple(lvm.PhysicalVolume(device, 0) for device in self._running())
        if volumes:
            with writing_copies(self._host):
                lvm.ensure_removed(self._host, lvm.Group(self._aggregate, volumes))
        for number, disks in enumerate(self._groups):
            over_md.ensure_none(self._host, self._aggregate, number)
            md.ensure_removed(self._host, self._array(number))
            for uid, path in disks.items() if self._layers.under_md else ():
                under_md.ensure_erased(self._host, self._aggregate, uid, path)

    def progress(self) -> Progress:
        """Return unknown progress."""
        return Progress()

    def _running(self) -> Iterator[str]:
        """Assemble the RAID groups that are left; yield their devices as LVM knows them.

        The volume group must be wiped through them, else its label would stay on the disks and
        reappear in a later RAID group. A group that cannot be assembled has lost its superblocks,
        or too many disks.
        """
        for number in range(len(self._groups)):
            over = self._layers.over_md
            try:
                self._activate_disks(number)
                md.ensure_running(self._host, self._array(number), degraded=True)
                over_md.ensure(self._host, self._aggregate, number, over)
            except (md.ArrayError, DeviceError) as error:
                log.info("raid group %d is not started for its removal: %s", number, error)
                continue
            yield over_md.device(self._aggregate, number, over)

    def _activate_disks(self, number: int) -> None:
        """Activate the layers on a RAID group's disks; one without its header has none."""
        for uid, path in self._groups[number].items():
            try:
                under_md.ensure(self._host, self._aggregate, uid, path, self._layers.under_md)
            except DeviceError as error:
                log.info("disk %s has no layers to remove: %s", path, error)

    def _array(self, number: int) -> md.Array:
        """Return a RAID group of the members that are left."""
        members = (
            under_md.member(self._host, self._aggregate, uid, path, self._layers.under_md)
            for uid, path in self._groups[number].items()
        )
        where = self._aggregate, number, self._raid_type
        return md.Array(*where, tuple(filter(None, members)))
