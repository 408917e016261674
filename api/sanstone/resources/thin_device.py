"""What a LUN and a namespace have in common: a path in a volume and a thin device in its pool.

The id of the thin device is taken from the aggregate's counter in the transaction that makes the
row, before the pool is told of it, and never used again. Destroying goes through a `Removal`,
since an absent row must never be a reason to destroy data.

A path, `/vol/<volume>/<name>`, and a location, volume and name, are two views of one thing; a
request may give either, or both when they agree. Moving to another path moves no data, so it stays
on the aggregate. Sizes are rounded up to whole sectors of every kind of disk, 4 KiB.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from sqlalchemy import ForeignKey, Select, select
from sqlalchemy.orm import Mapped, Session, declared_attr, joinedload, mapped_column

from sanstone.core import errors
from sanstone.core.change import Change, Owned, Removal
from sanstone.core.resource import Field, Reader, Resource
from sanstone.core.store import Identified
from sanstone.core.types import Boolean
from sanstone.resources import aggregate as aggregates
from sanstone.resources import qos_policy
from sanstone.resources.thin_device_fields import ROUNDED_TO, Codes
from sanstone.resources.volume import Volume, usable

if TYPE_CHECKING:
    from sanstone.resources.qos_policy import QosPolicy
    from sanstone.resources.svm import Svm

SVM_STOPPED, AGGREGATE_OFFLINE, VOLUME_OFFLINE = "5374893", "5374865", "5374866"

QOS = "qos_policy"
THIN_IDS = 2**24
"""Ids of a pool's devices have 24 bits (kernel: device-mapper/thin-provisioning.rst)."""


class ThinDevice(Owned, Identified):
    """Mixin of Lun and Namespace. `name` is the whole path, `size` in bytes."""

    name: Mapped[str]
    os_type: Mapped[str]
    size: Mapped[int]
    thin_id: Mapped[int]
    comment: Mapped[str] = mapped_column(default="")
    enabled: Mapped[bool] = mapped_column(default=True)
    reserved: Mapped[bool] = mapped_column(default=False)
    create_time: Mapped[float] = mapped_column(default=time.time)

    if TYPE_CHECKING:
        volume: Mapped[Volume]
        svm: Mapped[Svm]
        qos_policy: Mapped[QosPolicy | None]

    @declared_attr
    def volume_uuid(cls) -> Mapped[str]:
        """The volume that holds the device."""
        return mapped_column(ForeignKey("volume.uuid"), index=True)

    @declared_attr
    def svm_uuid(cls) -> Mapped[str]:
        """The SVM of that volume; here too, so that a path is unique within it."""
        return mapped_column(ForeignKey("svm.uuid"))

    @declared_attr
    def qos_policy_uuid(cls) -> Mapped[str | None]:
        """Its quality of service policy."""
        return mapped_column(ForeignKey("qos_policy.uuid"), index=True)

    @property
    def base_name(self) -> str:
        """Return the last part of the path."""
        return self.name.rpartition("/")[2]

    @property
    def mappings(self) -> Sequence[Any]:
        """Return the rows that let hosts see the device."""
        raise NotImplementedError

    def release(self, change: Change) -> None:
        """Delete the row and have its thin device destroyed."""
        removal = self.leftover()
        change.remove(removal.what, removal.owner, **removal.data)
        change.delete(self)

    def leftover(self) -> Removal:
        """Return the removal of the thin device."""
        aggregate = self.volume.aggregate_uuid
        data = {"uuid": self.uuid, "aggregate": aggregate, "thin_id": self.thin_id}
        return Removal(what="thin", owner=self.owner, data=data)


def container_state(row: ThinDevice, reader: Reader) -> str:
    """Return online, or which of aggregate and volume is offline."""
    if aggregates.state(row.volume.aggregate, reader) != "online":
        return "aggregate_offline"
    return "online" if row.volume.state == "online" else "volume_offline"


