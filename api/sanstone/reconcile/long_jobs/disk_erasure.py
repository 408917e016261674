"""Erase a disk: seconds, or hours where each block is overwritten.

A disk that sanitizes itself goes on with that through a killed process and a loss of power. A
restart finds it at that, or done.

The disk is looked at once more, since the order may have waited for a boot: its content must be the
one shown to the user who gave the order, or the rest of that.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine

from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import block, disk_erasure, disk_sanitize, disk_writes, sanitization
from sanstone.kernel.storage.block import ContentError
from sanstone.reconcile.long_jobs.work import Progress

KIND = "disk.erase"


def order(uid: str, method: str, content: str) -> dict[str, Any]:
    """Return the data of an order; `content` is the disk's content as the user saw it."""
    return {"disk": uid, "method": method, "content": content}


class DiskErasure:
    """Erases one disk. Stopped, it leaves the disk without labels, and the order open."""

    stoppable = True

    def __init__(self, host: Host, _database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is malformed or the disk is not there."""
        self._host = host
        by_identity = {
            disk.identity: disk for disk in block.disks(host) if not disk.identity_conflict
        }
        try:
            self._disk, self._method = by_identity[data["disk"]], data["method"]
            self._shown = frozenset(data["content"].split(", "))
            if self._method not in disk_erasure.METHODS:
                raise ValueError(self._method)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise HostError("this is no order to erase a disk that is there: {}", error) from error
        self._before = disk_writes.written(host, [self._disk.name])

    def run(self) -> None:
        """Erase it. Raises HostError."""
        disk = self._disk
        if disk.content and not disk.busy and not self._shown.issuperset(disk.content.split(", ")):
            raise ContentError("{}: holds something else by now: {}", disk.path, disk.content)
        disk_erasure.erase(self._host, disk, self._method)

    def progress(self) -> Progress:
        """Return the part of the disk that is erased, as it tells, or by the kernel's counters."""
        if self._method in sanitization.METHODS:
            return Progress(disk_sanitize.progress(self._host, self._disk).percent)
        if self._method != disk_erasure.ZEROES:
            return Progress()
        done = disk_writes.written(self._host, [self._disk.name]) - self._before
        return Progress(min(99, 100 * done // self._disk.size))
