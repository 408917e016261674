"""`protocols/san/iscsi/services`: the iSCSI target of an SVM.

The target's name is derived from the array's serial number and the SVM's number unless a client
sets another, for example that of an array which this one replaces. It identifies the target to
hosts, so it changes only while the service is disabled. A service needs no LIF to exist; it is
reached through those that the SVM has.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import errors, names
from sanstone.core.database.change import Change
from sanstone.core.declaration.host_types import IscsiName
from sanstone.core.declaration.resource import WRITE, Field
from sanstone.core.declaration.types import Text
from sanstone.model.cluster import the_cluster
from sanstone.model.san import IscsiService
from sanstone.model.svm import Svm
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.protocol_service import ProtocolServiceResource, enabled_field


class IscsiServiceResource(ProtocolServiceResource[IscsiService]):
    """iSCSI services."""

    path = "protocols/san/iscsi/services"
    doc = "The iSCSI service of an SVM is the target that initiators log in to."
    model = IscsiService
    searched = ("target.name", "target.alias")
    protocol, called = "iscsi", "iSCSI"
    already_there, still_enabled = "5374077", "5373960"
    fields = (
        svm_reference(always=True),
        enabled_field("Whether initiators may log in."),
        Field("target.name", IscsiName(), "IQN of the target.", access=WRITE),
        Field(
            "target.alias",
            Text(128, 1),
            "Name for people, which initiators see; the SVM's when not given.",
            access=WRITE,
        ),
        *statistics_fields(),
    )

    def make(self, change: Change, svm: Svm, values: dict[str, Any]) -> IscsiService:
        """Return a new row with the target's name. Raises ApiError when that is taken."""
        service = super().make(change, svm, values)
        serial = the_cluster(change.session).serial_number
        service.target_name = values.get("target.name") or names.target_iqn(serial, svm.number)
        service.target_alias = values.get("target.alias") or svm.name
        _check_target_name(change, service.target_name)
        return service

    def update(self, change: Change, row: IscsiService, values: dict[str, Any]) -> None:
        """Enable or disable the service, or rename its target."""
        target_name = values.get("target.name", row.target_name)
        if target_name != row.target_name:
            if row.enabled:
                text = "The target's name can be changed only while the service is disabled."
                raise errors.conflict(text, "target.name", self.still_enabled)
            _check_target_name(change, target_name)
        row.target_name = target_name
        row.target_alias = values.get("target.alias", row.target_alias)
        super().update(change, row, values)


def _check_target_name(change: Change, name: str) -> None:
    if change.session.scalar(select(IscsiService.svm_uuid).filter_by(target_name=name)):
        text = f'Another SVM\'s target is named "{name}".'
        raise errors.conflict(text, "target.name", errors.EXISTS)
