"""`protocols/san/iscsi/services`: the iSCSI target of an SVM.

The target's name follows from the array's serial number and the SVM's number unless a client gives
another, for example that of an array which this one replaces. Hosts know the target by it, so it
changes only while the service is disabled. A service needs no LIF to exist; it is reached through
those that the SVM has or gets.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Select, select
from sqlalchemy.orm import Mapped, joinedload, mapped_column, relationship

from sanstone.core import errors, names
from sanstone.core.change import Change, Owned
from sanstone.core.resource import WRITE, Field, Resource
from sanstone.core.store import Base
from sanstone.core.types import Boolean, IscsiName, Text
from sanstone.resources.node import the_node
from sanstone.resources.statistics import statistics_fields
from sanstone.resources.svm import SERVICES, Svm, require_allowed, svm_reference

ALREADY_THERE, ENABLED = "5374077", "5373960"


class IscsiService(Owned, Base):
    """The iSCSI service of an SVM; `target_name` is the target's IQN."""

    __tablename__ = "iscsi_service"
    kind = "protocols/san/iscsi/services"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    enabled: Mapped[bool] = mapped_column(default=True)
    target_name: Mapped[str] = mapped_column(unique=True)
    target_alias: Mapped[str] = mapped_column(default="")
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return the SVM's UUID."""
        return self.svm_uuid


class IscsiServiceResource(Resource[IscsiService]):
    """iSCSI services."""

    path = "protocols/san/iscsi/services"
    doc = "The iSCSI service of an SVM is the target that initiators log in to."
    model = IscsiService
    keys = ("svm.uuid",)
    order = ("svm_uuid",)
    fields = (
        svm_reference(always=True),
        Field("enabled", Boolean(), "Whether initiators may log in.", access=WRITE, default=True),
        Field("target.name", IscsiName(), "IQN of the target.", access=WRITE),
        Field(
            "target.alias",
            Text(128, 1),
            "Name for people, told to initiators; the SVM's when not given.",
            access=WRITE,
        ),
        *statistics_fields(),
    )

    def select(self) -> Select[Any]:
        """Return the services with their SVMs."""
        return select(IscsiService).options(joinedload(IscsiService.svm))

    def create(self, change: Change, values: dict[str, Any]) -> IscsiService:
        """Give an SVM its iSCSI target."""
        svm = values["svm"]
        require_allowed(svm, "iscsi")
        if change.session.get(IscsiService, svm.uuid):
            text = f'SVM "{svm.name}" has an iSCSI service already.'
            raise errors.conflict(text, "svm", ALREADY_THERE)
        serial = the_node(change.session).cluster.serial_number
        service = IscsiService(
            svm_uuid=svm.uuid,
            enabled=values["enabled"],
            target_name=values.get("target.name") or names.target_iqn(serial, svm.number),
            target_alias=values.get("target.alias") or svm.name,
        )
        _check_target_name(change, service.target_name)
        change.add(service)
        return service

    def update(self, change: Change, row: IscsiService, values: dict[str, Any]) -> None:
        """Enable or disable the service, or rename its target."""
        target_name = values.get("target.name", row.target_name)
        if target_name != row.target_name:
            if row.enabled:
                text = "The target's name can be changed only while the service is disabled."
                raise errors.conflict(text, "target.name", ENABLED)
            _check_target_name(change, target_name)
        row.target_name = target_name
        row.target_alias = values.get("target.alias", row.target_alias)
        row.enabled = values.get("enabled", row.enabled)

    def delete(self, change: Change, row: IscsiService, options: dict[str, Any]) -> None:
        """Delete a disabled service; igroups and maps stay."""
        if row.enabled:
            text = "The iSCSI service is enabled; disable it first."
            raise errors.conflict(text, "enabled", ENABLED)
        change.delete(row)


def _check_target_name(change: Change, name: str) -> None:
    if change.session.scalar(select(IscsiService.svm_uuid).filter_by(target_name=name)):
        text = f'Another SVM\'s target is named "{name}".'
        raise errors.conflict(text, "target.name", errors.EXISTS)


def _make_enabled(change: Change, svm: Svm) -> None:
    IscsiServiceResource().create(change, {"svm": svm, "enabled": True})


SERVICES["iscsi"] = _make_enabled
