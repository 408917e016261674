"""Volumes, the thin devices in them, their snapshots, and consistency groups.

A volume is a container of LUNs and namespaces on one aggregate. It holds no blocks itself: its
content is thin devices of the aggregate's pool. Its size is a limit. With the guarantee `volume` it
is reserved in the aggregate; with `none` only the space in use counts. Inside, LUNs and namespaces
with a reservation must fit into the size less the snapshot reserve; those without may overcommit
it.

A volume's LUNs and namespaces are typed as their common base, since their classes, in `san` and
`nvme`, build on this module.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, ForeignKey, String, UniqueConstraint, func, select
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, Session, aliased, declared_attr, mapped_column, relationship

from sanstone.core.database.change import CONTENT, THIN, Change, Owned, Removal
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base, Identified
from sanstone.core.database.tracked import Tracked
from sanstone.model.aggregates import Aggregate
from sanstone.model.host_groups import DeviceMap
from sanstone.model.observations import SNAPSHOT_SCHEDULES, SNAPSHOT_SPACE, SNAPSHOTS_TAKEN
from sanstone.model.policies import NONE_UUID, QosPolicy, SnapshotPolicy
from sanstone.model.svm import Svm


class Volume(Owned, Identified, Base):
    """A volume; `size` in bytes, `guarantee` none or volume, `state` online or offline.

    `clone` is the snapshot that it was cloned from, until it is split. `autosize_mode` is off, grow
    or grow_shrink; the other values of autosize are None until they are set, which stands for their
    defaults (`rules.storage.autosize`). Words of autodelete and of `space_mgmt_try_first` are those
    of `rules.storage.autodelete`. `properties` are values that are returned to clients as set
    (see `without_effect`).
    """

    __tablename__ = "volume"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/volumes"
    observed_with = SNAPSHOT_SPACE, SNAPSHOT_SCHEDULES

    name: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    aggregate_uuid: Mapped[str] = mapped_column(ForeignKey("aggregate.uuid"), index=True)
    size: Mapped[int]
    guarantee: Mapped[str] = mapped_column(default="none")
    snapshot_reserve_percent: Mapped[int] = mapped_column(default=0)
    comment: Mapped[str] = mapped_column(default="")
    qos_policy_uuid: Mapped[str | None] = mapped_column(ForeignKey("qos_policy.uuid"), index=True)
    snapshot_policy_uuid: Mapped[str] = mapped_column(
        ForeignKey("snapshot_policy.uuid"), index=True, nullable=True, default=NONE_UUID
    )
    state: Mapped[str] = mapped_column(default="online")
    autosize_mode: Mapped[str] = mapped_column(default="off")
    autosize_maximum: Mapped[int | None]
    autosize_minimum: Mapped[int | None]
    autosize_grow_threshold: Mapped[int | None]
    autosize_shrink_threshold: Mapped[int | None]
    autodelete_enabled: Mapped[bool] = mapped_column(default=False)
    autodelete_trigger: Mapped[str] = mapped_column(default="volume")
    autodelete_target_free_space: Mapped[int] = mapped_column(default=20)
    autodelete_delete_order: Mapped[str] = mapped_column(default="oldest_first")
    autodelete_defer_delete: Mapped[str] = mapped_column(default="user_created")
    autodelete_commitment: Mapped[str] = mapped_column(default="try")
    autodelete_prefix: Mapped[str] = mapped_column(default="")
    space_mgmt_try_first: Mapped[str] = mapped_column(default="volume_grow")
    properties: Mapped[dict[str, Any]] = mapped_column(default=dict)
    create_time: Mapped[float] = mapped_column(default=time.time)
    svm: Mapped[Svm] = relationship()
    aggregate: Mapped[Aggregate] = relationship()
    qos_policy: Mapped[QosPolicy | None] = relationship()
    snapshot_policy: Mapped[SnapshotPolicy] = relationship()
    luns: Mapped[list[ThinDevice]] = relationship("Lun", back_populates="volume")
    namespaces: Mapped[list[ThinDevice]] = relationship("Namespace", back_populates="volume")
    snapshots: Mapped[list[Snapshot]] = relationship(
        back_populates="volume", order_by="Snapshot.create_time"
    )
    clone: Mapped[VolumeClone | None] = relationship(back_populates="volume")
    membership: Mapped[ConsistencyGroupVolume | None] = relationship(back_populates="volume")

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str]:
        """Return the owner of its aggregate."""
        aggregate = aliased(Aggregate)
        query = select(aggregate.node_uuid).where(aggregate.uuid == row.aggregate_uuid)
        return query.scalar_subquery()

    @property
    def devices(self) -> list[ThinDevice]:
        """Return the volume's LUNs and namespaces."""
        return [*self.luns, *self.namespaces]


