"""`storage/volumes`: containers of LUNs and namespaces on one aggregate."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified
from sanstone.resources.aggregate import Aggregate
from sanstone.resources.svm import Svm

if TYPE_CHECKING:
    from sanstone.resources.lun import Lun
    from sanstone.resources.namespace import Namespace


class Volume(Owned, Identified, Base):
    """A volume; `size` in bytes, `guarantee` none or volume, `state` online or offline."""

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
    state: Mapped[str] = mapped_column(default="online")
    create_time: Mapped[float] = mapped_column(default=time.time)
    svm: Mapped[Svm] = relationship(back_populates="volumes")
    aggregate: Mapped[Aggregate] = relationship(back_populates="volumes")
    luns: Mapped[list[Lun]] = relationship(back_populates="volume")
    namespaces: Mapped[list[Namespace]] = relationship(back_populates="volume")
