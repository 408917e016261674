"""Commands of disks' own: what `Host.disk_commands` is, in each of its forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class ScsiAnswer:
    """How a SCSI command ended: its status (SAM), 0 for GOOD, sense data, and what was read."""

    status: int
    sense: bytes
    data: bytes


@dataclass(frozen=True)
class NvmeAnswer:
    """How an NVMe command ended: its status field without the phase, 0 for success, and the data.

    In the status, code and type are the lowest 11 bits (NVM Express base specification, Completion
    Queue Entry).
    """

    status: int
    data: bytes


class DiskCommands(Protocol):
    """Commands of disks' own, for which the kernel has no file, by the path of a block device.

    Both raise FileError where there is no such disk, and RequestError where the command does not
    reach it or its driver takes no such commands. A disk that refuses is an answer.
    """

    def scsi(self, path: str, command: bytes, *, sent: bytes = b"", longest: int = 0) -> ScsiAnswer:
        """Have a SCSI disk do a command with data that is `sent`, or read, at most `longest`."""

    def nvme(
        self, path: str, opcode: int, words: Sequence[int], *, namespace: int = 0, length: int = 0
    ) -> NvmeAnswer:
        """Have the controller of an NVMe disk do an admin command that reads `length` bytes.

        `words` are dwords of the command from 10 on.
        """
