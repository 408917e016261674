"""FCP at virtual ports (NPIV) of Emulex adapters, served by efct as `efct_npiv`.

As at an adapter's own port, an initiator without an ACL comes in and sees no LUN (`fcp_efct`).
"""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="fcp_efct_npiv",
    called="fcp",
    family="scsi",
    service="fcp",
    allowed_by="fcp",
    kernel_name="efct_npiv",
    addressing="wwn",
    virtual_of="fcp_efct",
    drivers=("efct",),
    modules=("efct",),
    target_name="{base}@{digits}:{node_digits}",
    group_attributes=(
        ("generate_node_acls", "1", "0"),
        ("cache_dynamic_acls", "1", "0"),
        ("demo_mode_login_only", "1", "1"),
    ),
)