def state(row: ThinDevice, reader: Reader) -> str:
    """Return online, or offline when it is switched off or cannot be served."""
    well = container_state(row, reader) == "online" and not reader.fault(row.kind, row.key)
    return "online" if row.enabled and well else "offline"


Device = TypeVar("Device", bound=ThinDevice)


class ThinDeviceResource(Resource[Device]):
    """Base of the LUN and the namespace resource: paths, sizes and life of a thin device.

    `leaf` is the field that holds a path's last part, `own` are columns that only this kind has.
    """

    codes: ClassVar[Codes]
    leaf: ClassVar[str]
    own: ClassVar[tuple[tuple[str, str], ...]] = ()
    options = (
        Field(
            "allow_delete_while_mapped",
            Boolean(),
            "Whether a mapped object may be deleted, its maps with it.",
            default=False,
        ),
    )

    def select(self) -> Select[Any]:
        """Load each device with its SVM and volume."""
        model: Any = self.model
        owners = (joinedload(model.svm, innerjoin=True), joinedload(model.volume, innerjoin=True))
        return select(model).options(*owners)

    def create(self, change: Change, values: dict[str, Any]) -> Device:
        """Add a device; its thin volume is made in the pool of the volume's aggregate."""
        reader = Reader(change.session)
        svm: Svm = values["svm"]
        if svm.state != "running":
            raise errors.conflict(f'SVM "{svm.name}" is stopped.', "svm", SVM_STOPPED)
        volume, path = self._place(change.session, svm, values)
        _check_online(reader, volume)
        if _path_taken(change.session, svm, path):
            raise errors.conflict(f'"{path}" exists already.', "name", self.codes.taken)
        size = _rounded(values["space.size"])
        reserved = values["space.guarantee.requested"]
        self._check_room(reader, volume, size if reserved else 0)
        policy = qos_policy.assigned(values, QOS)
        model: Any = self.model
        row: Device = model(
            name=path,
            os_type=values["os_type"],
            size=size,
            thin_id=_next_thin_id(volume),
            comment=values["comment"],
            enabled=values["enabled"],
            reserved=reserved,
            volume_uuid=volume.uuid,
            svm_uuid=svm.uuid,
            qos_policy_uuid=policy,
            **{column: values[name] for name, column in self.own},
        )
        change.add(row)
        return row

    def update(self, change: Change, row: Device, values: dict[str, Any]) -> None:
        """Change a device: path, size (never smaller), reservation and what describes it."""
        reader = Reader(change.session)
        volume, path = self._place(change.session, row.svm, values, row)
        if volume.aggregate_uuid != row.volume.aggregate_uuid:
            text = f'Volume "{volume.name}" is on another aggregate than "{row.name}".'
            raise errors.invalid(text, "location.volume")
        if path != row.name and _path_taken(change.session, row.svm, path):
            raise errors.conflict(f'"{path}" exists already.', "name", self.codes.rename_taken)
        size = self._new_size(row, values)
        reserved = values.get("space.guarantee.requested", row.reserved)
        more = size > row.size or volume.uuid != row.volume_uuid or not row.reserved
        if reserved and more:
            self._check_room(reader, volume, size, row)
        row.qos_policy_uuid = qos_policy.assigned(values, QOS, row.qos_policy_uuid)
        row.name, row.volume_uuid = path, volume.uuid
        row.size, row.reserved = size, reserved
        for name, column in (("comment", "comment"), ("enabled", "enabled"), *self.own):
            if name in values:
                setattr(row, column, values[name])

    def delete(self, change: Change, row: Device, options: dict[str, Any]) -> None:
        """Delete a device and its data; one that is mapped only when the request allows it."""
        if row.mappings and not options["allow_delete_while_mapped"]:
            text = f'"{row.name}" is mapped; unmap it first or set allow_delete_while_mapped.'
            raise errors.conflict(text, code=self.codes.mapped)
        for mapping in list(row.mappings):
            mapping.unmap(change)
        row.release(change)

    def _place(
        self, session: Session, svm: Svm, values: dict[str, Any], row: Device | None = None
    ) -> tuple[Volume, str]:
        """Return the volume and the path that a request means. Raises ApiError."""
        volume: Volume | None = values.get("location.volume")
        base: str | None = values.get(self.leaf)
        if volume is not None and volume.svm_uuid != svm.uuid:
            text = f'volume "{volume.name}" in SVM "{svm.name}"'
            raise errors.unknown_reference(text, "location.volume", self.codes.volume_unknown)
        if "name" not in values:
            volume = volume or (row.volume if row else None)
            base = base or (row.base_name if row else None)
            if volume is None:
                raise errors.missing("location.volume", self.codes.no_volume)
            if base is None:
                raise errors.missing(self.leaf, self.codes.no_name)
            return volume, f"/vol/{volume.name}/{base}"
        _, _, volume_name, base_name = values["name"].split("/")
        found = session.scalar(select(Volume).filter_by(svm_uuid=svm.uuid, name=volume_name))
        if found is None:
            text = f'volume "{volume_name}" in SVM "{svm.name}"'
            raise errors.unknown_reference(text, "name", self.codes.volume_unknown)
        if (volume or found) is not found or (base or base_name) != base_name:
            raise errors.invalid("name and location differ.", "name", self.codes.mismatch)
        return found, values["name"]

    def _new_size(self, row: Device, values: dict[str, Any]) -> int:
        if "space.size" not in values:
            return row.size
        size = _rounded(values["space.size"])
        if size == row.size and self.codes.same_size:
            text = "New LUN size is the same as the old LUN size."
            raise errors.invalid(text, "space.size", self.codes.same_size)
        if size < row.size:
            text = f'"{row.name}" cannot be made smaller: hosts would lose what is at its end.'
            raise errors.invalid(text, "space.size", self.codes.shrink)
        return size

    def _check_room(
        self, reader: Reader, volume: Volume, size: int, without: Device | None = None
    ) -> None:
        room = usable(volume.size, volume.snapshot_reserve_percent)
        left = max(0, room - volume.occupied(reader, without=without)) if size else 0
        if size > left:
            text = f'Volume "{volume.name}" has {left} bytes left; {size} cannot be reserved in it.'
            raise errors.conflict(text, "space.size", self.codes.too_large)


