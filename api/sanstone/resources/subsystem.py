"""`protocols/nvme/subsystems`: NVMe subsystems and the hosts that may connect to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core import names
from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified, Secret
from sanstone.resources.svm import Svm

if TYPE_CHECKING:
    from sanstone.resources.subsystem_map import SubsystemMap


class Subsystem(Owned, Identified, Base):
    """An NVMe subsystem; `serial_number` has 20 characters, `target_nqn` never changes."""

    __tablename__ = "subsystem"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "protocols/nvme/subsystems"

    name: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    os_type: Mapped[str]
    comment: Mapped[str] = mapped_column(default="")
    serial_number: Mapped[str] = mapped_column(unique=True, default=names.subsystem_serial)
    target_nqn: Mapped[str] = mapped_column(unique=True)
    svm: Mapped[Svm] = relationship()
    hosts: Mapped[list[SubsystemHost]] = relationship(
        back_populates="subsystem", order_by="SubsystemHost.nqn"
    )
    maps: Mapped[list[SubsystemMap]] = relationship(
        back_populates="subsystem", order_by="SubsystemMap.nsid"
    )


class SubsystemHost(Owned, Base):
    """A host allowed to connect, with its DH-HMAC-CHAP secrets ('' for none)."""

    __tablename__ = "subsystem_host"
    kind = "protocols/nvme/subsystems"

    subsystem_uuid: Mapped[str] = mapped_column(ForeignKey("subsystem.uuid"), primary_key=True)
    nqn: Mapped[str] = mapped_column(primary_key=True)
    host_secret: Mapped[str | None] = mapped_column(Secret)
    controller_secret: Mapped[str | None] = mapped_column(Secret)
    hash_function: Mapped[str] = mapped_column(default="sha_256")
    group_size: Mapped[str] = mapped_column(default="none")
    subsystem: Mapped[Subsystem] = relationship(back_populates="hosts")

    @property
    def key(self) -> str:
        """Return the subsystem's key: plan steps name the subsystem as the owner of its hosts."""
        return self.subsystem_uuid
