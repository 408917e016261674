"""`storage/aggregates`: RAID groups of disks with one pool, which provides the space of volumes.

An aggregate grows by whole RAID groups, each with its own parity, or by disks of a group that is
named, `block_storage.primary.raid_group`: that rewrites every stripe of the group, for hours. It
never shrinks, since the pool spreads over all groups.

Disks are selected from the spares or named in `block_storage.primary.disks`, our addition to
ONTAP's fields. Naming them in a PATCH replaces disks: an omitted disk must be broken or removed,
and a new one takes its place, onto which the group is rebuilt. All disks have logical sectors of
one size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    WRITE,
    Field,
    Items,
    Reader,
    Resource,
    constant,
)
from sanstone.core.declaration.types import (
    Boolean,
    Choice,
    Integer,
    Never,
    Size,
    Text,
    Timestamp,
    Uuid,
)
from sanstone.model.aggregates import Aggregate, AggregateDisk, Disk
from sanstone.model.nodes import this_node
from sanstone.model.svm import SvmAggregate
from sanstone.model.volumes import Volume
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.storage import forced_start, proposal, scrub
from sanstone.resources.storage.proposal import Proposed
from sanstone.resources.storage.recommendation import recommended
from sanstone.resources.storage.scrub import scrub_fields
from sanstone.resources.storage.space_forecast import forecast_fields
from sanstone.resources.without_effect import fixed
from sanstone.rules.cluster.node import at_home, check_node, node_fields, on_its_node
from sanstone.rules.storage import sector_size
from sanstone.rules.storage.aggregates import STATES, state
from sanstone.rules.storage.disks import CLASSES, KINDS, disk_kind
from sanstone.rules.storage.raid import (
    PRIMARY,
    RAID_TYPES,
    TOO_FEW_DISKS,
    TOO_FEW_SPARES,
    disks_of_changed,
    disks_of_new,
    leftover,
    split,
)
from sanstone.rules.storage.raid_growth import RAID_GROUP, disks_to_widen
from sanstone.rules.storage.spares import take_place

NAME_TAKEN, HAS_VOLUMES = "786439", "786497"
MOST_DISKS = 1000
TOLERATED, SINCE = "tolerated_failures", "degraded_since"
"""Of a RAID group, as observed and as shown."""
STORAGE_TYPES = {"solid_state": "ssd", "virtual": "vmdisk", "array": "lun"}


def _fact(key: str) -> Callable[[Aggregate, Reader], Any]:
    return lambda row, reader: row.facts(reader).get(key)


def _kind(part: str) -> Callable[[Aggregate, Reader], str | None]:
    """Return a getter for an attribute of the disks' kind, which is the same for all."""

    def get(row: Aggregate, reader: Reader) -> str | None:
        if not row.members:
            return None
        return str(getattr(disk_kind(row.members[0].disk.facts(reader)), part))

    return get


def _used_percent(row: Aggregate, reader: Reader) -> int | None:
    facts = row.facts(reader)
    return 100 * facts["used"] // facts["size"] if facts.get("size") else None


def _rounded(percent: float | None) -> int | None:
    return None if percent is None else round(percent)


def _volume_counts(session: Session) -> dict[str, int]:
    """Return how many volumes are on each aggregate that has any."""
    on = Volume.aggregate_uuid
    counts = session.execute(select(on, func.count()).group_by(on))
    return dict(counts.tuples().all())


def _volume_count(row: Aggregate, reader: Reader) -> int:
    return reader.once(_volume_counts).get(row.uuid, 0)


def _raid_groups(row: Aggregate, reader: Reader) -> Iterable[dict[str, Any]]:
    groups: list[dict[str, Any]] = row.facts(reader).get("raid", [])
    return groups


def _of_groups(row: Aggregate, reader: Reader, key: str) -> list[Any]:
    """Return an observed fact of the RAID groups, of those that have it."""
    return [each[key] for each in _raid_groups(row, reader) if each.get(key) is not None]


def _tolerated_failures(row: Aggregate, reader: Reader) -> int | None:
    return min(_of_groups(row, reader, TOLERATED), default=None)


def _degraded_since(row: Aggregate, reader: Reader) -> float | None:
    return min(_of_groups(row, reader, SINCE), default=None)


def _item(key: str) -> Callable[[dict[str, Any], Reader], Any]:
    return lambda item, _reader: item.get(key)


