"""`storage/volumes`: containers of LUNs and namespaces on one aggregate.

A volume holds no blocks itself: what is in it are thin devices of the aggregate's pool. Its size is
a promise to its owner. With the guarantee `volume` it is taken off what the aggregate may promise
to others; with `none` only what is really used counts. Inside, LUNs and namespaces with a
reservation must fit into the size less the snapshot reserve; those without may promise more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import ForeignKey, Select, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, joinedload, mapped_column, relationship

from sanstone.core import errors
from sanstone.core.change import Change, Owned
from sanstone.core.resource import CREATE, WRITE, Field, Reader, References, Resource
from sanstone.core.store import Base, Identified
from sanstone.core.types import MIB, PIB, Boolean, Choice, Integer, Size, Text, Timestamp, Uuid
from sanstone.resources import aggregate as aggregates
from sanstone.resources import volume_properties, without_effect
from sanstone.resources.aggregate import Aggregate
from sanstone.resources.qos_policy import QosPolicy, assigned, qos_reference
from sanstone.resources.svm import Svm, svm_reference

if TYPE_CHECKING:
    from sanstone.resources.lun import Lun
    from sanstone.resources.namespace import Namespace

NAME_TAKEN, NAME_LONG, NAME_BAD = "917526", "917886", "917887"
AGGREGATE_UNKNOWN, NO_AGGREGATE, ONE_AGGREGATE = "917508", "787140", "918242"
TOO_SMALL, RESERVE_BAD, NO_SPACE = "917534", "917835", "917536"
SMALLEST, LARGEST = 20 * MIB, PIB
"""Limits of a volume's size: ONTAP's smallest, and more than a pool can hold."""


class Volume(Owned, Identified, Base):
    """A volume; `size` in bytes, `guarantee` none or volume, `state` online or offline.

    `properties` are values that clients get back as they sent them (see `without_effect`).
    """

    __tablename__ = "volume"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/volumes"

    name: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    aggregate_uuid: Mapped[str] = mapped_column(ForeignKey("aggregate.uuid"), index=True)
    size: Mapped[int]
    guarantee: Mapped[str] = mapped_column(default="none")
    snapshot_reserve_percent: Mapped[int] = mapped_column(default=0)
    comment: Mapped[str] = mapped_column(default="")
    qos_policy_uuid: Mapped[str | None] = mapped_column(ForeignKey("qos_policy.uuid"), index=True)
    state: Mapped[str] = mapped_column(default="online")
    properties: Mapped[dict[str, Any]] = mapped_column(default=dict)
    create_time: Mapped[float] = mapped_column(default=time.time)
    svm: Mapped[Svm] = relationship(back_populates="volumes")
    aggregate: Mapped[Aggregate] = relationship(back_populates="volumes")
    qos_policy: Mapped[QosPolicy | None] = relationship()
    luns: Mapped[list[Lun]] = relationship(back_populates="volume")
    namespaces: Mapped[list[Namespace]] = relationship(back_populates="volume")

    @property
    def devices(self) -> list[Lun | Namespace]:
        """Return what is in the volume."""
        return [*self.luns, *self.namespaces]

    def occupied(self, reader: Reader, *, without: Any = None) -> int:
        """Return the bytes that what is in the volume uses or has reserved."""
        return sum(
            occupied(device.size, device.reserved, reader.seen(device.kind, device.uuid))
            for device in self.devices
            if device is not without
        )


def usable(size: int, snapshot_reserve_percent: int) -> int:
    """Return the bytes of a volume that LUNs and namespaces may take."""
    return size * (100 - snapshot_reserve_percent) // 100


def occupied(size: int, reserved: bool, seen: dict[str, Any]) -> int:
    """Return the bytes that a LUN or namespace takes off its volume."""
    return size if reserved else int(seen.get("used", 0))


def _occupied_by_volume(reader: Reader) -> dict[str, int]:
    """Return the bytes taken in each volume, for showing: all are computed at once."""
    known: dict[str, int] | None = reader.session.info.get(_occupied_by_volume)
    if known is None:
        known = reader.session.info[_occupied_by_volume] = {}
        for kind, name in (("storage/luns", "lun"), ("storage/namespaces", "namespace")):
            table = Base.metadata.tables[name]
            columns = (table.c.uuid, table.c.volume_uuid, table.c.size, table.c.reserved)
            for uuid, volume, size, reserved in reader.session.execute(select(*columns)):
                taken = occupied(size, reserved, reader.seen(kind, uuid))
                known[volume] = known.get(volume, 0) + taken
    return known


def _used(row: Volume, reader: Reader) -> int:
    return _occupied_by_volume(reader).get(row.uuid, 0)


def _available(row: Volume, reader: Reader) -> int:
    return max(0, usable(row.size, row.snapshot_reserve_percent) - _used(row, reader))


def _name_code(raw: Any) -> str:
    return NAME_LONG if isinstance(raw, str) and len(raw) > 203 else NAME_BAD


def _size_field(name: str, get: Callable[[Any, Reader], Any]) -> Field:
    doc = "Size in bytes."
    return Field(name, Size(SMALLEST, LARGEST), doc, access=WRITE, code=TOO_SMALL, get=get)


class VolumeResource(Resource[Volume]):
    """Volumes."""

    path = "storage/volumes"
    doc = "Volumes hold LUNs and namespaces; each is on one aggregate and belongs to one SVM."
    model = Volume
    asynchronous = True
    options = (
        Field(
            "force",
            Boolean(),
            "Accepted; there is no recovery queue, and what is mapped is never deleted with it.",
            default=False,
        ),
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the volume."),
        Field(
            "name",
            Text(203, 1, r"[A-Za-z_][A-Za-z0-9_]*", "a letter or _, then letters, digits, _"),
            "Name of the volume, unique in its SVM; it is part of the paths of what is in it.",
            access=WRITE,
            required=True,
            code=_name_code,
        ),
        svm_reference(),
        References(
            "aggregates",
            Aggregate,
            "The aggregate that it is on; the one with most space where none is given.",
            access=CREATE,
            get=lambda row, _: [row.aggregate],
            unknown_code=AGGREGATE_UNKNOWN,
        ),
        _size_field("size", lambda row, _: row.size),
        _size_field("space.size", lambda row, _: row.size),
        Field("space.used", Size(), "Bytes used or reserved in it.", get=_used),
        Field("space.available", Size(), "Bytes left in it.", get=_available),
        Field(
            "space.snapshot.reserve_percent",
            Integer(0, 90),
            "Share that is kept for snapshots.",
            access=WRITE,
            default=0,
            attribute="snapshot_reserve_percent",
            code=RESERVE_BAD,
        ),
        Field("space.logical_space.used", Size(), "Bytes used or reserved in it.", get=_used),
        Field(
            "guarantee.type",
            Choice("none", "volume"),
            "Whether its size is set aside in the aggregate.",
            access=WRITE,
            default="none",
            attribute="guarantee",
        ),
        Field(
            "state",
            Choice("online", "offline"),
            "Hosts reach nothing in a volume that is offline.",
            access=WRITE,
            default="online",
        ),
        qos_reference("qos.policy"),
        Field("comment", Text(1023), "Comment.", access=WRITE, default=""),
        Field("create_time", Timestamp(), "When the volume was created."),
        *volume_properties.KEPT,
        *volume_properties.OFF,
        *volume_properties.FIXED,
    )

    def select(self) -> Select[Any]:
        """Load each volume with its SVM and aggregate."""
        owners = (joinedload(Volume.svm, innerjoin=True), joinedload(Volume.aggregate))
        return select(Volume).options(*owners)

    def create(self, change: Change, values: dict[str, Any]) -> Volume:
        """Add a volume on the aggregate given, else on the one with most space."""
        reader = Reader(change.session)
        svm, name = values["svm"], values["name"]
        _check_name(change.session, svm, name)
        size = _size(values)
        if size is None:
            raise errors.missing("size")
        aggregate = _aggregate(reader, svm, values)
        _check_guarantee(reader, aggregate, name, size, values["guarantee.type"])
        row = Volume(
            name=name,
            svm_uuid=svm.uuid,
            aggregate_uuid=aggregate.uuid,
            size=size,
            guarantee=values["guarantee.type"],
            snapshot_reserve_percent=values["space.snapshot.reserve_percent"],
            comment=values["comment"],
            qos_policy_uuid=assigned(values, "qos.policy"),
            state=values["state"],
            properties=without_effect.given(volume_properties.KEPT, values),
        )
        change.add(row)
        return row

    def update(self, change: Change, row: Volume, values: dict[str, Any]) -> None:
        """Change a volume; its name is changed in the paths of what is in it too."""
        reader = Reader(change.session)
        name = values.get("name", row.name)
        if name != row.name:
            _check_name(change.session, row.svm, name)
        size = _size(values) or row.size
        guarantee = values.get("guarantee.type", row.guarantee)
        reserve = values.get("space.snapshot.reserve_percent", row.snapshot_reserve_percent)
        shrinks = usable(size, reserve) < usable(row.size, row.snapshot_reserve_percent)
        if shrinks and usable(size, reserve) < row.occupied(reader):
            text = f'Volume "{row.name}" has more in it than the size would hold.'
            raise errors.invalid(text, "size", TOO_SMALL)
        if size > row.size or guarantee != row.guarantee:
            _check_guarantee(reader, row.aggregate, name, size, guarantee, without=row)
        row.qos_policy_uuid = assigned(values, "qos.policy", row.qos_policy_uuid)
        _rename(row, name)
        if values.get("state", row.state) != row.state:
            for device in row.devices:
                change.touch(device.owner)
        row.size, row.guarantee, row.snapshot_reserve_percent = size, guarantee, reserve
        row.state = values.get("state", row.state)
        row.comment = values.get("comment", row.comment)
        row.properties = row.properties | without_effect.given(volume_properties.KEPT, values)

    def delete(self, change: Change, row: Volume, options: dict[str, Any]) -> None:
        """Delete a volume with the LUNs and namespaces in it, none of which may be mapped."""
        mapped = next((device for device in row.devices if device.mappings), None)
        if mapped:
            raise errors.conflict(f'"{mapped.name}" in the volume is mapped; unmap it first.')
        for device in row.devices:
            device.release(change)
        change.delete(row)


def _check_name(session: Session, svm: Svm, name: str) -> None:
    if session.scalar(select(Volume.uuid).filter_by(svm_uuid=svm.uuid, name=name)):
        text = f'SVM "{svm.name}" has a volume named "{name}" already.'
        raise errors.conflict(text, "name", NAME_TAKEN)


def _size(values: dict[str, Any]) -> int | None:
    sizes = {values[name] for name in ("size", "space.size") if name in values}
    if len(sizes) > 1:
        raise errors.invalid("size and space.size differ.", "size", errors.EXCLUSIVE)
    return sizes.pop() if sizes else None


def _aggregate(reader: Reader, svm: Svm, values: dict[str, Any]) -> Aggregate:
    """Return the aggregate of a new volume. Raises ApiError unless it can be used."""
    given: list[Aggregate] = values.get("aggregates", [])
    if len(given) > 1:
        text = "A volume is on exactly one aggregate."
        raise errors.invalid(text, "aggregates", ONE_AGGREGATE)
    candidates = given or svm.aggregates or list(reader.session.scalars(select(Aggregate)))
    online = [row for row in candidates if aggregates.state(row, reader) == "online"]
    if not online:
        names = ", ".join(f'"{row.name}"' for row in candidates)
        text = (
            f"No aggregate that could be used is online ({names})."
            if names
            else ("There is no aggregate to put the volume on.")
        )
        raise errors.conflict(text, "aggregates", NO_AGGREGATE)
    return max(online, key=lambda row: (row.facts(reader).get("available", 0), row.name))


def _check_guarantee(
    reader: Reader,
    aggregate: Aggregate,
    name: str,
    size: int,
    guarantee: str,
    without: Volume | None = None,
) -> None:
    """Raise ApiError when the aggregate cannot set aside the size of a guaranteed volume.

    The words are ONTAP's, since clients look for them.
    """
    if guarantee != "volume":
        return
    promised = sum(
        volume.size if volume.guarantee == "volume" else volume.occupied(reader)
        for volume in aggregate.volumes
        if volume is not without
    )
    left = max(0, aggregate.facts(reader).get("size", 0) - promised)
    if size > left:
        text = (
            f'Request to create or grow volume "{name}" failed because there is not enough space '
            f'in aggregate "{aggregate.name}". Either create {size - left} bytes of free space in '
            f"the aggregate or select a size of at most {left} bytes for the volume."
        )
        raise errors.conflict(text, "size", NO_SPACE)


def _rename(row: Volume, name: str) -> None:
    if name != row.name:
        for device in row.devices:
            device.name = f"/vol/{name}/{device.base_name}"
        row.name = name
