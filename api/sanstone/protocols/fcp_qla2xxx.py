"""FCP over adapters of QLogic's, served by tcm_qla2xxx (drivers/scsi/qla2xxx/tcm_qla2xxx.c).

By default a portal group admits initiators that have no ACL; the array's admit none.
"""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="fcp_qla2xxx",
    called="fcp",
    family="scsi",
    service="fcp",
    allowed_by="fcp",
    kernel_name="qla2xxx",
    addressing="wwn",
    drivers=("qla2xxx",),
    modules=("tcm_qla2xxx",),
    group_attributes=(("generate_node_acls", "1", "0"), ("cache_dynamic_acls", "1", "0")),
)
