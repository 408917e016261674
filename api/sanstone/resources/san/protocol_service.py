"""The service of a protocol in an SVM: the common part of all protocols.

An SVM that is allowed a protocol has at most one service of it, which is identified by the SVM.
Without it, or while it is disabled, hosts are not served. An enabled one cannot be deleted.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, TypeVar

from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import WRITE, Field, Resource
from sanstone.core.declaration.types import Boolean
from sanstone.model.svm import ProtocolService, Svm
from sanstone.resources.cluster.svm import SERVICES, require_allowed

Service = TypeVar("Service", bound=ProtocolService)


def enabled_field(doc: str) -> Field:
    """Return the field that enables a service."""
    return Field("enabled", Boolean(), doc, access=WRITE, default=True)


class ProtocolServiceResource(Resource[Service]):
    """Base of the services' resources.

    `protocol` is the protocol's name in SVMs, `called` its usual name. `already_there` and
    `still_enabled` are ONTAP's error codes.
    """

    protocol: ClassVar[str]
    called: ClassVar[str]
    already_there: ClassVar[str]
    still_enabled: ClassVar[str]
    keys = ("svm.uuid",)
    order = ("svm_uuid",)

    def __init_subclass__(cls, **more: Any) -> None:
        """Register the service for SVMs that are created with the protocol enabled."""
        super().__init_subclass__(**more)
        SERVICES[cls.protocol] = partial(_make_enabled, cls)

    def select(self) -> Select[Any]:
        """Return the services with their SVMs."""
        model: Any = self.model
        return select(model).options(joinedload(model.svm))

    def create(self, change: Change, values: dict[str, Any]) -> Service:
        """Add the service of an SVM."""
        svm: Svm = values["svm"]
        require_allowed(svm, self.protocol)
        if change.session.get(self.model, svm.uuid):
            text = f'The {self.called} service of SVM "{svm.name}" already exists.'
            raise errors.conflict(text, "svm", self.already_there)
        service = self.make(change, svm, values)
        change.add(service)
        return service

    def make(self, change: Change, svm: Svm, values: dict[str, Any]) -> Service:
        """Return a new row. Raises ApiError."""
        model: Any = self.model
        service: Service = model(svm_uuid=svm.uuid, enabled=values["enabled"])
        return service

    def update(self, change: Change, row: Service, values: dict[str, Any]) -> None:
        """Enable or disable the service."""
        row.enabled = values.get("enabled", row.enabled)

    def delete(self, change: Change, row: Service, options: dict[str, Any]) -> None:
        """Delete a disabled service that is not in use."""
        if row.enabled:
            text = f"The {self.called} service is enabled; disable it first."
            raise errors.conflict(text, "enabled", self.still_enabled)
        self.require_unused(change, row)
        change.delete(row)

    def require_unused(self, change: Change, row: Service) -> None:
        """Raise ApiError while the service is in use."""


def _make_enabled(
    resource: type[ProtocolServiceResource[Any]], change: Change, svm: Svm
) -> ProtocolService:
    service: ProtocolService = resource().create(change, {"svm": svm, "enabled": True})
    return service
