"""Disks: observed, and given a permanent name when they are new."""

from __future__ import annotations

from sqlalchemy import select

from sanstone.core.events import ALERT, Condition
from sanstone.kernel.storage import block
from sanstone.kernel.storage.block import Disk
from sanstone.model.aggregates import Disk as DiskRow
from sanstone.reconcile.turn import Turn

KIND = DiskRow.kind


def reconcile(turn: Turn) -> None:
    """Read the disks if that is due, and have rows written for new disks."""
    memory = turn.memory
    if memory.disks is None:
        present = block.disks(turn.host, turn.progress)
        memory.disks = {disk.identity: disk for disk in present if _is_identified(disk)}
        memory.unusable_disks = [disk for disk in present if not _is_identified(disk)]
        turn.observed(KIND).update((uid, _observation(disk)) for uid, disk in memory.disks.items())
    for disk in memory.unusable_disks:
        why = "shares its identity with another" if disk.identity else "has no identity"
        text = f"Disk {disk.path} ({disk.model} {disk.serial}) {why}; it is not used."
        turn.conditions[f"disk.identity:{disk.path}"] = Condition(ALERT, "disk.identity", text)
    rows = {row.uid: row for row in turn.session.scalars(select(DiskRow))}
    for uid in rows.keys() - memory.disks.keys():
        # Serial number and model are kept: somebody may be looking for the disk in the shelf.
        turn.observed(KIND).setdefault(uid, {}).update(present=False, path=None, content="")
    new = sorted(memory.disks.keys() - rows.keys())
    existing_names = {row.name for row in rows.values()}
    free_names = (name for n in range(1, 100_000) if (name := f"1.0.{n}") not in existing_names)
    turn.new_disks += [DiskRow(uid=uid, name=next(free_names)) for uid in new]


def _is_identified(disk: Disk) -> bool:
    """Return whether a disk has an identity that no other disk has."""
    return bool(disk.identity) and not disk.identity_conflict


def _observation(disk: Disk) -> dict[str, object]:
    """Return what is observed of a disk."""
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


def path(turn: Turn, uid: str) -> str:
    """Return the current path of a disk, '' if the disk is missing."""
    disk = (turn.memory.disks or {}).get(uid)
    return disk.path if disk else ""
