"""Disks, and the aggregates of them."""

from __future__ import annotations

import time
from typing import Any, cast

from sqlalchemy import ColumnElement, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.database.change import AGGREGATE, COUNTER, DISK, Owned, Removal
from sanstone.core.database.store import Base, Identified
from sanstone.core.declaration.resource import Reader
from sanstone.core.observed import leave_uncounted
from sanstone.model.built_in import built_in_uuid
from sanstone.model.cluster import Schedule

WEEKLY = built_in_uuid(Schedule.kind, "weekly")
"""The schedule by which aggregates are scrubbed unless they have another."""


class Disk(Owned, Base):
    """A disk that was ever observed. `uid` is its own identity, `name` ours, which is kept.

    Its locate light is to be on until the moment `locate_until`, in seconds since 1970; None leaves
    the light as it is. `failure` is why it is out of service, '' for one that is not: it stays so,
    whatever it does, until somebody says otherwise.
    """

    __tablename__ = "disk"
    kind = "storage/disks"
    observed_as = kind, "uid"

    uid: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    locate_until: Mapped[float | None]
    failure: Mapped[str] = mapped_column(default="")
    member: Mapped[AggregateDisk | None] = relationship(back_populates="disk")

    @property
    def key(self) -> str:
        """Return the name, which is the key of a disk in ONTAP's REST API."""
        return self.name

    def facts(self, reader: Reader) -> dict[str, Any]:
        """Return the last observation of the disk."""
        return reader.seen(self.kind, self.uid)


leave_uncounted(Disk.kind, "readings")


class Aggregate(Owned, Identified, Base):
    """An aggregate. `next_thin_id` is the pool's next free device id; ids are never reused.

    The node `node_uuid` owns it now: that alone assembles it and writes to it, and what that sees
    of it is shown. Its home is `home_node_uuid`.

    Its RAID groups are scrubbed by the schedule `scrub_schedule_uuid`, '' for none, and by order:
    `scrub_action` is the last one, "start", "stop", "suspend" or "resume", or '', and
    `scrub_orders` counts them.

    `forced_starts` counts the orders to start RAID groups that are dirty and degraded.
    """

    __tablename__ = "aggregate"
    kind = "storage/aggregates"

    name: Mapped[str] = mapped_column(unique=True)
    raid_type: Mapped[str]
    raid_size: Mapped[int]
    home_node_uuid: Mapped[str]
    node_uuid: Mapped[str]
    next_thin_id: Mapped[int] = mapped_column(default=1, info={COUNTER: 1 << 16})
    create_time: Mapped[float] = mapped_column(default=time.time)
    scrub_schedule_uuid: Mapped[str] = mapped_column(default=WEEKLY)
    scrub_action: Mapped[str] = mapped_column(default="")
    scrub_orders: Mapped[int] = mapped_column(default=0)
    forced_starts: Mapped[int] = mapped_column(default=0)
    members: Mapped[list[AggregateDisk]] = relationship(
        back_populates="aggregate", order_by="AggregateDisk.position"
    )

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str]:
        """Return its owner."""
        return cast(ColumnElement[str], row.node_uuid)

    def facts(self, reader: Reader) -> dict[str, Any]:
        """Return the observation of the aggregate, {} before the first one."""
        return reader.seen(self.kind, self.uuid)

    def leftover(self) -> Removal:
        """Return the removal of the pool, the RAID groups and their superblocks."""
        groups: dict[int, list[str]] = {}
        for member in self.members:
            groups.setdefault(member.raid_group, []).append(member.disk_uid)
        data = {"uuid": self.uuid, "raid_type": self.raid_type, "groups": list(groups.values())}
        return Removal(kind=AGGREGATE, owner=self.owner, node_uuid=self.node_uuid, data=data)


leave_uncounted(Aggregate.kind, "available", "metadata_used_percent", "set_aside", "used")


class AggregateDisk(Owned, Base):
    """A disk's place in an aggregate: RAID group from 0, position from 0 over all groups."""

    __tablename__ = "aggregate_disk"
    kind = "storage/aggregates"
    is_part = True

    disk_uid: Mapped[str] = mapped_column(ForeignKey("disk.uid"), primary_key=True)
    aggregate_uuid: Mapped[str] = mapped_column(ForeignKey("aggregate.uuid"), index=True)
    raid_group: Mapped[int] = mapped_column(default=0)
    position: Mapped[int]
    aggregate: Mapped[Aggregate] = relationship(back_populates="members")
    disk: Mapped[Disk] = relationship(back_populates="member")

    @property
    def key(self) -> str:
        """Return the aggregate's key: plan steps name the aggregate as the owner of its disks."""
        return self.aggregate_uuid

    def leftover(self) -> Removal:
        """Return the removal of the aggregate's superblock on the disk."""
        data = {
            "uuid": self.aggregate_uuid,
            "raid_type": self.aggregate.raid_type,
            "number": self.raid_group,
            "groups": [[self.disk_uid]],
        }
        node_uuid = self.aggregate.node_uuid
        return Removal(kind=DISK, owner=self.owner, node_uuid=node_uuid, data=data)