def _volumes_owner(volume_uuid: ColumnElement[str]) -> ColumnElement[str]:
    """Return the owner of the aggregate of a volume, for SQLite."""
    volume = aliased(Volume)
    query = select(Volume.owning_node(volume)).where(volume.uuid == volume_uuid)
    return query.scalar_subquery()


def usable(size: int, snapshot_reserve_percent: int) -> int:
    """Return the bytes of a volume that LUNs and namespaces may take."""
    return size * (100 - snapshot_reserve_percent) // 100


class ThinDevice(Owned, Identified):
    """Mixin of Lun and Namespace. `name` is the whole path, `size` in bytes.

    A thin device that starts as a copy of another names its source: `source_thin_id` is the
    source's id, and `source_device` the UUID of its exported device, '' if there is none.
    """

    listed_in: ClassVar[str]
    """Volume's attribute for the devices of this table."""

    name: Mapped[str]
    os_type: Mapped[str]
    size: Mapped[int]
    thin_id: Mapped[int]
    source_thin_id: Mapped[int | None]
    source_device: Mapped[str] = mapped_column(default="")
    comment: Mapped[str] = mapped_column(default="")
    enabled: Mapped[bool] = mapped_column(default=True)
    reserved: Mapped[bool] = mapped_column(default=False)
    create_time: Mapped[float] = mapped_column(default=time.time)

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str]:
        """Return the owner of its aggregate."""
        return _volumes_owner(row.volume_uuid)

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

    @declared_attr
    def volume(cls) -> Mapped[Volume]:
        """The volume."""
        return relationship(back_populates=cls.listed_in)

    @declared_attr
    def svm(cls) -> Mapped[Svm]:
        """The SVM."""
        return relationship()

    @declared_attr
    def qos_policy(cls) -> Mapped[QosPolicy | None]:
        """The policy."""
        return relationship()

    @hybrid_property
    def base_name(self) -> str:
        """Return the last part of the path."""
        return self.name.rpartition("/")[2]

    @base_name.inplace.expression
    @classmethod
    def _base_name_in_sql(cls) -> ColumnElement[str]:
        """Return the last part of the path, which is behind `/vol/<volume>/`."""
        in_volume = func.substr(cls.name, len("/vol/") + 1)
        return func.substr(in_volume, func.instr(in_volume, "/") + 1, type_=String)

    @property
    @abstractmethod
    def mappings(self) -> Sequence[DeviceMap]:
        """Return the rows that map the device."""

    def hide(self, change: Change) -> None:
        """Unmap the device from all hosts."""
        for mapping in list(self.mappings):
            mapping.unmap(change)

    def release(self, change: Change) -> None:
        """Delete the row, and order the destruction of its thin device."""
        change.add(self.leftover())
        change.delete(self)

    def bound_to_kind(self, sector_size: int) -> str:
        """Return the property that no other kind of device can have, '' for none.

        `sector_size` is the bytes of a logical sector of its aggregate.
        """
        return ""

    def shed(self, change: Change, heir: str) -> None:
        """Delete what only its kind has, before it becomes the owner `heir` of another kind."""

    def leftover(self) -> Removal:
        """Return the removal of the thin device."""
        aggregate = self.volume.aggregate_uuid
        data = {"uuid": self.uuid, "aggregate": aggregate, "thin_id": self.thin_id}
        return Removal(kind=THIN, owner=self.owner, node_uuid=self.node_uuid, data=data)

    def leftover_of(self, written: dict[str, Any]) -> Removal | None:
        """Return the removal of content that was to replace its own."""
        if "thin_id" not in written:
            return None
        return self.former_content(written["thin_id"])

    def former_content(self, thin_id: int) -> Removal:
        """Return the removal of content that another one takes the place of, or was to."""
        data = {"aggregate": self.volume.aggregate_uuid, "thin_id": thin_id}
        return Removal(kind=CONTENT, owner=self.owner, node_uuid=self.node_uuid, data=data)

    @property
    def node_uuid(self) -> str:
        """Return the owner of its aggregate."""
        return self.volume.aggregate.node_uuid


