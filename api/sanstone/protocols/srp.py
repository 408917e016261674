"""SRP, the SCSI RDMA Protocol (INCITS 365), served by ib_srpt (drivers/infiniband/ulp/srpt).

A target is a port of an RDMA device, named by the first address in the port's table (GID), and an
initiator by the 16 bytes that it sends as its port's identifier (srpt_cm_req_recv() in ib_srpt.c;
Linux's sends 8 bytes of the administrator's and the lower half of its own port's first GID). So the
kernel does not know at which IP address a host came, and one LIF serves SRP at a port.

Over Ethernet connections are set up by RDMA/CM, at one port number at all addresses
(srpt_rdma_cm_port_store()). IANA gave it none; 5555 is what the driver's author and Linux's tests
use. There is no discovery: hosts have the target's identifier configured, which is the same at all
ports (`kernel.target.srp`). Over iWARP no two hosts would differ: there a GID is the port's
hardware address, and its lower half zeroes (siw_query_gid() in drivers/infiniband/sw/siw).

Who takes an initiator's ACL away waits for the end of its sessions, which cannot be interrupted
(core_tpg_del_initiator_node_acl() in drivers/target/target_core_tpg.c). With the product's patch
that takes as long as the commands that are under way on the disks; without it, until the host has
answered a DREQ, which one that is gone never does (srpt_disconnect_ch_sync()): after 66 s the
target gives up, or never (board/common/patches).
"""

from __future__ import annotations

from sanstone.protocols import ROCE, Protocol

PORT = 5555

PROTOCOL = Protocol(
    name="srp",
    family="scsi",
    service="data_srp",
    allowed_by="srp",
    kernel_name="srpt",
    addressing="gid",
    policies=("default-data-srp",),
    port=PORT,
    rdma=(ROCE,),
    modules=("ib_srpt",),
    target_name="0x{digits}",
    fabric_attributes=(("discovery_auth/rdma_cm_port", "0", str(PORT)),),
)