def _check_online(reader: Reader, volume: Volume) -> None:
    """Raise ApiError unless something can be made in the volume now."""
    aggregate = volume.aggregate
    if aggregates.state(aggregate, reader) != "online":
        text = f'Aggregate "{aggregate.name}" is not online.'
        raise errors.conflict(text, "location.volume", AGGREGATE_OFFLINE)
    if volume.state != "online":
        text = f'Volume "{volume.name}" is offline.'
        raise errors.conflict(text, "location.volume", VOLUME_OFFLINE)


def _rounded(size: int) -> int:
    return -(-size // ROUNDED_TO) * ROUNDED_TO


def _next_thin_id(volume: Volume) -> int:
    """Take the next thin id of the volume's aggregate. Raises ApiError when all are used up."""
    aggregate = volume.aggregate
    if aggregate.next_thin_id >= THIN_IDS:
        text = f'Aggregate "{aggregate.name}" has used up its {THIN_IDS - 1} device ids.'
        raise errors.conflict(text, "location.volume")
    aggregate.next_thin_id += 1
    return aggregate.next_thin_id - 1


def _path_taken(session: Session, svm: Svm, path: str) -> bool:
    """Return whether a LUN or a namespace of the SVM has this path; both share one name space."""
    kinds: list[Any] = ThinDevice.__subclasses__()
    return any(
        session.scalar(select(kind.uuid).filter_by(svm_uuid=svm.uuid, name=path)) for kind in kinds
    )
