"""`protocols/nvme/subsystem-maps`: which namespace a subsystem shows, and under which id."""

from __future__ import annotations

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base
from sanstone.resources.namespace import Namespace
from sanstone.resources.subsystem import Subsystem
from sanstone.resources.svm import Svm


class SubsystemMap(Owned, Base):
    """A namespace in a subsystem; one namespace is in at most one (ONTAP's rule and ours)."""

    __tablename__ = "subsystem_map"
    __table_args__ = (UniqueConstraint("subsystem_uuid", "nsid"),)
    kind = "protocols/nvme/subsystem-maps"

    namespace_uuid: Mapped[str] = mapped_column(ForeignKey("namespace.uuid"), primary_key=True)
    subsystem_uuid: Mapped[str] = mapped_column(ForeignKey("subsystem.uuid"), index=True)
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    nsid: Mapped[int]
    ana_group: Mapped[int] = mapped_column(default=1)
    namespace: Mapped[Namespace] = relationship(back_populates="map")
    subsystem: Mapped[Subsystem] = relationship(back_populates="maps")
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return `<subsystem uuid>/<namespace uuid>`, the keys of a map in ONTAP's REST API."""
        return f"{self.subsystem_uuid}/{self.namespace_uuid}"
