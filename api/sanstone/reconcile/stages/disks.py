"""Disks: found, described, and given a name once and for all."""

from __future__ import annotations

from sqlalchemy import select

from sanstone.kernel.storage import block
from sanstone.kernel.storage.block import Disk
from sanstone.model.aggregates import Disk as DiskRow
from sanstone.reconcile.state import Pass

KIND = DiskRow.kind


def reconcile(this: Pass) -> list[DiskRow]:
    """Look at the disks where that is due; return rows for disks that were never seen before."""
    if this.memory.disks is None:
        found = block.disks(this.host)
        this.memory.disks = {disk.identity: disk for disk in found if _identified(disk)}
        this.known(KIND).update((uid, _facts(disk)) for uid, disk in this.memory.disks.items())
        _report_unusable(this, found)
    known = {row.uid: row for row in this.session.scalars(select(DiskRow))}
    for uid in known.keys() - this.memory.disks.keys():
        # What it is stays known: somebody may be looking for it in the shelf.
        gone = this.known(KIND).setdefault(uid, {})
        gone.update(present=False, path=None, content="")
    new = sorted(this.memory.disks.keys() - known.keys())
    taken = {row.name for row in known.values()}
    free = (name for n in range(1, 100_000) if (name := f"1.0.{n}") not in taken)
    return [DiskRow(uid=uid, name=next(free)) for uid in new]


def _identified(disk: Disk) -> bool:
    return bool(disk.identity) and not disk.identity_conflict


def _report_unusable(this: Pass, found: list[Disk]) -> None:
    for disk in found:
        if not _identified(disk):
            why = "shares its identity with another" if disk.identity else "has no identity"
            text = f"Disk {disk.path} ({disk.model} {disk.serial}) {why}; it is not used."
            this.conditions[f"disk.identity:{disk.path}"] = ("alert", "disk.identity", text)


def _facts(disk: Disk) -> dict[str, object]:
    return {
        "path": disk.path,
        "size": disk.size,
        "serial": disk.serial,
        "wwn": disk.wwn,
        "vendor": disk.vendor,
        "model": disk.model,
        "rotational": disk.rotational,
        "transport": disk.transport,
        "firmware": disk.firmware,
        "sector_size": disk.logical_block_size,
        "content": disk.content,
        "present": True,
        "identity_conflict": disk.identity_conflict,
    }


def path(this: Pass, uid: str) -> str:
    """Return a disk's present path, '' when it is missing."""
    disk = (this.memory.disks or {}).get(uid)
    return disk.path if disk else ""
