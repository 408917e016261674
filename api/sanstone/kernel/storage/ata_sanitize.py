"""Sanitize of ATA disks (ACS-4: SANITIZE DEVICE), through the kernel or an adapter (SAT).

Commands go as ATA PASS-THROUGH (16) (SAT-4, 12.2.2), and what the disk answers in its registers
comes back as sense data. ATA's older SECURITY ERASE UNIT is not used: it begins by giving the disk
a password, and a power cut leaves it locked by that.

A firmware that has frozen sanitizing (SANITIZE FREEZE LOCK) has the disk refuse it until its power
was off.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.kernel.host import Host
from sanstone.kernel.storage.sanitization import (
    BLOCK_ERASE,
    CRYPTO_ERASE,
    FAILED,
    OVERWRITE,
    Progress,
    SanitizeError,
)

PASS_THROUGH = 0x85
IDENTIFY_DEVICE, SANITIZE_DEVICE = 0xEC, 0xB4
STATUS = 0x0000
FEATURES = {CRYPTO_ERASE: 0x0011, BLOCK_ERASE: 0x0012, OVERWRITE: 0x0014}
KEYS = {CRYPTO_ERASE: 0x43727970, BLOCK_ERASE: 0x426B4572, OVERWRITE: 0x4F57 << 32}
"""The required LBA, so that no disk is erased by a slip; an overwrite's pattern follows, 0."""
SUPPORTED = 1 << 12
CAPABILITIES = {CRYPTO_ERASE: 1 << 13, BLOCK_ERASE: 1 << 15, OVERWRITE: 1 << 14}
"""Bits of word 59 of IDENTIFY DEVICE."""
IN_PROGRESS, CLEAR_FAILURE, FAILURE_MODE, ONE_PASS = 1 << 14, 1 << 0, 1 << 4, 1
"""Bits of COUNT: in an answer, in a question for the status, and in an order (whether it may leave
a failure later; how often it overwrites)."""
UNSUCCESSFUL, FROZEN = 1, 3
"""Reasons for an error, in the lowest byte of LBA."""
_NON_DATA, _DATA_IN = 3 << 1, 4 << 1
_EXTENDED, _REGISTERS = 1, 1 << 5
_ONE_BLOCK = 0b1110
"""Data from the disk, in blocks, as many as COUNT."""
_ERROR = 1


@dataclass(frozen=True)
class Registers:
    """A disk's answer: STATUS, COUNT and LBA."""

    status: int
    count: int
    lba: int


def methods(host: Host, path: str) -> tuple[str, ...]:
    """See `sanitization.CommandSet`."""
    command = bytearray(16)
    command[:3] = PASS_THROUGH, _DATA_IN, _ONE_BLOCK
    command[6], command[14] = 1, IDENTIFY_DEVICE
    answer = host.disk_commands.scsi(path, bytes(command), longest=512)
    if answer.status or len(answer.data) < 512:
        raise SanitizeError("{}: does not tell what it is", path)
    word = int.from_bytes(answer.data[118:120], "little")
    return tuple(m for m, bit in CAPABILITIES.items() if word & SUPPORTED and word & bit)


def progress(host: Host, path: str) -> Progress:
    """See `sanitization.CommandSet`."""
    registers = _answer(host, path, STATUS)
    if registers.status & _ERROR:
        # A disk that does not have the command refuses it for another reason.
        return Progress(FAILED) if registers.lba & 0xFF == UNSUCCESSFUL else Progress()
    return Progress.running(registers.lba & 0xFFFF) if registers.count & IN_PROGRESS else Progress()


def start(host: Host, path: str, method: str) -> None:
    """See `sanitization.CommandSet`."""
    count = FAILURE_MODE | (ONE_PASS if method == OVERWRITE else 0)
    _ordered(host, path, FEATURES[method], count, KEYS[method])


def leave_failure(host: Host, path: str) -> None:
    """See `sanitization.CommandSet`."""
    _ordered(host, path, STATUS, CLEAR_FAILURE)


def _ordered(host: Host, path: str, feature: int, count: int, lba: int = 0) -> None:
    registers = _answer(host, path, feature, count, lba)
    if registers.status & _ERROR:
        raise _refusal(path, registers)


def _answer(host: Host, path: str, feature: int, count: int = 0, lba: int = 0) -> Registers:
    """Have a disk do SANITIZE DEVICE and return its answer. Raises HostError where none came."""
    command = bytearray(16)
    command[:3] = PASS_THROUGH, _NON_DATA | _EXTENDED, _REGISTERS
    command[3:5] = feature.to_bytes(2)
    command[5:7] = count.to_bytes(2)
    low, high = (lba & 0xFFFFFF).to_bytes(3), (lba >> 24).to_bytes(3)
    # Each register of LBA after the one that goes before it: 31:24, 7:0, 39:32, 15:8, 47:40, 23:16.
    command[7:13] = high[2], low[2], high[1], low[1], high[0], low[0]
    command[14] = SANITIZE_DEVICE
    answer = host.disk_commands.scsi(path, bytes(command))
    registers = registers_of(answer.sense)
    if registers is None:
        raise SanitizeError("{}: does not tell of its sanitization", path)
    return registers


def registers_of(sense: bytes) -> Registers | None:
    """Return the registers in sense data (SAT-4, 12.2.2.6 and 12.2.2.7); None where none are.

    Adapters have them in either format. In the older one there is no room for the upper halves, and
    one of these tells whether the disk is at it: there only an error shows.
    """
    if len(sense) >= 22 and sense[0] & 0x7F >= 0x72 and sense[8] == 0x09:
        count = int.from_bytes(sense[12:14])
        low, high = (bytes(sense[at] for at in places) for places in ((19, 17, 15), (18, 16, 14)))
        return Registers(sense[21], count, int.from_bytes(high) << 24 | int.from_bytes(low))
    if len(sense) >= 12 and sense[0] & 0x7F in (0x70, 0x71) and sense[4] & _ERROR:
        return Registers(sense[4], sense[6], int.from_bytes(sense[9:12], "little"))
    return None


def _refusal(path: str, registers: Registers) -> SanitizeError:
    if registers.lba & 0xFF == FROZEN:
        return SanitizeError(
            "{}: its firmware has frozen sanitizing; switch the power of the disk off and on", path
        )
    return SanitizeError("{}: refuses to be sanitized, with reason {}", path, registers.lba & 0xFF)
