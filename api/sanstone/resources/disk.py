"""`storage/disks`: the array's disks, found by the reconciler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base

if TYPE_CHECKING:
    from sanstone.resources.aggregate import AggregateDisk


class Disk(Owned, Base):
    """A disk that was ever seen. `uid` is its own identity, `name` ours, given once and kept."""

    __tablename__ = "disk"
    kind = "storage/disks"

    uid: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    member: Mapped[AggregateDisk | None] = relationship(back_populates="disk")

    @property
    def key(self) -> str:
        """Return the name, which is the key of a disk in ONTAP's REST API."""
        return self.name
