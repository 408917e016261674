"""FCP (INCITS 481) over FCoE (INCITS 509): SCSI over Fibre Channel in Ethernet frames.

tcm_fc serves the ports of libfc's software driver. It exports each LUN at once, has no settings,
and admits no initiator without an ACL (drivers/target/tcm_fc, Linux 6.12).
"""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="fcp_fcoe",
    called="fcp",
    family="scsi",
    service="fcp",
    allowed_by="fcp",
    kernel_name="fc",
    addressing="wwn",
    drivers=("fcoe",),
    modules=("tcm_fc",),
    has_enable=False,
)
