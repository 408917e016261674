"""Disks: observed, and given a permanent name when they are new.

The superblock identifies a member of an aggregate where another disk claims its identity, so that
no stranger costs the aggregate a disk.

What a disk and its shelf say of themselves is read beside the turns (`tasks.disk_reader`) and taken
in here. Until that was read after a start, what was observed before stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sanstone.core.database.statements import every
from sanstone.core.events import ALERT, NOTICE, Condition
from sanstone.kernel import names
from sanstone.kernel.hardware.enclosures import Shelf
from sanstone.kernel.storage import block
from sanstone.kernel.storage.block import Disk
from sanstone.model.aggregates import Disk as DiskRow
from sanstone.model.observations import SHELVES
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import (
    DataRemoved,
    DisksRead,
    DisksReadAgain,
    GroupsRun,
    PartnersReleased,
    PoolsActive,
)
from sanstone.reconcile.stages import disk_alerts
from sanstone.reconcile.tasks.disk_reader import Readings
from sanstone.reconcile.turn import Turn

STAGE = "disks"
KIND = DiskRow.kind
OF_BAY = ("shelf", "bay", "light")
"""Observed facts of the bay that a disk is in."""
OF_HEALTH = ("health", "readings")
"""Observed facts of a disk's health. `readings` are those that change all the time."""
OF_SANITIZATION = "sanitize"
"""The observation how a disk can sanitize itself, and whether it is at that."""
READINGS = ("temperature", "power_on_hours")


@dataclass
class DisksMemory(StageMemory):
    """The disks, as they were read last."""

    present: dict[str, Disk] | None = None
    """By identity; None when they must be read again."""
    unusable: list[Disk] = field(default_factory=list)
    """Those without an identity of their own."""
    changed: bool = False
    """Whether the turn changed their use. They are read again at its end and not before, because
    all stages work with the paths that disks had at its beginning."""

    def forget_inventory(self) -> None:
        """Have the disks read again."""
        self.present = None


def reconcile(turn: Turn) -> DisksRead:
    """Read the disks if that is due, and have rows written for new disks."""
    memory = turn.memory.of(DisksMemory)
    rows = {row.uid: row for row in turn.session.scalars(every(DiskRow))}
    if memory.present is None:
        seen = turn.seen.every(KIND)
        present = block.disks(turn.host, turn.progress)
        memory.present = _by_identity(present, rows, seen)
        known = {disk.path for disk in memory.present.values()}
        memory.unusable = [disk for disk in present if disk.path not in known]
        for uid, disk in memory.present.items():
            before = seen.get(uid, {})
            kept = {key: before[key] for key in (*OF_BAY, *OF_HEALTH) if key in before}
            seen[uid] = kept | _observation(disk)
    _tell_paths(turn)
    for disk in memory.unusable:
        text = f"Disk {disk.path} ({disk.model} {disk.serial}) {_why_unusable(disk, rows)}"
        turn.conditions[f"disk.identity:{disk.path}"] = Condition(ALERT, "disk.identity", text)
    for uid in rows.keys() - memory.present.keys():
        # Serial number and model are kept: somebody may be looking for the disk in the shelf.
        facts = turn.seen.every(KIND).setdefault(uid, {})
        facts.update(present=False, path=None, content="", busy="")
        for key in ("light", "readings", OF_SANITIZATION):
            facts.pop(key, None)
    _take_in(turn)
    for uid in rows.keys() & memory.present.keys():
        turn.conditions.update(disk_alerts.conditions(rows[uid], turn.seen.every(KIND)[uid]))
    new = sorted(memory.present.keys() - rows.keys())
    existing_names = {row.name for row in rows.values()}
    free_names = (name for n in range(1, 100_000) if (name := f"1.0.{n}") not in existing_names)
    return DisksRead(turn.outcomes, tuple(DiskRow(uid=uid, name=next(free_names)) for uid in new))


def read_again(
    turn: Turn,
    read: DisksRead,
    _groups: GroupsRun,
    _pools: PoolsActive,
    _released: PartnersReleased,
    _removed: DataRemoved,
) -> DisksReadAgain:
    """Read the disks again if the turn changed their use, so that it is shown at once."""
    memory = turn.memory.of(DisksMemory)
    if not memory.changed:
        return DisksReadAgain(turn.outcomes, read.new)
    memory.present, memory.changed = None, False
    turn.stage = STAGE
    turn.judge()
    return DisksReadAgain(turn.outcomes, reconcile(turn).new)


