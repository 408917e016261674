"""FCP at virtual ports (NPIV) of adapters of QLogic's, served by tcm_qla2xxx as `qla2xxx_npiv`.

A portal group has no attributes (tcm_qla2xxx_npiv_ops): it admits every initiator to a session, but
one without an ACL sees no LUN, since `demo_mode_login_only` is set from the beginning
(tcm_qla2xxx_npiv_make_tpg()).
"""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="fcp_qla2xxx_npiv",
    called="fcp",
    family="scsi",
    service="fcp",
    allowed_by="fcp",
    kernel_name="qla2xxx_npiv",
    addressing="wwn",
    virtual_of="fcp_qla2xxx",
    drivers=("qla2xxx",),
    modules=("tcm_qla2xxx",),
    target_name="{base}@{digits}:{node_digits}",
)
