"""`protocols/san/fcp/services`: the Fibre Channel service of an SVM.

It needs a Fibre Channel adapter, and names the node as which hosts would know the SVM. LUNs are not
exported over Fibre Channel yet: the service is kept for clients that set an SVM up, its `state`
says that no host reaches it, and an event does as long as it is enabled.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Select, select
from sqlalchemy.orm import Mapped, joinedload, mapped_column, relationship

from sanstone.core import errors, names
from sanstone.core.change import Change, Owned
from sanstone.core.resource import WRITE, Field, Reader, Resource, constant
from sanstone.core.store import Base
from sanstone.core.types import Boolean, Choice, Text
from sanstone.resources.fc_port import require_adapter
from sanstone.resources.node import the_node
from sanstone.resources.svm import SERVICES, Svm, require_allowed, svm_reference

ALREADY_THERE, NONE, ENABLED = "5374082", "5374083", "5373960"


class FcpService(Owned, Base):
    """The Fibre Channel service of an SVM."""

    __tablename__ = "fcp_service"
    kind = "protocols/san/fcp/services"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    enabled: Mapped[bool] = mapped_column(default=True)
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return the SVM's UUID."""
        return self.svm_uuid


def _target_name(row: FcpService, reader: Reader) -> str:
    return names.svm_wwnn(the_node(reader.session).cluster.serial_number, row.svm.number)


class FcpServiceResource(Resource[FcpService]):
    """Fibre Channel services."""

    path = "protocols/san/fcp/services"
    doc = (
        "The Fibre Channel service of an SVM; it needs an adapter. LUNs are not exported over "
        "Fibre Channel yet, so that no host reaches it."
    )
    model = FcpService
    keys = ("svm.uuid",)
    order = ("svm_uuid",)
    unknown_code = NONE
    fields = (
        svm_reference(always=True),
        Field("enabled", Boolean(), "Whether it is wanted.", access=WRITE, default=True),
        Field(
            "state",
            Choice("down"),
            "Whether hosts reach it: no, since nothing is exported over Fibre Channel yet.",
            get=constant("down"),
        ),
        Field(
            "target.name",
            Text(23),
            "World wide node name of the SVM: it follows from the array's serial number.",
            get=_target_name,
        ),
    )

    def select(self) -> Select[Any]:
        """Return the services with their SVMs."""
        return select(FcpService).options(joinedload(FcpService.svm))

    def create(self, change: Change, values: dict[str, Any]) -> FcpService:
        """Give an SVM its Fibre Channel service."""
        svm = values["svm"]
        require_allowed(svm, "fcp")
        require_adapter(change.session)
        if change.session.get(FcpService, svm.uuid):
            text = f'SVM "{svm.name}" has a Fibre Channel service already.'
            raise errors.conflict(text, "svm", ALREADY_THERE)
        service = FcpService(svm_uuid=svm.uuid, enabled=values["enabled"])
        change.add(service)
        return service

    def update(self, change: Change, row: FcpService, values: dict[str, Any]) -> None:
        """Enable or disable the service."""
        row.enabled = values.get("enabled", row.enabled)

    def delete(self, change: Change, row: FcpService, options: dict[str, Any]) -> None:
        """Delete a disabled service."""
        if row.enabled:
            text = "The Fibre Channel service is enabled; disable it first."
            raise errors.conflict(text, "enabled", ENABLED)
        change.delete(row)


def _make_enabled(change: Change, svm: Svm) -> None:
    FcpServiceResource().create(change, {"svm": svm, "enabled": True})


SERVICES["fcp"] = _make_enabled
