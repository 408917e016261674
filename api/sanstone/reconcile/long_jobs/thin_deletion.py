"""A thin volume of which much is mapped is destroyed, bit by bit: seconds to minutes.

dm-thin's message `delete` walks the volume's whole tree of mappings and holds the pool's metadata
meanwhile: every host that uses the pool waits, and so does whoever asks for its state
(drivers/md/dm-thin-metadata.c, dm_pool_delete_thin_device; persistent-data/dm-btree.c,
dm_btree_del: "O(n) - this is the slow one"). So the volume is shown as a device of its own, which
nobody uses, and what it maps is discarded in steps, between which others come to their turn. What
is left to delete is next to nothing.

What a snapshot or clone shares is not walked: a deletion only counts one user less. To discard it
would copy node after node, so as soon as a step has freed little the rest is left to `delete`.

Begun again it goes on: what was discarded is not mapped any more.
"""

from __future__ import annotations

import errno
from typing import Any
from uuid import UUID

from sqlalchemy import Engine

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError, RequestError
from sanstone.kernel.storage import dm
from sanstone.reconcile.long_jobs.work import Progress

KIND = "thin.delete"
STEP = 1 << 30
"""Bytes that are discarded in one go: up to 16,384 mappings, in some hundred nodes of metadata."""
_LARGEST = 1 << 60


def order(uuid: str, aggregate: str, thin_id: int, volume: dm.Volume) -> dict[str, Any]:
    """Return what the process has to know; `uuid`, that of the removal, names the device."""
    return {"uuid": uuid, "aggregate": aggregate, "thin_id": thin_id, "end": volume.end}


class ThinDeletion:
    """Destroys one thin volume with its data."""

    stoppable = True

    def __init__(self, host: Host, _database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is none that the reconciler can have given."""
        self._host, self._done = host, 0
        try:
            self._pool = names.pool_device(data["aggregate"])
            self._uuid = str(UUID(data["uuid"]))
            self._thin_id, self._end = data["thin_id"], data["end"]
            if self._thin_id not in range(dm.MAXIMUM_THIN_ID + 1):
                raise ValueError(f"thin id {self._thin_id}")
            if self._end not in range(_LARGEST):
                raise ValueError(f"end {self._end}")
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise HostError(f"this is no order to destroy a volume: {error}") from error

    def run(self) -> None:
        """Destroy it, unless that was done. Raises HostError."""
        try:
            if self._end:
                self._discard()
        except RequestError as error:
            if error.errno != errno.ENODATA:
                raise
        else:
            dm.ensure_no_thin(self._host, self._pool, self._thin_id)

    def progress(self) -> Progress:
        """Return how much of the volume was gone through."""
        return Progress(min(99, 100 * self._done // self._end) if self._end else None)

    def _discard(self) -> None:
        """Discard what the volume alone maps. Raises RequestError ENODATA when there is none."""
        with dm.shown(self._host, self._pool, self._thin_id, self._uuid, self._end) as device:
            for offset in range(0, self._end, STEP):
                mapped, used = device.occupied, self._used()
                length = min(STEP, self._end - offset)
                where = ["--offset", str(offset), "--length", str(length), device.path]
                self._host.commands.run(["blkdiscard", "--force", *where])
                unmapped, freed = mapped - device.occupied, used - self._used()
                self._done = offset + length
                if 2 * freed < unmapped:
                    return

    def _used(self) -> int:
        status = dm.pool_status(self._host, self._pool)
        if status is None or status.mode in ("ro", "failed"):
            raise HostError(f"{self._pool}: nothing can be destroyed in this pool now")
        return status.used
