"""`cluster`: the array as a whole. One row, made when the array starts for the first time."""

from __future__ import annotations

import time

from sqlalchemy.orm import Mapped, mapped_column

from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified


class Cluster(Owned, Identified, Base):
    """The array. `serial_number` (32 hexadecimal digits) is in its target names and never changes.

    `next_number` gives LIFs and SVMs numbers that are never reused.
    """

    __tablename__ = "cluster"
    kind = "cluster"

    name: Mapped[str]
    serial_number: Mapped[str]
    contact: Mapped[str] = mapped_column(default="")
    location: Mapped[str] = mapped_column(default="")
    timezone: Mapped[str] = mapped_column(default="Etc/UTC")
    node_uuid: Mapped[str]
    next_number: Mapped[int] = mapped_column(default=1)
    create_time: Mapped[float] = mapped_column(default=time.time)

    @property
    def node_name(self) -> str:
        """Return the name of the one node, made as ONTAP makes it."""
        return f"{self.name}-01"
