"""`storage/aggregates`: RAID groups of disks under one pool, out of which volumes are made."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned, Removal
from sanstone.core.store import Base, Identified
from sanstone.resources.disk import Disk

if TYPE_CHECKING:
    from sanstone.resources.volume import Volume


class Aggregate(Owned, Identified, Base):
    """An aggregate. `next_thin_id` is the pool's next free device id; ids are never reused."""

    __tablename__ = "aggregate"
    kind = "storage/aggregates"

    name: Mapped[str] = mapped_column(unique=True)
    raid_type: Mapped[str]
    raid_size: Mapped[int]
    next_thin_id: Mapped[int] = mapped_column(default=1)
    create_time: Mapped[float] = mapped_column(default=time.time)
    members: Mapped[list[AggregateDisk]] = relationship(
        back_populates="aggregate", order_by="AggregateDisk.position"
    )
    volumes: Mapped[list[Volume]] = relationship(back_populates="aggregate")

    def leftover(self) -> Removal:
        """Return the removal of the pool, the RAID groups and what they wrote on the disks."""
        groups: dict[int, list[str]] = {}
        for member in self.members:
            groups.setdefault(member.raid_group, []).append(member.disk_uid)
        data = {"uuid": self.uuid, "raid_type": self.raid_type, "groups": list(groups.values())}
        return Removal(what="aggregate", owner=self.owner, data=data)


class AggregateDisk(Base):
    """A disk's place in an aggregate: RAID group from 0, position from 0 over all groups."""

    __tablename__ = "aggregate_disk"

    disk_uid: Mapped[str] = mapped_column(ForeignKey("disk.uid"), primary_key=True)
    aggregate_uuid: Mapped[str] = mapped_column(ForeignKey("aggregate.uuid"), index=True)
    raid_group: Mapped[int] = mapped_column(default=0)
    position: Mapped[int]
    aggregate: Mapped[Aggregate] = relationship(back_populates="members")
    disk: Mapped[Disk] = relationship(back_populates="member")
