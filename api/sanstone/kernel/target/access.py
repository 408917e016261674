"""Access states of a path: ANA (NVMe) and ALUA (SCSI) in one type.

`ana` is nvmet's name of a state (nvmet_ana_state[] in drivers/nvme/target/configfs.c), `alua` is
LIO's number of it (ALUA_ACCESS_STATE_* in drivers/target/target_core_alua.h). ANA's inaccessible
corresponds to ALUA's standby: the path exists, but the host does its I/O over another path.
"""

from __future__ import annotations

from enum import Enum


class AccessState(Enum):
    """The access state that a target reports to hosts for a path."""

    OPTIMIZED = ("optimized", "0")
    NON_OPTIMIZED = ("non-optimized", "1")
    INACCESSIBLE = ("inaccessible", "2")

    def __init__(self, ana: str, alua: str) -> None:
        self.ana = ana
        self.alua = alua
