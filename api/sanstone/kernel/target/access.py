"""How hosts are served over a path: the states of ANA (NVMe) and of ALUA (SCSI), as one.

`ana` is what nvmet calls a state (nvmet_ana_state[] in drivers/nvme/target/configfs.c), `alua` the
number by which LIO takes it (ALUA_ACCESS_STATE_* in drivers/target/target_core_alua.h). What ANA
calls inaccessible is standby in ALUA: the path is there, and reads and writes go over another.
"""

from __future__ import annotations

from enum import Enum


class AccessState(Enum):
    """One state."""

    OPTIMIZED = ("optimized", "0")
    NON_OPTIMIZED = ("non-optimized", "1")
    INACCESSIBLE = ("inaccessible", "2")

    def __init__(self, ana: str, alua: str) -> None:
        self.ana = ana
        self.alua = alua
