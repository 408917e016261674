"""`network/ip/routes`: routes of an SVM or, without one, of the array's management."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified
from sanstone.resources.svm import Svm


class IpRoute(Owned, Identified, Base):
    """A route: destination network `address`/`prefix_length` over `gateway`."""

    __tablename__ = "ip_route"
    kind = "network/ip/routes"

    svm_uuid: Mapped[str | None] = mapped_column(ForeignKey("svm.uuid"))
    address: Mapped[str]
    prefix_length: Mapped[int]
    gateway: Mapped[str]
    metric: Mapped[int] = mapped_column(default=20)
    svm: Mapped[Svm | None] = relationship()
