"""FCP over adapters of Brocade's, if Linux had a target driver for them."""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="fcp_bfa",
    called="fcp",
    family="scsi",
    service="fcp",
    allowed_by="fcp",
    kernel_name="bfa",
    addressing="wwn",
    drivers=("bfa",),
    modules=("tcm_bfa",),
)
