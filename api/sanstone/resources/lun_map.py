"""`protocols/san/lun-maps`: which LUN an igroup sees, and under which number."""

from __future__ import annotations

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base
from sanstone.resources.igroup import Igroup
from sanstone.resources.lun import Lun
from sanstone.resources.svm import Svm


class LunMap(Owned, Base):
    """A LUN mapped to an igroup under `logical_unit_number` (0…4095)."""

    __tablename__ = "lun_map"
    __table_args__ = (UniqueConstraint("igroup_uuid", "logical_unit_number"),)
    kind = "protocols/san/lun-maps"

    lun_uuid: Mapped[str] = mapped_column(ForeignKey("lun.uuid"), primary_key=True)
    igroup_uuid: Mapped[str] = mapped_column(ForeignKey("igroup.uuid"), primary_key=True)
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    logical_unit_number: Mapped[int]
    lun: Mapped[Lun] = relationship(back_populates="maps")
    igroup: Mapped[Igroup] = relationship(back_populates="maps")
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return `<lun uuid>/<igroup uuid>`, the keys of a map in ONTAP's REST API."""
        return f"{self.lun_uuid}/{self.igroup_uuid}"
