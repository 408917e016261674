"""`protocols/san/fcp/services`: the Fibre Channel service of an SVM.

It needs a Fibre Channel adapter, and has a WWNN by which the SVM is identified. Hosts see those of
the ports, which Linux's targets serve under the ports' own names (`network/fc/interfaces`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import names
from sanstone.core.database.change import Change
from sanstone.core.declaration.host_types import Wwpn
from sanstone.core.declaration.resource import Field, Reader
from sanstone.core.declaration.types import Choice
from sanstone.model.cluster import the_cluster
from sanstone.model.network import FCP, FcInterface
from sanstone.model.san import FcpService
from sanstone.model.svm import Svm
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.network.fc_port import require_adapter
from sanstone.resources.san.protocol_service import ProtocolServiceResource, enabled_field


def _target_name(row: FcpService, reader: Reader) -> str:
    return names.svm_wwnn(the_cluster(reader.session).serial_number, row.svm.number)


def _reached(session: Session) -> set[str]:
    """Return the SVMs that have an interface for FCP that is up."""
    reader = Reader(session)
    interfaces = session.scalars(select(FcInterface).filter_by(data_protocol=FCP))
    seen = reader.observed(FcInterface.kind)
    return {
        each.svm_uuid
        for each in interfaces
        if each.uuid in seen and seen[each.uuid].data.get("state") == "up"
    }


def _state(row: FcpService, reader: Reader) -> str:
    return "up" if row.enabled and row.svm_uuid in reader.once(_reached) else "down"


class FcpServiceResource(ProtocolServiceResource[FcpService]):
    """Fibre Channel services."""

    path = "protocols/san/fcp/services"
    doc = (
        "The Fibre Channel service of an SVM, which serves its LUNs by FCP at Fibre Channel "
        "interfaces; it needs an adapter."
    )
    model = FcpService
    protocol, called = "fcp", "Fibre Channel"
    already_there, still_enabled, unknown_code = "5374082", "5373960", "5374083"
    fields = (
        svm_reference(always=True),
        enabled_field("Whether initiators may log in."),
        Field(
            "state",
            Choice("up", "down"),
            "Whether hosts reach it: at one interface at least.",
            get=_state,
        ),
        Field(
            "target.name",
            Wwpn(),
            "World wide node name of the SVM: it follows from the array's serial number. Hosts see "
            "those of the ports.",
            get=_target_name,
        ),
        *statistics_fields(),
    )

    def make(self, change: Change, svm: Svm, values: dict[str, Any]) -> FcpService:
        """Return a new row. Raises ApiError without an adapter."""
        require_adapter(change.session)
        return super().make(change, svm, values)
