"""iSER (RFC 7145): iSCSI over RDMA.

In LIO it is a switch of an iSCSI portal, which then takes the connections of both at one address
(lio_target_np_iser_store() in drivers/target/iscsi/iscsi_target_configfs.c). So it has no portal
group of its own: hosts find it at the iSCSI endpoint, and log in there by either. iWARP cannot have
it, since a portal listens at the same port of TCP's itself (isert_setup_id(): EADDRINUSE).
"""

from __future__ import annotations

from sanstone.protocols import ROCE, Protocol

PROTOCOL = Protocol(
    name="iser",
    family="scsi",
    service="data_iscsi",
    allowed_by="iscsi",
    kernel_name="iscsi",
    addressing="ip",
    port=3260,
    rdma=(ROCE,),
    beside="iscsi",
    # Whatever is not TCP the kernel calls SCTP (lio_target_nacl_info_show() in the same file).
    connections="sctp",
    modules=("ib_isert",),
)
