"""`protocols/nvme/services`: the NVMe service of an SVM."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Select, select
from sqlalchemy.orm import Mapped, joinedload, mapped_column, relationship

from sanstone.core import errors
from sanstone.core.change import Change, Owned
from sanstone.core.resource import WRITE, Field, Resource
from sanstone.core.store import Base
from sanstone.core.types import Boolean
from sanstone.resources.ip_interface import SERVICE_POLICIES, IpInterface
from sanstone.resources.svm import SERVICES, Svm, require_allowed, svm_reference

ALREADY_THERE, ENABLED, HAS_SUBSYSTEMS, HAS_LIFS = "72089650", "72090028", "72089653", "72089654"
NVME_ONLY = tuple(
    name
    for name, services in SERVICE_POLICIES.items()
    if "data_nvme_tcp" in services and "data_iscsi" not in services
)
"""Policies of LIFs that would serve nothing any more without the NVMe service."""


class NvmeService(Owned, Base):
    """The NVMe service of an SVM."""

    __tablename__ = "nvme_service"
    kind = "protocols/nvme/services"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    enabled: Mapped[bool] = mapped_column(default=True)
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return the SVM's UUID."""
        return self.svm_uuid


class NvmeServiceResource(Resource[NvmeService]):
    """NVMe services."""

    path = "protocols/nvme/services"
    doc = "The NVMe service of an SVM serves its subsystems to hosts."
    model = NvmeService
    keys = ("svm.uuid",)
    order = ("svm_uuid",)
    fields = (
        svm_reference(always=True),
        Field("enabled", Boolean(), "Whether hosts may connect.", access=WRITE, default=True),
    )

    def select(self) -> Select[Any]:
        """Return the services with their SVMs."""
        return select(NvmeService).options(joinedload(NvmeService.svm))

    def create(self, change: Change, values: dict[str, Any]) -> NvmeService:
        """Give an SVM its NVMe service."""
        svm = values["svm"]
        require_allowed(svm, "nvme")
        if change.session.get(NvmeService, svm.uuid):
            text = f'SVM "{svm.name}" has an NVMe service already.'
            raise errors.conflict(text, "svm", ALREADY_THERE)
        service = NvmeService(svm_uuid=svm.uuid, enabled=values["enabled"])
        change.add(service)
        return service

    def update(self, change: Change, row: NvmeService, values: dict[str, Any]) -> None:
        """Enable or disable the service."""
        row.enabled = values.get("enabled", row.enabled)

    def delete(self, change: Change, row: NvmeService, options: dict[str, Any]) -> None:
        """Delete a disabled service of an SVM that has no use for it any more."""
        if row.enabled:
            text = "The NVMe service is enabled; disable it first."
            raise errors.conflict(text, "enabled", ENABLED)
        # The table is used instead of its class, whose module needs this one.
        subsystems = Base.metadata.tables["subsystem"].c
        lifs = select(IpInterface.uuid).where(
            IpInterface.svm_uuid == row.svm_uuid, IpInterface.service_policy.in_(NVME_ONLY)
        )
        if change.session.scalar(
            select(subsystems.uuid).where(subsystems.svm_uuid == row.svm_uuid)
        ):
            raise errors.conflict("The SVM still has NVMe subsystems.", "svm", HAS_SUBSYSTEMS)
        if change.session.scalar(lifs):
            text = "The SVM still has network interfaces for NVMe alone."
            raise errors.conflict(text, "svm", HAS_LIFS)
        change.delete(row)


def _make_enabled(change: Change, svm: Svm) -> None:
    NvmeServiceResource().create(change, {"svm": svm, "enabled": True})


SERVICES["nvme"] = _make_enabled
