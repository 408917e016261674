"""Storage virtual machines, what they may use, and the common columns of their services."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, ClassVar

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, Session, declared_attr, mapped_column, relationship

from sanstone.core.database.change import Owned
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base, Identified
from sanstone.core.database.tracked import Tracked
from sanstone.model.aggregates import Aggregate
from sanstone.model.observations import ISCSI_SESSIONS, PATHS


class SvmAggregate(Tracked, Base):
    """An aggregate that an SVM may create volumes on."""

    __tablename__ = "svm_aggregate"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    aggregate_uuid: Mapped[str] = mapped_column(ForeignKey("aggregate.uuid"), primary_key=True)
    aggregate: Mapped[Aggregate] = relationship()

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the SVM."""
        yield Changed(Svm.kind, self.svm_uuid, self.svm_uuid)


class Svm(Owned, Identified, Base):
    """A storage virtual machine. `number` is its `vs.<n>` in target names and is never reused."""

    __tablename__ = "svm"
    kind = "svm/svms"
    svm_column = "uuid"
    observed_below = (ISCSI_SESSIONS, PATHS)

    name: Mapped[str] = mapped_column(unique=True)
    number: Mapped[int] = mapped_column(unique=True)
    comment: Mapped[str] = mapped_column(default="")
    state: Mapped[str] = mapped_column(default="running")
    iscsi_allowed: Mapped[bool] = mapped_column(default=True)
    nvme_allowed: Mapped[bool] = mapped_column(default=True)
    fcp_allowed: Mapped[bool] = mapped_column(default=True)
    srp_allowed: Mapped[bool] = mapped_column(default=True)
    properties: Mapped[dict[str, Any]] = mapped_column(default=dict)
    create_time: Mapped[float] = mapped_column(default=time.time)
    assigned: Mapped[list[SvmAggregate]] = relationship()

    @property
    def aggregates(self) -> list[Aggregate]:
        """Return the aggregates assigned to the SVM."""
        return [row.aggregate for row in self.assigned]

    def allows(self, protocol: str) -> bool:
        """Return whether a protocol family (`iscsi`, `nvme`, `fcp`, `srp`) may be used."""
        return bool(getattr(self, f"{protocol}_allowed"))


class ProtocolService(Owned):
    """Columns of a service of a `protocol`, as SVMs call it."""

    protocol: ClassVar[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    enabled: Mapped[bool] = mapped_column(default=True)

    @declared_attr
    def svm(cls) -> Mapped[Svm]:
        """Return the SVM's column."""
        return relationship()

    @property
    def target(self) -> str:
        """Return the name of the service's target, '' where each endpoint's own name is one."""
        return ""

    @property
    def key(self) -> str:
        """Return the SVM's UUID."""
        return self.svm_uuid
