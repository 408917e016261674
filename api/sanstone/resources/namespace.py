"""`storage/namespaces`: block devices that NVMe hosts reach through subsystems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.store import Base
from sanstone.resources.svm import Svm
from sanstone.resources.thin_device import ThinDevice
from sanstone.resources.volume import Volume

if TYPE_CHECKING:
    from sanstone.resources.subsystem_map import SubsystemMap


class Namespace(ThinDevice, Base):
    """A namespace; `block_size` in bytes is the logical block that hosts see."""

    __tablename__ = "namespace"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/namespaces"

    block_size: Mapped[int] = mapped_column(default=4096)
    volume: Mapped[Volume] = relationship(back_populates="namespaces")
    svm: Mapped[Svm] = relationship()
    map: Mapped[SubsystemMap | None] = relationship(back_populates="namespace")
