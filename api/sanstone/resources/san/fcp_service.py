"""`protocols/san/fcp/services`: the Fibre Channel service of an SVM.

It needs a Fibre Channel adapter, and has a WWNN by which the SVM is identified. Hosts see those of
the ports, which Linux's targets serve under the ports' own names (`network/fc/interfaces`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import names
from sanstone.core.change import Change
from sanstone.core.resource import Field, Reader
from sanstone.core.types import Choice, Text
from sanstone.model.network import FCP, FcInterface
from sanstone.model.san import FcpService
from sanstone.model.svm import Svm
from sanstone.resources.cluster.node import the_node
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.network.fc_port import require_adapter
from sanstone.resources.san.protocol_service import ProtocolServiceResource, enabled_field


def _target_name(row: FcpService, reader: Reader) -> str:
    return names.svm_wwnn(the_node(reader.session).cluster.serial_number, row.svm.number)


def _state(row: FcpService, reader: Reader) -> str:
    query = select(FcInterface.uuid).filter_by(svm_uuid=row.svm_uuid, data_protocol=FCP)
    interfaces = reader.session.scalars(query) if row.enabled else ()
    states = (reader.seen(FcInterface.kind, uuid).get("state") for uuid in interfaces)
    return "up" if "up" in states else "down"


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
            Text(23),
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
