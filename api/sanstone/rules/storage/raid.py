"""Select disks and divide them into RAID groups.

An aggregate consists of RAID groups of at most `raid_size` disks: as few groups as that allows, as
even as possible: 18 disks at a `raid_size` of 16 are two groups of 9, not 16 and 2. The selection
is deterministic, so that the same request on the same array always gets the same disks: all of one
type and size, the smallest size with enough disks, in the order of their names. Disks of one
aggregate always have logical sectors of one size (`sector_size`), also where they are named.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import DISK, Removal
from sanstone.core.declaration.resource import Reader
from sanstone.kernel.storage import lvm, md
from sanstone.model.aggregates import Aggregate, AggregateDisk, Disk
from sanstone.rules.storage import sector_size
from sanstone.rules.storage.disks import condition, disk_kind, is_spare, usage

PRIMARY = "block_storage.primary"
TOO_FEW_DISKS, TOO_FEW_SPARES = "786973", "19726341"
DATA_OFFSET = 128 << 20
"""Bytes that mdadm keeps before the data of each disk, with bitmap and reserve: at most that much
for disks above 1 TiB (super1.c, choose_bm_space and data_offset), less for smaller ones."""


@dataclass(frozen=True)
class RaidType:
    """Limits of a RAID type: fewest disks of a group, default and largest `raid_size`."""

    fewest: int
    usual_size: int
    largest_size: int
    needs: str


RAID_TYPES = {
    "raid_dp": RaidType(4, 16, 28, "Linux's RAID 6 needs two disks for parity and two for data"),
    "raid4": RaidType(3, 8, 14, "one disk is for parity and two for data at least"),
    "raid5": RaidType(3, 8, 14, "one disk's worth is for parity and two for data at least"),
    "raid1": RaidType(2, 2, 4, "a mirror has two sides at least"),
    "raid10": RaidType(2, 16, 28, "a mirror has two sides at least"),
    "raid0": RaidType(1, 16, 28, "there is nothing to stripe over"),
}


class Alike(NamedTuple):
    """The common properties of an aggregate's disks when they are picked; sizes in bytes.

    `sector_size` is that of a logical sector.
    """

    size: int
    type: str
    sector_size: int

    def __str__(self) -> str:
        return f"{self.type} of {self.size} bytes in sectors of {self.sector_size}"


def split(disks: Sequence[Disk], raid_type: str, raid_size: int) -> list[list[Disk]]:
    """Divide disks into RAID groups. Raises ApiError when they do not fill whole groups."""
    limits = RAID_TYPES[raid_type]
    number, smallest, larger = _groups(len(disks), raid_size)
    if smallest < limits.fewest:
        text = (
            f"{len(disks)} disks do not make {raid_type} groups of {limits.fewest} to {raid_size} "
            f"disks: {limits.needs}."
        )
        raise errors.invalid(text, f"{PRIMARY}.disk_count", TOO_FEW_DISKS)
    groups, start = [], 0
    for index in range(number):
        end = start + smallest + (index < larger)
        groups.append(list(disks[start:end]))
        start = end
    return groups


def _groups(count: int, raid_size: int) -> tuple[int, int, int]:
    """Return the number of groups, of disks in each, and of groups with one more."""
    number = -(-count // raid_size)
    return number, *(divmod(count, number) if number else (0, 0))


def disks_of_new(reader: Reader, values: dict[str, Any]) -> list[Disk]:
    """Return the disks of a new aggregate: named ones, or spares. Raises ApiError."""
    if values.get(f"{PRIMARY}.disks"):
        disks = _named(reader, _names(values))
        _check_count(values, len(disks))
        _require_spares(reader, disks)
        _require_sectors(reader, disks, disks[0].facts(reader)["sector_size"])
        return disks
    count = values.get(f"{PRIMARY}.disk_count")
    if count is None:
        raise errors.missing(f"{PRIMARY}.disk_count")
    return _choose(
        reader,
        count,
        disk_class=values.get(f"{PRIMARY}.disk_class", ""),
        disk_size=values.get("disk_size"),
    )


def disks_of_changed(
    reader: Reader, row: Aggregate, values: dict[str, Any], raid_size: int
) -> tuple[list[tuple[AggregateDisk, Disk]], list[list[Disk]]]:
    """Return the replacements of disks, and the RAID groups to add. Raises ApiError."""
    replaced: list[tuple[AggregateDisk, Disk]] = []
    added: list[Disk] = []
    count = 0
    if values.get(f"{PRIMARY}.disks"):
        replaced, added = _replacements(reader, row, values)
    else:
        count = values.get(f"{PRIMARY}.disk_count", len(row.members)) - len(row.members)
    if count < 0:
        raise errors.invalid("Disks cannot be taken out of an aggregate.", f"{PRIMARY}.disk_count")
    try:
        if count:
            added = _choose(reader, count, of=row)
        return replaced, split(added, row.raid_type, raid_size) if added else []
    except errors.ApiError as error:
        text = f"{error.message} {_possible_growth(reader, row, raid_size)}"
        raise errors.ApiError(error.status, error.code, text, error.target) from error


def _possible_growth(reader: Reader, row: Aggregate, raid_size: int) -> str:
    """Describe the numbers of disks that an aggregate can grow to with the current spares."""
    there, fewest = len(row.members), RAID_TYPES[row.raid_type].fewest
    most = max((len(disks) for disks in spares_like(reader, row).values()), default=0)
    counts = [there + n for n in range(1, most + 1) if _groups(n, raid_size)[1] >= fewest]
    begins = f'Aggregate "{row.name}" of {there} disks grows by whole RAID groups'
    if not counts:
        return f"{begins}, for which there are too few spare disks of its type."
    return f"{begins}: disk_count can be {_ranges(counts)}."


def _ranges(numbers: Sequence[int]) -> str:
    """Describe ascending numbers, such as `12 to 16, 20`."""
    first, parts = numbers[0], []
    for number, following in zip(numbers, [*numbers[1:], None], strict=True):
        if following != number + 1:
            parts.append(f"{first} to {number}" if number > first else str(number))
            first = following or first
    return ", ".join(parts)


def _names(values: dict[str, Any]) -> list[str]:
    return [item["name"] for item in values[f"{PRIMARY}.disks"]]


def _check_count(values: dict[str, Any], disks: int) -> None:
    count = values.get(f"{PRIMARY}.disk_count", disks)
    if count != disks:
        text = f"disk_count is {count}, but {disks} disks are named."
        raise errors.invalid(text, f"{PRIMARY}.disk_count", errors.EXCLUSIVE)


def _replacements(
    reader: Reader, row: Aggregate, values: dict[str, Any]
) -> tuple[list[tuple[AggregateDisk, Disk]], list[Disk]]:
    target = f"{PRIMARY}.disks"
    disks = _named(reader, _names(values))
    _check_count(values, len(disks))
    members = {member.disk_uid: member for member in row.members}
    new = [disk for disk in disks if disk.uid not in members]
    kept = {disk.uid for disk in disks}
    removed = [member for uid, member in members.items() if uid not in kept]
    successors, added = new[: len(removed)], new[len(removed) :]
    uncleared = [
        d for d in successors if condition(d, reader) == "zeroing" and leftover(reader, row, d)
    ]
    _require_spares(reader, [disk for disk in new if disk not in uncleared])
    _require_sectors(reader, new, sector_size.of_aggregate(row, reader))
    if len(removed) > len(new):
        raise errors.invalid("Disks cannot be taken out of an aggregate.", target)
    for member, disk in zip(removed, successors, strict=True):
        if condition(member.disk, reader) == "present" and not _is_misfit(member, reader):
            text = f'Disk "{member.disk.name}" works; only a broken or missing one is replaced.'
            raise errors.conflict(text, target)
        if disk.facts(reader)["size"] < least_size(reader, member):
            raise errors.invalid(f'Disk "{disk.name}" is too small for its place.', target)
    return list(zip(removed, successors, strict=True)), added


def least_size(reader: Reader, member: AggregateDisk) -> int:
    """Return the bytes that a disk must have to take the place of a member of a RAID group.

    The array uses as much of each disk as the smallest has.
    """
    group = (m for m in member.aggregate.members if m.raid_group == member.raid_group)
    sizes = (each.disk.facts(reader).get("size") for each in group)
    return min((size for size in sizes if size), default=0)


def leftover(reader: Reader, row: Aggregate, disk: Disk) -> Removal | None:
    """Return the order to clear this disk alone of an aggregate's data, None for no such.

    The disk may take a place in the aggregate again: when the change fails by which it was to take
    one, its RAID group may be rebuilt onto it already.
    """
    orders = reader.session.scalars(select(Removal).filter_by(kind=DISK, owner=row.owner))
    return next((order for order in orders if order.data["groups"] == [[disk.uid]]), None)


def _is_misfit(member: AggregateDisk, reader: Reader) -> bool:
    """Return whether a member has larger sectors than its aggregate has until its next start."""
    sectors = sector_size.of_aggregate(member.aggregate, reader)
    return bool(member.disk.facts(reader)["sector_size"] > sectors)


def _choose(
    reader: Reader,
    count: int,
    *,
    disk_class: str = "",
    disk_size: int | None = None,
    of: Aggregate | None = None,
) -> list[Disk]:
    """Return `count` spares that are alike. Raises ApiError when there are too few.

    `disk_class` and `disk_size` (bytes, met within a tenth as ONTAP does) narrow the choice; `of`
    is the aggregate that they are for; they have the size of its disks if possible.
    """
    alike = spares(reader, disk_class, disk_size)
    fitting = spares_like(reader, of) if of else alike
    enough = [kind for kind, disks in fitting.items() if len(disks) >= count]
    if not enough:
        available = [f"{len(disks)} {kind}" for kind, disks in sorted(alike.items())]
        text = f"{count} spare disks of one type, size and sector size are needed; there are: "
        text += (", ".join(available) or "none") + "."
        raise errors.conflict(text, f"{PRIMARY}.disk_count", TOO_FEW_SPARES)
    preferred = of and of.members[0].disk.facts(reader).get("size")
    best = min(enough, key=lambda kind: (kind.size != preferred, kind))
    return in_order(alike[best])[:count]


def spares(
    reader: Reader, disk_class: str = "", disk_size: int | None = None
) -> dict[Alike, list[Disk]]:
    """Return the spares that are alike."""
    alike: dict[Alike, list[Disk]] = defaultdict(list)
    for disk in reader.session.scalars(select(Disk)):
        facts = disk.facts(reader)
        if not is_spare(disk, reader):
            continue
        kind = disk_kind(facts)
        if disk_class in ("", kind.disk_class) and _about(facts["size"], disk_size):
            alike[alike_to(facts)].append(disk)
    return alike


def alike_to(facts: dict[str, Any]) -> Alike:
    """Return the facts that a disk with this observation has in common with others."""
    return Alike(facts.get("size", 0), disk_kind(facts).type, facts.get("sector_size", 0))


def spares_like(reader: Reader, row: Aggregate) -> dict[Alike, list[Disk]]:
    """Return the spares by which an aggregate can grow: of its type, and with its sectors."""
    kind = disk_kind(row.members[0].disk.facts(reader)).type
    sectors = sector_size.of_aggregate(row, reader)
    return {
        alike: disks
        for alike, disks in spares(reader).items()
        if (alike.type, alike.sector_size) == (kind, sectors)
    }


def _named(reader: Reader, names: Sequence[str]) -> list[Disk]:
    """Return the disks of these names. Raises ApiError for an unknown or repeated name."""
    target = f"{PRIMARY}.disks"
    by_name = {disk.name: disk for disk in reader.session.scalars(select(Disk))}
    for name, times in Counter(names).items():
        if name not in by_name:
            raise errors.unknown_reference(f'disk "{name}"', target, errors.UNKNOWN)
        if times > 1:
            raise errors.invalid(f'Disk "{name}" is given twice.', target, errors.GIVEN_TWICE)
    return [by_name[name] for name in names]


def _require_spares(reader: Reader, disks: Sequence[Disk]) -> None:
    """Raise ApiError unless all are spares: a disk with any content is never touched."""
    for disk in disks:
        if not is_spare(disk, reader):
            reason = usage(disk, reader) or "it is not there"
            text = f'Disk "{disk.name}" cannot be used: {reason}.'
            raise errors.conflict(text, f"{PRIMARY}.disks", TOO_FEW_SPARES)


def _require_sectors(reader: Reader, disks: Sequence[Disk], size: int) -> None:
    """Raise ApiError unless all have logical sectors of `size` bytes."""
    for disk in disks:
        if (other := disk.facts(reader)["sector_size"]) != size:
            text = (
                f'Disk "{disk.name}" has sectors of {other} bytes, the others of {size}: hosts '
                "would not find their data any more."
            )
            raise errors.conflict(text, f"{PRIMARY}.disks")


def in_order(disks: Sequence[Disk]) -> list[Disk]:
    """Return disks in the order of their names, 1.0.9 before 1.0.10."""
    return sorted(disks, key=_natural)


def pool_size(raid_type: str, groups: Iterable[Sequence[int]]) -> int:
    """Return the bytes of a pool on RAID groups of disks of these sizes, 0 for too small ones."""
    kind = md.RAID_TYPES[raid_type]
    usable = sum(kind.data_disks(len(sizes)) * max(0, min(sizes) - DATA_OFFSET) for sizes in groups)
    try:
        return lvm.layout(usable).pool
    except lvm.GroupError:
        return 0


def _natural(disk: Disk) -> list[tuple[int, str]]:
    """Return a key that sorts disk 1.0.9 before 1.0.10."""
    parts = re.findall(r"\d+|\D+", disk.name)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _about(size: int, target: int | None) -> bool:
    return target is None or abs(size - target) <= target // 10
