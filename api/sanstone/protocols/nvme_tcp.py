"""NVMe/TCP (NVM Express TCP Transport Specification 1.0), served by nvmet, announced by TP8009."""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="nvme_tcp",
    family="nvme",
    service="data_nvme_tcp",
    allowed_by="nvme",
    kernel_name="tcp",
    addressing="ip",
    policies=("default-data-blocks", "default-data-nvme-tcp"),
    port=4420,
    discovery_port=8009,
    announced="_nvme-disc._tcp",
    modules=("nvmet", "nvmet_tcp"),
)