class Snapshot(Owned, Identified, Base):
    """A snapshot. `schedule_uuid` names the schedule that took it, '' for one taken by hand."""

    __tablename__ = "snapshot"
    __table_args__ = (UniqueConstraint("volume_uuid", "name"),)
    kind = "storage/volumes"
    observed_as = SNAPSHOTS_TAKEN, "uuid"

    name: Mapped[str]
    volume_uuid: Mapped[str] = mapped_column(ForeignKey("volume.uuid"))
    taken_with: Mapped[str] = mapped_column(index=True)
    comment: Mapped[str] = mapped_column(default="")
    snapmirror_label: Mapped[str] = mapped_column(default="")
    schedule_uuid: Mapped[str] = mapped_column(default="")
    expiry_time: Mapped[float | None]
    create_time: Mapped[float] = mapped_column(default=time.time)
    volume: Mapped[Volume] = relationship(back_populates="snapshots")
    members: Mapped[list[SnapshotMember]] = relationship(
        back_populates="snapshot", order_by="SnapshotMember.thin_id"
    )
    clones: Mapped[list[VolumeClone]] = relationship(back_populates="snapshot")

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str]:
        """Return the owner of its aggregate."""
        return _volumes_owner(row.volume_uuid)

    @property
    def key(self) -> str:
        """Return the volume's key and its own, as in the path."""
        return f"{self.volume_uuid}/snapshots/{self.uuid}"

    def release(self, change: Change) -> None:
        """Delete the snapshot, and order the destruction of its contents."""
        for member in list(self.members):
            change.add(member.leftover())
            change.delete(member)
        change.delete(self)


class SnapshotMember(Owned, Identified, Base):
    """A LUN or namespace in a snapshot: its content, and the values of its row by column.

    `device_kind` is the kind of resource, `device_uuid` its identity.
    """

    __tablename__ = "snapshot_member"
    kind = "storage/volumes"
    is_part = True

    snapshot_uuid: Mapped[str] = mapped_column(ForeignKey("snapshot.uuid"), index=True)
    device_kind: Mapped[str]
    device_uuid: Mapped[str]
    base_name: Mapped[str]
    size: Mapped[int]
    thin_id: Mapped[int]
    source_thin_id: Mapped[int]
    described: Mapped[dict[str, Any]] = mapped_column(default=dict)
    snapshot: Mapped[Snapshot] = relationship(back_populates="members")

    @property
    def key(self) -> str:
        """Return the snapshot's key: the snapshot is the owner of its members."""
        return self.snapshot.key

    def leftover(self) -> Removal:
        """Return the removal of the content."""
        aggregate = self.snapshot.volume.aggregate
        data = {"uuid": self.uuid, "aggregate": aggregate.uuid, "thin_id": self.thin_id}
        return Removal(kind=THIN, owner=self.owner, node_uuid=aggregate.node_uuid, data=data)


