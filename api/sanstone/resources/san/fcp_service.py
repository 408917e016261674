"""`protocols/san/fcp/services`: the Fibre Channel service of an SVM.

It needs a Fibre Channel adapter, and has the WWNN by which hosts would identify the SVM. LUNs are
not exported over Fibre Channel yet: the service exists for clients that set an SVM up; its `state`
shows that no host reaches it, and so does an event while it is enabled. For the same reason its
`statistics` stay at zero.
"""

from __future__ import annotations

from typing import Any

from sanstone.core import names
from sanstone.core.change import Change
from sanstone.core.resource import Field, Reader, constant
from sanstone.core.types import Choice, Text
from sanstone.model.san import FcpService
from sanstone.model.svm import Svm
from sanstone.resources.cluster.node import the_node
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.network.fc_port import require_adapter
from sanstone.resources.san.protocol_service import ProtocolServiceResource, enabled_field


def _target_name(row: FcpService, reader: Reader) -> str:
    return names.svm_wwnn(the_node(reader.session).cluster.serial_number, row.svm.number)


class FcpServiceResource(ProtocolServiceResource[FcpService]):
    """Fibre Channel services."""

    path = "protocols/san/fcp/services"
    doc = (
        "The Fibre Channel service of an SVM; it needs an adapter. LUNs are not exported over "
        "Fibre Channel yet, so that no host reaches it."
    )
    model = FcpService
    protocol, called = "fcp", "Fibre Channel"
    already_there, still_enabled, unknown_code = "5374082", "5373960", "5374083"
    fields = (
        svm_reference(always=True),
        enabled_field("Whether it is wanted."),
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
        *statistics_fields(),
    )

    def make(self, change: Change, svm: Svm, values: dict[str, Any]) -> FcpService:
        """Return a new row. Raises ApiError without an adapter."""
        require_adapter(change.session)
        return super().make(change, svm, values)
