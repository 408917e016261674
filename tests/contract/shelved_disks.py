"""A shelf around the disks of the furnished array, and the disks' health."""

from __future__ import annotations

from typing import Any

from fakes import FakeKernel, smart

SHELF = "500605b0000272bf"
BAYS = 12
DISKS = {0: "sda", 1: "sdb", 2: "sdc", 3: "sdd", 4: "sde", 6: "sdf", 7: "sdg"}
"""By bay. The last disk is in no shelf, and one reports no health."""
SATA: dict[str, Any] = {
    "device": {"name": "/dev/sda", "type": "sat", "protocol": "ATA"},
    "smart_status": {"passed": True},
    "ata_smart_attributes": {
        "table": [
            {"id": number, "name": name, "when_failed": "", "raw": {"value": 0, "string": "0"}}
            for number, name in (
                (5, "Reallocated_Sector_Ct"),
                (187, "Reported_Uncorrect"),
                (197, "Current_Pending_Sector"),
            )
        ]
    },
    "endurance_used": {"current_percent": 31},
    "temperature": {"current": 33, "op_limit_max": 70},
    "power_on_time": {"hours": 17520},
}


def attach(kernel: FakeKernel) -> None:
    """Put the disks in a shelf with lights; one is worn, and one predicts that it will fail."""
    kernel.enclosures.attach(SHELF, BAYS, DISKS)
    kernel.smart.reports |= {
        "sda": SATA,
        "sdb": smart.sas(),
        "sdc": smart.sas(used=17),
        "sdd": smart.sas(used=17, temperature=31),
        "sde": smart.sas(used=94),
        "sdg": smart.sas(failing="HARDWARE IMPENDING FAILURE TOO MANY BLOCK REASSIGNS"),
        "nvme0n1": smart.NVME,
    }