def _by_identity(
    present: Sequence[Disk], rows: Mapping[str, DiskRow], seen: Mapping[str, Mapping[str, Any]]
) -> dict[str, Disk]:
    """Return the disks by identity, without strangers that have the identity of another.

    A member of an aggregate is known by its superblock, which names its RAID group; where several
    carry that, as a copy of the whole disk does, by the serial number that it had before. One with
    neither is no member, though no other disk claims to be it. Of other disks with one identity
    none is returned.
    """
    claims: dict[str, list[Disk]] = defaultdict(list)
    for disk in present:
        if disk.identity:
            claims[disk.identity].append(disk)
    by_identity: dict[str, Disk] = {}
    for uid, disks in claims.items():
        member = rows[uid].member if uid in rows else None
        if member:
            group = names.array_uuid(member.aggregate_uuid, member.raid_group)
            serial = seen.get(uid, {}).get("serial", disks[0].serial)
            carriers = [disk for disk in disks if disk.array_uuid == group]
            former = [disk for disk in carriers or disks if disk.serial == serial]
            disks = carriers if len(carriers) == 1 else former
        if len(disks) == 1:
            by_identity[uid] = disks[0]
    return by_identity


def _why_unusable(disk: Disk, rows: Mapping[str, DiskRow]) -> str:
    """Return why a disk is not used, and what that means for an aggregate."""
    if not disk.identity:
        return "has no identity; it is not used."
    row = rows.get(disk.identity)
    if row is None or row.member is None:
        return "shares its identity with another; it is not used."
    aggregate = f'disk {row.name} of aggregate "{row.member.aggregate.name}"'
    return (
        f"shares its identity with {aggregate}; it is not used. Take it out before the array "
        "starts again."
    )


def _present(turn: Turn) -> Mapping[str, Disk]:
    """Return the disks that are present, by identity; none while they are not known."""
    return turn.memory.of(DisksMemory).present or {}


def _tell_paths(turn: Turn) -> None:
    """Tell that disks are reached by several paths."""
    several = [disk for disk in _present(turn).values() if disk.other_paths]
    if several:
        first = min(several, key=lambda disk: disk.path)
        text = (
            f"Disks that are reached by several paths: {len(several)}, as by {first.path} and "
            f"{', '.join(first.other_paths)}. One path of each is used, until it is gone."
        )
        turn.conditions["disk.paths"] = Condition(NOTICE, "disk.paths", text)


def _take_in(turn: Turn) -> None:
    """Take in the readings beside the turns, of the disks that are present."""
    readings, seen = turn.memory.of(Readings), turn.seen.every(KIND)
    present = _present(turn).keys()
    for uid in present:
        # A configuration that was restored meanwhile knows nothing of them yet.
        seen.setdefault(uid, {})
    for uid, reading in dict(readings.health).items():
        if uid in present:
            health = asdict(reading.health)
            measured = {key: health.pop(key) for key in READINGS}
            seen[uid] |= {"health": health, "readings": measured | {"time": reading.time}}
    sanitizations = dict(readings.sanitizations)
    for uid in present:
        seen[uid].pop(OF_SANITIZATION, None)
        if sanitization_report := sanitizations.get(uid):
            seen[uid][OF_SANITIZATION] = asdict(sanitization_report) | {
                "methods": list(sanitization_report.methods)
            }
    if readings.shelves is None:
        return
    bays = readings.bays()
    for uid in present:
        for key in OF_BAY:
            seen[uid].pop(key, None)
        if uid in bays:
            shelf, bay = bays[uid]
            seen[uid] |= {"shelf": shelf.uid, "bay": bay.number}
            if bay.light:
                seen[uid]["light"] = "on" if bay.lit else "off"
    turn.seen[SHELVES] = {
        shelf.uid: {"vendor": shelf.vendor, "model": shelf.model, "bays": _bays(shelf)}
        for shelf in readings.shelves
        if shelf.uid
    }


def _bays(shelf: Shelf) -> list[dict[str, Any]]:
    """Return the observation of a shelf's bays."""
    return [{"id": bay.number, "disk": bay.disk, "status": bay.status} for bay in shelf.bays]


def _observation(disk: Disk) -> dict[str, object]:
    """Return the observation of a disk."""
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
        "busy": disk.busy,
        "discards": disk.discards,
        "present": True,
        "identity_conflict": disk.identity_conflict,
    }


def path(turn: Turn, uid: str) -> str:
    """Return the current path of a disk, '' if the disk is missing."""
    disk = _present(turn).get(uid)
    return disk.path if disk else ""
