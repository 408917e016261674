"""iSCSI (RFC 7143): SCSI over TCP, served by LIO; discovery uses the port of I/O."""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="iscsi",
    family="scsi",
    service="data_iscsi",
    allowed_by="iscsi",
    kernel_name="iscsi",
    addressing="ip",
    policies=("default-data-blocks", "default-data-iscsi"),
    port=3260,
    connections="tcp",
    modules=("target_core_mod", "target_core_iblock", "iscsi_target_mod"),
)
