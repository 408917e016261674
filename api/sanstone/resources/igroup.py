"""`protocols/san/igroups`: groups of initiators to which LUNs are mapped, and their initiators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified
from sanstone.resources.svm import Svm

if TYPE_CHECKING:
    from sanstone.resources.lun_map import LunMap


class Igroup(Owned, Identified, Base):
    """An initiator group; `protocol` is iscsi, fcp or mixed."""

    __tablename__ = "igroup"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "protocols/san/igroups"

    name: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    os_type: Mapped[str]
    protocol: Mapped[str] = mapped_column(default="mixed")
    comment: Mapped[str] = mapped_column(default="")
    svm: Mapped[Svm] = relationship()
    initiators: Mapped[list[IgroupInitiator]] = relationship(
        back_populates="igroup", order_by="IgroupInitiator.name"
    )
    maps: Mapped[list[LunMap]] = relationship(back_populates="igroup")


class IgroupInitiator(Owned, Base):
    """An initiator of an igroup."""

    __tablename__ = "igroup_initiator"
    kind = "protocols/san/igroups"

    igroup_uuid: Mapped[str] = mapped_column(ForeignKey("igroup.uuid"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    comment: Mapped[str] = mapped_column(default="")
    igroup: Mapped[Igroup] = relationship(back_populates="initiators")

    @property
    def key(self) -> str:
        """Return the igroup's key: plan steps name the igroup as the owner of its initiators."""
        return self.igroup_uuid
