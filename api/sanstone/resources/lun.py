"""`storage/luns`: block devices that SCSI initiators reach through igroups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core import names
from sanstone.core.store import Base
from sanstone.resources.svm import Svm
from sanstone.resources.thin_device import ThinDevice
from sanstone.resources.volume import Volume

if TYPE_CHECKING:
    from sanstone.resources.lun_map import LunMap


class Lun(ThinDevice, Base):
    """A LUN; `serial_number` is what hosts see in VPD page 0x80.

    `number` is its place in every portal group of its target; what hosts see is the map's number.
    """

    __tablename__ = "lun"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/luns"

    serial_number: Mapped[str] = mapped_column(unique=True, default=names.lun_serial)
    number: Mapped[int] = mapped_column(
        unique=True, default=text("(SELECT coalesce(max(number), 0) + 1 FROM lun)")
    )
    volume: Mapped[Volume] = relationship(back_populates="luns")
    svm: Mapped[Svm] = relationship()
    maps: Mapped[list[LunMap]] = relationship(back_populates="lun")
