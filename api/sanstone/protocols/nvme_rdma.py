"""NVMe/RDMA (NVM Express RDMA Transport Specification 1.0), served by nvmet.

Discovery uses the port of I/O. Over iWARP that is a port of TCP's, so NVMe/TCP is not served there.
"""

from __future__ import annotations

from sanstone.protocols import IWARP, ROCE, Protocol

PROTOCOL = Protocol(
    name="nvme_rdma",
    family="nvme",
    service="data_nvme_tcp",
    allowed_by="nvme",
    kernel_name="rdma",
    addressing="ip",
    port=4420,
    rdma=(ROCE, IWARP),
    modules=("nvmet", "nvmet_rdma"),
)
