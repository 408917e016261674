"""NVMe over Fibre Channel (INCITS 556, FC-NVMe-2), served by nvmet at ports of Emulex adapters.

lpfc registers a port with nvmet_fc when it is loaded with the port's name (`lpfc_enable_nvmet`, see
`kernel.network.fc`); nvme-fcloop makes such ports out of nothing, for tests.
"""

from __future__ import annotations

from sanstone.protocols import Protocol

PROTOCOL = Protocol(
    name="nvme_fc",
    family="nvme",
    service="fc_nvme",
    allowed_by="nvme",
    kernel_name="fc",
    addressing="wwn",
    drivers=("lpfc", "fcloop"),
    modules=("nvmet", "nvmet_fc"),
)