class AggregateResource(Resource[Aggregate]):
    """Aggregates."""

    path = "storage/aggregates"
    doc = "Aggregates are RAID groups of disks under one pool, which volumes take their space from."
    model = Aggregate
    shared = True
    asynchronous = True
    searched = ("name",)
    options = (
        Field("disk_size", Size(), "Size in bytes, within a tenth, of the disks to be picked."),
        Field(
            "recommend",
            Boolean(),
            "With GET of all: shows, instead of them, which to make of the spare disks.",
            default=False,
        ),
        Field(
            "show_spares",
            Boolean(),
            "With GET of all: shows beside no records the `spares` by size and type; with `uuid`, "
            "those that this aggregate can be grown by.",
            default=False,
        ),
        Field(
            "simulate",
            Boolean(),
            "With POST or PATCH: shows the aggregate as it would be, with `warnings`, and changes "
            "nothing.",
            default=False,
        ),
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the aggregate."),
        Field(
            "name",
            Text(255, 1, r"[A-Za-z_][A-Za-z0-9_.-]*", "a letter or _, then letters, digits, _ . -"),
            "Name of the aggregate, unique in the array.",
            access=WRITE,
            required=True,
        ),
        Field("state", Choice(*STATES), "Whether its pool can be used.", get=state),
        *node_fields(access=CREATE, of=on_its_node),
        *node_fields("home_node", of=at_home),
        Field(
            f"{PRIMARY}.disk_count",
            Integer(1, MOST_DISKS),
            "Disks in all RAID groups; raising it adds whole groups, or widens raid_group. Without "
            "it, disks and RAID type, the largest aggregate that `recommend` shows is created.",
            access=WRITE,
            get=lambda row, _: len(row.members),
        ),
        Items(
            f"{PRIMARY}.disks",
            (
                Field(
                    "name",
                    Text(64, 1),
                    "Name of the disk.",
                    access=WRITE,
                    required=True,
                    get=lambda item, _: item.disk.name,
                ),
            ),
            "The disks, in the order of the RAID groups; spares are picked where none are named.",
            access=WRITE,
            attribute="members",
        ),
        Field(
            f"{PRIMARY}.raid_type",
            Choice(*RAID_TYPES),
            "RAID type; raid_dp is RAID 6, and is taken where a number of disks is given alone.",
            access=WRITE,
            attribute="raid_type",
        ),
        Field(
            f"{PRIMARY}.raid_size",
            Integer(1, max(limits.largest_size for limits in RAID_TYPES.values())),
            "Most disks of one RAID group.",
            access=WRITE,
            attribute="raid_size",
        ),
        Field(
            RAID_GROUP,
            Text(8, 3, r"rg\d{1,3}", "rg and a number"),
            "With a larger disk_count: the RAID group, as rg0, that is spread over the new disks, "
            "in place of new groups. That takes hours, and cannot be cancelled. Never shown.",
            access=MODIFY,
            get=constant(None),
        ),
        proposal.group_items(),
        Field(
            f"{PRIMARY}.disk_class",
            Choice(*CLASSES),
            "Class of the disks.",
            access=CREATE,
            get=_kind("disk_class"),
        ),
        Field(
            f"{PRIMARY}.disk_type",
            Choice(*dict.fromkeys(kind.aggregate_type for kind in KINDS)),
            "Type of the disks.",
            get=_kind("aggregate_type"),
        ),
        Field(
            f"{PRIMARY}.bytes_per_sector",
            Integer(),
            "Logical sector of the disks in bytes: hosts see blocks as large, or larger ones.",
            get=sector_size.of_aggregate,
        ),
        Field(
            "block_storage.storage_type",
            Choice("ssd", "hdd", "vmdisk", "lun"),
            "What kind of storage it is.",
            get=lambda row, reader: STORAGE_TYPES.get(
                _kind("disk_class")(row, reader) or "", "hdd"
            ),
        ),
        Field(
            "block_storage.mirror.enabled",
            Never(),
            "Whether it is mirrored to other disks.",
            access=CREATE,
            get=constant(False),
        ),
        Items(
            "block_storage.raid_groups",
            (
                Field("number", Integer(), "Number of the group.", get=_item("group")),
                Field("state", Text(), "State of its array.", get=_item("state")),
                Field("missing_disks", Integer(), "Disks it lacks.", get=_item("degraded")),
                Field(
                    "seconds_left",
                    Integer(),
                    "How long its rebuild, scrub or reshape takes yet, if it goes on as now.",
                    get=_item("seconds_left"),
                ),
                Field(
                    "resync_percent",
                    Integer(),
                    "How far a resync, rebuild, scrub or reshape has come.",
                    get=lambda item, _: _rounded(item.get("resync_percent")),
                ),
                Field(
                    TOLERATED,
                    Integer(),
                    "Disks that may fail now, whichever they are, without loss of data.",
                    get=_item(TOLERATED),
                ),
                Field(
                    SINCE,
                    Timestamp(),
                    "Since when these are fewer than when it is whole; absent while it is.",
                    get=_item(SINCE),
                ),
            ),
            "The RAID groups as the kernel has them.",
            get=_raid_groups,
        ),
        Field(
            f"block_storage.{TOLERATED}",
            Integer(),
            "Disks that may fail now, whichever they are, without loss of data.",
            get=_tolerated_failures,
        ),
        Field(
            f"block_storage.{SINCE}",
            Timestamp(),
            "Since when these are fewer than when all RAID groups are whole; absent while they "
            "are.",
            get=_degraded_since,
        ),
        Field(
            "block_storage.fitting_spares",
            Integer(),
            "Spare disks that can take the place of any of its disks.",
            get=_fact("spares"),
        ),
        Field("space.block_storage.size", Size(), "Bytes.", get=_fact("size")),
        Field("space.block_storage.used", Size(), "Bytes in use.", get=_fact("used")),
        Field("space.block_storage.physical_used", Size(), "Bytes in use.", get=_fact("used")),
        Field("space.block_storage.available", Size(), "Bytes left.", get=_fact("available")),
        Field("space.block_storage.used_percent", Integer(), "In use.", get=_used_percent),
        Field(
            "space.block_storage.metadata_used_percent",
            Integer(),
            "How full the pool's metadata is.",
            get=lambda row, reader: _rounded(row.facts(reader).get("metadata_used_percent")),
        ),
        Field("space.footprint", Size(), "Bytes that volumes use.", get=_fact("used")),
        Field("space.efficiency.savings", Size(), "Bytes saved.", get=constant(0)),
        Field("space.efficiency.ratio", Integer(), "To one: nothing is saved.", get=constant(1)),
        Field("space.efficiency.logical_used", Size(), "Bytes in use.", get=_fact("used")),
        fixed("inode_attributes.files_used", Integer(), "Absent: it holds no files."),
        fixed("snapshot.files_used", Integer(), "Absent: snapshots are of volumes."),
        Field(
            "recommendation.spares_left",
            Integer(),
            "Spare disks of its kind that stay; of recommended and simulated aggregates alone.",
            get=lambda row, _: row.spares_left if isinstance(row, Proposed) else None,
        ),
        Field("volume_count", Integer(), "Volumes on it.", get=_volume_count),
        Field(
            "data_encryption.software_encryption_enabled",
            Never(),
            "Whether the array encrypts it.",
            access=CREATE,
            get=constant(False),
        ),
        Field(
            "snaplock_type",
            Choice("non_snaplock"),
            "Kind of retention; none.",
            access=CREATE,
            get=constant("non_snaplock"),
        ),
        *scrub_fields(),
        forced_start.FIELD,
        Field("create_time", Timestamp(), "When it was created."),
        *forecast_fields(),
        *statistics_fields(),
    )

    def instead(self, reader: Reader) -> Sequence[Proposed] | None:
        """Return the recommended aggregates, or none where only spares are requested; else None."""
        if reader.options.get("show_spares"):
            return []
        return recommended(reader) if reader.options.get("recommend") else None

    def simulated(self, row: Aggregate, reader: Reader) -> Proposed:
        """Return an aggregate as it would be."""
        return proposal.simulated(row, reader)

    def beside(
        self, reader: Reader, rows: Sequence[Any], conditions: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return the spares, or what to know of aggregates that are not there."""
        if reader.options.get("show_spares"):
            like = reader.row(Aggregate, conditions["uuid"]) if "uuid" in conditions else None
            return {"spares": proposal.usable_spares(reader, like)}
        proposed = [row for row in rows if isinstance(row, Proposed)]
        return {"warnings": proposal.warnings(proposed)} if proposed else {}

    def stands_for(self, row: Aggregate | Proposed) -> str:
        """Return the path of all aggregates for one that is not there."""
        return self.path if isinstance(row, Proposed) and not row.uuid else ""

    def create(self, change: Change, values: dict[str, Any]) -> Aggregate:
        """Add an aggregate of the named disks, or of suitable spares."""
        reader = Reader(change.session)
        with change.collecting():
            _check_name(change.session, values["name"])
        check_node(change.session, values)
        if not values.keys() & _CHOSEN:
            values = values | _as_recommended(reader, values)
        raid_type = values.get(f"{PRIMARY}.raid_type", "raid_dp")
        raid_size = values.get(f"{PRIMARY}.raid_size", RAID_TYPES[raid_type].usual_size)
        _check_raid_size(raid_type, raid_size)
        groups = split(disks_of_new(reader, values), raid_type, raid_size)
        change.settle()
        node = this_node(change.session).uuid
        row = Aggregate(
            name=values["name"],
            raid_type=raid_type,
            raid_size=raid_size,
            home_node_uuid=node,
            node_uuid=node,
        )
        scrub.order(change, row, values)
        change.add(row)
        _add_groups(change, row, groups)
        return row

    def update(self, change: Change, row: Aggregate, values: dict[str, Any]) -> None:
        """Rename an aggregate, scrub it, replace its broken disks, or add RAID groups."""
        reader = Reader(change.session)
        name = values.get("name", row.name)
        if name != row.name:
            _check_name(change.session, name)
        if values.get(f"{PRIMARY}.raid_type", row.raid_type) != row.raid_type:
            text = "The RAID type of an aggregate cannot be changed."
            raise errors.invalid(text, f"{PRIMARY}.raid_type")
        raid_size = values.get(f"{PRIMARY}.raid_size", row.raid_size)
        _check_raid_size(row.raid_type, raid_size)
        widened: list[Disk] = []
        replaced: list[tuple[AggregateDisk, Disk]] = []
        groups: list[list[Disk]] = []
        number = int(values.get(RAID_GROUP, "rg0").removeprefix("rg"))
        count = values.get(f"{PRIMARY}.disk_count", len(row.members))
        if RAID_GROUP in values and count > len(row.members):
            widened = disks_to_widen(reader, row, number, count, raid_size)
        else:
            replaced, groups = disks_of_changed(reader, row, values, raid_size)
        row.name, row.raid_size = name, raid_size
        scrub.order(change, row, values)
        if (typed := values.get(forced_start.FORCED_START)) is not None:
            forced_start.order(change, row, typed)
        for member, disk in replaced:
            if order := leftover(reader, row, disk):
                change.delete(order)
            take_place(change, member, disk)
        first = max((member.position for member in row.members), default=-1) + 1
        for position, disk in enumerate(widened, first):
            place = {"raid_group": number, "position": position}
            change.add(AggregateDisk(disk_uid=disk.uid, aggregate_uuid=row.uuid, **place))
        change.session.expire(row, ["members"])
        _add_groups(change, row, groups)

    def delete(self, change: Change, row: Aggregate, options: dict[str, Any]) -> None:
        """Delete an aggregate without volumes; its disks become spares."""
        if _volume_count(row, Reader(change.session)):
            text = f'Aggregate "{row.name}" has volumes; delete them first.'
            raise errors.conflict(text, code=HAS_VOLUMES)
        change.add(row.leftover())
        assignments = change.session.scalars(
            select(SvmAggregate).filter_by(aggregate_uuid=row.uuid)
        )
        for part in [*assignments, *row.members]:
            change.delete(part)
        change.delete(row)


_CHOSEN = frozenset(f"{PRIMARY}.{name}" for name in ("disk_count", "disks", "raid_type"))
"""Fields to leave out to have the array choose."""


def _as_recommended(reader: Reader, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the largest aggregate that is recommended. Raises ApiError for none."""
    kind = values.get(f"{PRIMARY}.disk_class", "")
    proposed = recommended(reader, kind, values.get("disk_size"))
    if not proposed:
        text = "There are no two spare disks of one type and size for an aggregate."
        raise errors.conflict(text, f"{PRIMARY}.disk_count", TOO_FEW_SPARES)
    return {
        f"{PRIMARY}.raid_type": proposed[0].raid_type,
        f"{PRIMARY}.raid_size": values.get(f"{PRIMARY}.raid_size", proposed[0].raid_size),
        f"{PRIMARY}.disks": [{"name": disk.name} for disk in proposed[0].disks],
    }


def _check_name(session: Session, name: str) -> None:
    if session.scalar(select(Aggregate.uuid).filter_by(name=name)):
        raise errors.conflict(f'An aggregate named "{name}" already exists.', "name", NAME_TAKEN)


def _check_raid_size(raid_type: str, raid_size: int) -> None:
    limits = RAID_TYPES[raid_type]
    if not limits.fewest <= raid_size <= limits.largest_size:
        text = f"raid_size of {raid_type} must be {limits.fewest} to {limits.largest_size}."
        raise errors.invalid(text, f"{PRIMARY}.raid_size", TOO_FEW_DISKS)


def _add_groups(change: Change, row: Aggregate, groups: list[list[Disk]]) -> None:
    position = len(row.members)
    first = max((member.raid_group for member in row.members), default=-1) + 1
    for number, disks in enumerate(groups, first):
        for disk in disks:
            place = {"raid_group": number, "position": position}
            change.add(AggregateDisk(disk_uid=disk.uid, aggregate_uuid=row.uuid, **place))
            position += 1
    change.session.expire(row, ["members"])