class VolumeClone(Tracked, Base):
    """A volume that was cloned from a snapshot, and is not split from it yet."""

    __tablename__ = "volume_clone"

    volume_uuid: Mapped[str] = mapped_column(ForeignKey("volume.uuid"), primary_key=True)
    snapshot_uuid: Mapped[str] = mapped_column(ForeignKey("snapshot.uuid"), index=True)
    volume: Mapped[Volume] = relationship(back_populates="clone")
    snapshot: Mapped[Snapshot] = relationship(back_populates="clones")

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the volume, which begins or ceases to be a clone."""
        yield Changed(Volume.kind, self.volume_uuid)


class ConsistencyGroup(Owned, Identified, Base):
    """A consistency group. Its policy is that of its own snapshots; its volumes keep theirs.

    The owner of its first volume takes its scheduled snapshots.
    """

    __tablename__ = "consistency_group"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "application/consistency-groups"
    observed_with = (SNAPSHOT_SCHEDULES,)

    name: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    create_time: Mapped[float] = mapped_column(default=time.time)
    snapshot_policy_uuid: Mapped[str] = mapped_column(
        ForeignKey("snapshot_policy.uuid"), index=True, nullable=True, default=NONE_UUID
    )
    svm: Mapped[Svm] = relationship()
    snapshot_policy: Mapped[SnapshotPolicy] = relationship()
    members: Mapped[list[ConsistencyGroupVolume]] = relationship(
        back_populates="group", order_by="ConsistencyGroupVolume.volume_uuid"
    )
    snapshots: Mapped[list[ConsistencyGroupSnapshot]] = relationship(
        back_populates="group", order_by="ConsistencyGroupSnapshot.create_time"
    )

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str]:
        """Return the owner of its first volume."""
        member = aliased(ConsistencyGroupVolume)
        first = select(func.min(member.volume_uuid)).where(member.group_uuid == row.uuid)
        return _volumes_owner(first.scalar_subquery())

    @property
    def volumes(self) -> list[Volume]:
        """Return the volumes in the group."""
        return [member.volume for member in self.members]


class ConsistencyGroupVolume(Owned, Base):
    """A volume in a group."""

    __tablename__ = "consistency_group_volume"
    kind = ConsistencyGroup.kind
    is_part = True

    volume_uuid: Mapped[str] = mapped_column(ForeignKey("volume.uuid"), primary_key=True)
    group_uuid: Mapped[str] = mapped_column(ForeignKey("consistency_group.uuid"), index=True)
    group: Mapped[ConsistencyGroup] = relationship(back_populates="members")
    volume: Mapped[Volume] = relationship(back_populates="membership")

    @property
    def key(self) -> str:
        """Return the group's key: the group is the owner of its members."""
        return self.group_uuid


class ConsistencyGroupSnapshot(Owned, Identified, Base):
    """A snapshot of a group; its volumes' have `taken_with` set to its UUID.

    `schedule_uuid` names the schedule that took it, '' for one taken by hand. One that is taken in
    two phases goes unless it is committed by the time `commit_by`.
    """

    __tablename__ = "consistency_group_snapshot"
    __table_args__ = (UniqueConstraint("group_uuid", "name"),)
    kind = ConsistencyGroup.kind

    name: Mapped[str]
    group_uuid: Mapped[str] = mapped_column(ForeignKey("consistency_group.uuid"))
    comment: Mapped[str] = mapped_column(default="")
    consistency_type: Mapped[str] = mapped_column(default="crash")
    schedule_uuid: Mapped[str] = mapped_column(default="")
    commit_by: Mapped[float | None]
    create_time: Mapped[float] = mapped_column(default=time.time)
    group: Mapped[ConsistencyGroup] = relationship(back_populates="snapshots")

    @property
    def key(self) -> str:
        """Return the group's key and its own, as in the path."""
        return f"{self.group_uuid}/snapshots/{self.uuid}"
