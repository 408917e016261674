"""`protocols/nvme/services`: the NVMe service of an SVM."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import WRITE, Field
from sanstone.core.declaration.types import Boolean
from sanstone.model.network import FC_NVME, FcInterface, IpInterface
from sanstone.model.nvme import NvmeService, Subsystem
from sanstone.model.svm import Svm
from sanstone.protocols import ROCE, offered
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.protocol_service import ProtocolServiceResource, enabled_field
from sanstone.rules.network.service_policies import services

MDNS = "mdns_service_discovery_enabled"
"""As the parameter of ONTAP's `vserver nvme`; its REST API does not show it."""
HAS_SUBSYSTEMS, HAS_LIFS = "72089653", "72089654"


class NvmeServiceResource(ProtocolServiceResource[NvmeService]):
    """NVMe services."""

    path = "protocols/nvme/services"
    doc = "The NVMe service of an SVM serves its subsystems to hosts."
    model = NvmeService
    protocol, called = "nvme", "NVMe"
    already_there, still_enabled = "72089650", "72090028"
    fields = (
        svm_reference(always=True),
        enabled_field("Whether hosts may connect."),
        Field(
            MDNS,
            Boolean(),
            "Whether network interfaces are announced by multicast DNS, so that hosts find them.",
            access=WRITE,
            default=True,
        ),
        *statistics_fields(),
    )

    def make(self, change: Change, svm: Svm, values: dict[str, Any]) -> NvmeService:
        """Return a new row."""
        service = super().make(change, svm, values)
        service.mdns_service_discovery_enabled = values.get(MDNS, True)
        return service

    def update(self, change: Change, row: NvmeService, values: dict[str, Any]) -> None:
        """Enable or disable the service, or its announcement."""
        row.mdns_service_discovery_enabled = values.get(MDNS, row.mdns_service_discovery_enabled)
        super().update(change, row, values)

    def require_unused(self, change: Change, row: NvmeService) -> None:
        """Raise ApiError while the SVM has subsystems, or LIFs for NVMe alone."""
        lifs = change.session.scalars(select(IpInterface).filter_by(svm_uuid=row.svm_uuid))
        ports = select(FcInterface.uuid).filter_by(svm_uuid=row.svm_uuid, data_protocol=FC_NVME)
        if change.session.scalar(select(Subsystem.uuid).filter_by(svm_uuid=row.svm_uuid)):
            raise errors.conflict("The SVM still has NVMe subsystems.", "svm", HAS_SUBSYSTEMS)
        if any(map(_is_for_nvme, lifs)) or change.session.scalar(ports):
            text = "The SVM still has network interfaces for NVMe alone."
            raise errors.conflict(text, "svm", HAS_LIFS)


def _is_for_nvme(lif: IpInterface) -> bool:
    """Return whether a LIF's policy offers data by NVMe alone, by TCP or RDMA."""
    return {protocol.allowed_by for protocol in offered(services(lif), ROCE)} == {"nvme"}
