"""Initiators' I/O to a LUN at one portal group, as LIO counts it for SCSI-MIB (RFC 4455).

The table is in `lun/<lun>/statistics/scsi_tgt_port` (drivers/target/target_core_stat.c). It begins
anew when the LUN is exported anew. Bytes are counted in whole mebibytes, as 32 bits: after 4 PiB
they begin at zero. Commands of all kinds are counted together.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass

from sanstone.kernel.host import FileError, Host

MEBIBYTE = 2**20


@dataclass(frozen=True)
class LunTraffic:
    """Commands that came, and bytes that initiators read and wrote."""

    commands: int
    read_bytes: int
    written_bytes: int


def of_lun(host: Host, group: str, number: int) -> LunTraffic | None:
    """Return the counters of a LUN of the portal group at a path, None if it is not exported there.

    Raises FileError.
    """
    table = f"{group}/lun/lun_{number}/statistics/scsi_tgt_port"
    try:
        commands, read, written = (
            int(host.files.read(f"{table}/{name}"))
            for name in ("in_cmds", "read_mbytes", "write_mbytes")
        )
    except FileError as error:
        # ENODEV: it has no backstore, or not any more.
        if error.errno not in (errno.ENOENT, errno.ENODEV):
            raise
        return None
    return LunTraffic(commands, read * MEBIBYTE, written * MEBIBYTE)
