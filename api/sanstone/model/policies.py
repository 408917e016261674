"""Policies of volumes, LUNs and namespaces: quality of service, snapshots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from sanstone.core.database.change import Owned
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base, Identified
from sanstone.core.database.tracked import Tracked
from sanstone.model.built_in import built_in_uuid
from sanstone.model.cluster import Schedule
from sanstone.model.svm import Svm

FIXED, ADAPTIVE = "fixed", "adaptive"
"""Forms of a QoS policy."""


class QosPolicy(Owned, Identified, Base):
    """A policy; `form` is fixed or adaptive, `members` are the values that are set, by name."""

    __tablename__ = "qos_policy"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/qos/policies"

    name: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    form: Mapped[str]
    members: Mapped[dict[str, Any]] = mapped_column(default=dict)
    svm: Mapped[Svm] = relationship()

    @property
    def demands(self) -> bool:
        """Return whether the policy limits or guarantees anything."""
        return demands(self.form, self.members)


def demands(form: str, members: dict[str, Any]) -> bool:
    """Return whether a policy of these members limits or guarantees anything."""
    return form == ADAPTIVE or any(v for n, v in members.items() if n != "capacity_shared")


class SvmQosPolicy(Tracked, Base):
    """The policy of an SVM, for all that it holds together.

    It is no column of the SVM's, since each policy belongs to an SVM.
    """

    __tablename__ = "svm_qos_policy"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    qos_policy_uuid: Mapped[str] = mapped_column(ForeignKey("qos_policy.uuid"), index=True)
    qos_policy: Mapped[QosPolicy] = relationship()

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the SVM."""
        yield Changed(Svm.kind, self.svm_uuid, self.svm_uuid)


class SnapshotPolicy(Owned, Identified, Base):
    """A policy; without `svm_uuid` it belongs to the array."""

    __tablename__ = "snapshot_policy"
    kind = "storage/snapshot-policies"

    name: Mapped[str]
    svm_uuid: Mapped[str | None] = mapped_column(ForeignKey("svm.uuid"))
    enabled: Mapped[bool] = mapped_column(default=True)
    comment: Mapped[str] = mapped_column(default="")
    svm: Mapped[Svm | None] = relationship()
    copies: Mapped[list[SnapshotPolicyCopy]] = relationship(back_populates="policy")

    @property
    def built_in(self) -> bool:
        """Return whether every array has the policy."""
        return self.uuid == built_in_uuid(self.kind, self.name)


NONE = "none"
NONE_UUID = built_in_uuid(SnapshotPolicy.kind, NONE)
"""The policy by which no snapshots are taken."""


class SnapshotPolicyCopy(Owned, Base):
    """A schedule of a policy: `count` snapshots are kept, named `<prefix>.<time>`.

    Each expires after its `retention_period`, if there is one.
    """

    __tablename__ = "snapshot_policy_copy"
    kind = SnapshotPolicy.kind
    is_part = True

    policy_uuid: Mapped[str] = mapped_column(ForeignKey("snapshot_policy.uuid"), primary_key=True)
    schedule_uuid: Mapped[str] = mapped_column(ForeignKey("schedule.uuid"), primary_key=True)
    count: Mapped[int]
    prefix: Mapped[str]
    snapmirror_label: Mapped[str] = mapped_column(default="")
    retention_period: Mapped[str | None]
    policy: Mapped[SnapshotPolicy] = relationship(back_populates="copies")
    schedule: Mapped[Schedule] = relationship(lazy="joined", innerjoin=True)

    @property
    def key(self) -> str:
        """Return the policy's key: the policy is the owner of its copies."""
        return self.policy_uuid
