"""Volumes: containers of LUNs and namespaces on one aggregate.

A volume holds no blocks itself: what is in it are thin devices of the aggregate's pool. Its size is
a promise to its owner. With the guarantee `volume` it is taken off what the aggregate may promise
to others; with `none` only what is really used counts. Inside, LUNs and namespaces with a
reservation must fit into the size less the snapshot reserve; those without may promise more.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified
from sanstone.resources.cluster.svm import Svm
from sanstone.resources.storage.aggregate import Aggregate
from sanstone.resources.storage.qos_policy import QosPolicy
from sanstone.resources.storage.snapshot_policy import NONE_UUID, SnapshotPolicy

if TYPE_CHECKING:
    from sanstone.resources.storage.consistency_group import ConsistencyGroupVolume
    from sanstone.resources.storage.lun import Lun
    from sanstone.resources.storage.namespace import Namespace
    from sanstone.resources.storage.snapshot import Snapshot, VolumeClone


class Volume(Owned, Identified, Base):
    """A volume; `size` in bytes, `guarantee` none or volume, `state` online or offline.

    `clone` says what it was cloned from, until it is split off. `properties` are values that
    clients get back as they sent them (see `without_effect`).
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
    snapshot_policy_uuid: Mapped[str] = mapped_column(
        ForeignKey("snapshot_policy.uuid"), index=True, nullable=True, default=NONE_UUID
    )
    state: Mapped[str] = mapped_column(default="online")
    properties: Mapped[dict[str, Any]] = mapped_column(default=dict)
    create_time: Mapped[float] = mapped_column(default=time.time)
    svm: Mapped[Svm] = relationship(back_populates="volumes")
    aggregate: Mapped[Aggregate] = relationship(back_populates="volumes")
    qos_policy: Mapped[QosPolicy | None] = relationship()
    snapshot_policy: Mapped[SnapshotPolicy] = relationship()
    luns: Mapped[list[Lun]] = relationship(back_populates="volume")
    namespaces: Mapped[list[Namespace]] = relationship(back_populates="volume")
    snapshots: Mapped[list[Snapshot]] = relationship(
        back_populates="volume", order_by="Snapshot.create_time"
    )
    clone: Mapped[VolumeClone | None] = relationship(back_populates="volume")
    membership: Mapped[ConsistencyGroupVolume | None] = relationship(back_populates="volume")

    @property
    def devices(self) -> list[Lun | Namespace]:
        """Return what is in the volume."""
        return [*self.luns, *self.namespaces]


def usable(size: int, snapshot_reserve_percent: int) -> int:
    """Return the bytes of a volume that LUNs and namespaces may take."""
    return size * (100 - snapshot_reserve_percent) // 100
