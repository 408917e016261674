"""FCP over Emulex adapters in target mode, served by efct (drivers/scsi/elx/efct/efct_lio.c).

The module admits every initiator to a session (efct_lio_check_demo_mode()). One without an ACL sees
no LUN as long as `demo_mode_login_only` is set.
"""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="fcp_efct",
    called="fcp",
    family="scsi",
    service="fcp",
    allowed_by="fcp",
    kernel_name="efct",
    addressing="wwn",
    drivers=("efct",),
    modules=("efct",),
    group_attributes=(
        ("generate_node_acls", "1", "0"),
        ("cache_dynamic_acls", "1", "0"),
        ("demo_mode_login_only", "1", "1"),
    ),
)
