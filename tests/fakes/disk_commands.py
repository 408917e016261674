"""Disks that sanitize themselves, as strict as the specifications that their drivers name.

Nobody has such a disk here, and QEMU's have no Sanitize: the answers are put together from NVM
Express 2.0, SBC-4, SPC-5, ACS-4 and SAT-4. Each look at its progress takes a disk one step further,
until it has sanitized itself; that outlives a loss of power.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence

from fakes.disks import FakeDisk, FakeDisks
from fakes.interrupt import Interrupt
from sanstone.kernel.disk_commands import NvmeAnswer, ScsiAnswer
from sanstone.kernel.host import FileError, RequestError

GOOD, CHECK_CONDITION = 0x00, 0x02
SUCCESS, INVALID_FIELD, INVALID_OPCODE, INVALID_LOG_PAGE = 0x000, 0x002, 0x001, 0x109
SANITIZE_FAILED, SANITIZE_IN_PROGRESS = 0x01C, 0x01D
METHODS = {1: "overwrite", 2: "block_erase", 3: "crypto_erase"}
"""By SCSI's service action; NVMe and ATA have numbers of their own."""
NVME_ACTIONS = {2: "block_erase", 3: "overwrite", 4: "crypto_erase"}
NVME_CAPABILITIES = {"crypto_erase": 1, "block_erase": 2, "overwrite": 4}
ATA_ORDERS = {
    0x0011: ("crypto_erase", 0x43727970),
    0x0012: ("block_erase", 0x426B4572),
    0x0014: ("overwrite", 0x4F57_00000000),
}
ATA_CAPABILITIES = {"crypto_erase": 1 << 13, "overwrite": 1 << 14, "block_erase": 1 << 15}
WHOLE = 65536


class FakeDiskCommands:
    """See `host.DiskCommands`."""

    def __init__(self, interrupt: Interrupt, disks: FakeDisks) -> None:
        self._interrupt, self._disks = interrupt, disks

    def scsi(self, path: str, command: bytes, *, sent: bytes = b"", longest: int = 0) -> ScsiAnswer:
        """Do a SCSI command, or an ATA command in one."""
        disk = self._disk(path)
        if not disk.name.startswith("sd"):
            raise RequestError(f"SCSI command {command.hex()} to {path}", errno.ENOTTY)
        if disk.vendor == "ATA":
            return self._ata(disk, command, longest)
        return self._scsi(disk, command, sent, longest)

    def nvme(
        self, path: str, opcode: int, words: Sequence[int], *, namespace: int = 0, length: int = 0
    ) -> NvmeAnswer:
        """Do an admin command."""
        disk = self._disk(path)
        if not disk.name.startswith("nvme"):
            raise RequestError(f"NVMe command {opcode:02x}h to {path}", errno.ENOTTY)
        word = words[0]
        if opcode == 0x06:
            return _identified(disk, word, length)
        if opcode == 0x02:
            return _nvme_log(disk, word, namespace, length)
        if opcode == 0x84:
            return NvmeAnswer(self._nvme_sanitize(disk, word), b"")
        return NvmeAnswer(INVALID_OPCODE, b"")

    def _disk(self, path: str) -> FakeDisk:
        name = path.removeprefix("/dev/")
        if name not in self._disks.present:
            raise FileError("open", path, errno.ENOENT)
        return self._disks.present[name]

    def _begin(self, disk: FakeDisk, method: str, *, unrestricted: bool) -> None:
        with self._interrupt.step(f"sanitize {disk.name} {method}"):
            disk.sanitizing, disk.unrestricted, disk.done = "running", unrestricted, 0
            disk.sanitized_by = method

    def _leave(self, disk: FakeDisk) -> None:
        with self._interrupt.step(f"sanitize {disk.name} exit failure mode"):
            disk.sanitizing = ""

    def _nvme_sanitize(self, disk: FakeDisk, word: int) -> int:
        action, unrestricted = word & 0b111, bool(word & 1 << 3)
        if disk.sanitizing == "running":
            return SANITIZE_IN_PROGRESS
        if action == 1 and disk.sanitizes:
            if disk.sanitizing and not disk.unrestricted:
                return SANITIZE_FAILED
            self._leave(disk)
            return SUCCESS
        if NVME_ACTIONS.get(action) not in disk.sanitizes:
            return INVALID_FIELD if disk.sanitizes else INVALID_OPCODE
        self._begin(disk, NVME_ACTIONS[action], unrestricted=unrestricted)
        return SUCCESS

    def _scsi(self, disk: FakeDisk, command: bytes, sent: bytes, longest: int) -> ScsiAnswer:
        if command[0] == 0x03:
            assert len(command) == 6, command.hex()
            assert command[4] <= longest, "the allocation length is larger than the buffer"
            sense = _sense_of_state(disk) or _sense(0, 0, 0)
            return ScsiAnswer(GOOD, b"", sense[: command[4]])
        if command[0] == 0x12:
            assert len(command) == 6, command.hex()
            return _inquired(disk, command, longest)
        if disk.sanitizing == "running" or (disk.sanitizing and command[0] != 0x48):
            return ScsiAnswer(CHECK_CONDITION, _sense_of_state(disk), b"")
        if command[0] == 0xA3 and command[1] & 0x1F == 0x0C:
            return _supported(disk, command, longest)
        if command[0] == 0x48 and disk.sanitizes:
            return self._scsi_sanitize(disk, command, sent)
        return _illegal(0x20)

    def _scsi_sanitize(self, disk: FakeDisk, command: bytes, sent: bytes) -> ScsiAnswer:
        assert len(command) == 10, command.hex()
        action, length = command[1] & 0x1F, int.from_bytes(command[7:9])
        if length != len(sent):
            return _illegal(0x1A)
        if action == 0x1F and not sent:
            if disk.sanitizing and not disk.unrestricted:
                return _illegal(0x24)
            self._leave(disk)
            return ScsiAnswer(GOOD, b"", b"")
        if METHODS.get(action) not in disk.sanitizes:
            return _illegal(0x24)
        if METHODS[action] == "overwrite":
            count, pattern = sent[0] & 0x1F if sent else 0, int.from_bytes(sent[2:4])
            if not count or not 0 < pattern <= disk.logical_block_size or length != 4 + pattern:
                return _illegal(0x26)
        elif sent:
            return _illegal(0x24)
        assert command[1] & 0x80, "the disk would answer when it is done, and nobody waits so long"
        self._begin(disk, METHODS[action], unrestricted=bool(command[1] & 0x20))
        return ScsiAnswer(GOOD, b"", b"")

    def _ata(self, disk: FakeDisk, command: bytes, longest: int) -> ScsiAnswer:
        if command[0] != 0x85:
            return _illegal(0x20)
        assert len(command) == 16, command.hex()
        protocol, extended, registers = command[1] >> 1 & 0xF, command[1] & 1, command[2] & 0x20
        if command[14] == 0xEC:
            assert (protocol, command[2] & 0xF, command[6], longest) == (4, 0b1110, 1, 512)
            return ScsiAnswer(GOOD, b"", _identity(disk))
        assert (protocol, extended, bool(registers)) == (3, 1, True), "no registers come back"
        if command[14] != 0xB4 or not disk.sanitizes:
            return _registers(disk, status=0x51, low=0)
        return self._ata_sanitize(disk, command)

    def _ata_sanitize(self, disk: FakeDisk, command: bytes) -> ScsiAnswer:
        feature, count = int.from_bytes(command[3:5]), int.from_bytes(command[5:7])
        lba = int.from_bytes(bytes(command[at] for at in (11, 9, 7, 12, 10, 8)))
        if feature == 0:
            if count & 1 and disk.sanitizing == "failed" and disk.unrestricted:
                self._leave(disk)
            parts = _look(disk)
            if disk.sanitizing == "failed":
                return _registers(disk, status=0x51, low=1)
            return _registers(disk, low=parts)
        if disk.sanitizing == "running":
            return _registers(disk, status=0x51, low=0)
        if disk.frozen:
            return _registers(disk, status=0x51, low=3)
        method, key = ATA_ORDERS.get(feature, ("", 0))
        if method not in disk.sanitizes or lba != key:
            return _registers(disk, status=0x51, low=2)
        if method == "overwrite":
            assert count & 0xF, "0 is 16 passes"
        self._begin(disk, method, unrestricted=bool(count & 1 << 4))
        return _registers(disk)


def _look(disk: FakeDisk) -> int:
    """Return how far a disk is, in parts of 65536, and have it come further."""
    if disk.sanitizing != "running":
        return WHOLE - 1
    if disk.done >= disk.looks:
        disk.sanitizing = "failed" if disk.fails_to_sanitize else ""
        if not disk.sanitizing:
            disk.superblock, disk.overwritten = None, disk.sanitized_by
            disk.foreign.clear()
        return WHOLE - 1
    disk.done += 1
    return WHOLE * (disk.done - 1) // disk.looks


def _identified(disk: FakeDisk, word: int, length: int) -> NvmeAnswer:
    assert length == 4096, "Identify returns 4096 bytes"
    data = bytearray(length)
    if word == 0x01:
        data[256] = 1 << 3 if disk.namespaces > 1 else 0
        data[328] = sum(NVME_CAPABILITIES[method] for method in disk.sanitizes)
    elif word == 0x10 and disk.namespaces > 1:
        for number in range(disk.namespaces):
            data[4 * number : 4 * number + 4] = (number + 1).to_bytes(4, "little")
    else:
        return NvmeAnswer(INVALID_FIELD, b"")
    return NvmeAnswer(SUCCESS, bytes(data))


def _nvme_log(disk: FakeDisk, word: int, namespace: int, length: int) -> NvmeAnswer:
    if word & 0xFF != 0x81 or not disk.sanitizes:
        return NvmeAnswer(INVALID_LOG_PAGE, b"")
    assert 4 * ((word >> 16) + 1) == length, "dwords are counted from 0"
    assert namespace in (0, 0xFFFFFFFF), namespace
    parts = _look(disk)
    status = {"": 1 if disk.sanitized_by else 0, "running": 2, "failed": 3}[disk.sanitizing]
    data = parts.to_bytes(2, "little") + status.to_bytes(2, "little")
    return NvmeAnswer(SUCCESS, data.ljust(length, b"\0"))


def _inquired(disk: FakeDisk, command: bytes, longest: int) -> ScsiAnswer:
    if not (command[1] & 1 and command[2] == 0xB1):
        return _illegal(0x24)
    page = bytearray(64)
    page[1], page[3] = 0xB1, 60
    # Of erasing blocks, and of forgetting the key: 01b reads without an error, 10b refuses to.
    page[7] = (0b1010_0000 if disk.to_be_written else 0b0101_0000) if disk.sanitizes else 0
    return ScsiAnswer(GOOD, b"", bytes(page[: min(longest, int.from_bytes(command[3:5]))]))


def _supported(disk: FakeDisk, command: bytes, longest: int) -> ScsiAnswer:
    assert len(command) == 12, command.hex()
    assert (command[2] & 7, command[3]) == (3, 0x48), "the command is another than a service action"
    assert int.from_bytes(command[6:10]) <= longest
    has = METHODS.get(int.from_bytes(command[4:6])) in disk.sanitizes
    return ScsiAnswer(GOOD, b"", bytes((0, 0b011 if has else 0b001, 0, 10 if has else 0)))


def _identity(disk: FakeDisk) -> bytes:
    data = bytearray(512)
    word = sum(ATA_CAPABILITIES[method] for method in disk.sanitizes)
    data[118:120] = (word | (1 << 12 if disk.sanitizes else 0)).to_bytes(2, "little")
    return bytes(data)


def _sense_of_state(disk: FakeDisk) -> bytes:
    """Return the sense data of a disk that is at it or has failed, else none."""
    parts = _look(disk)
    if disk.sanitizing == "running":
        return _sense(2, 0x04, 0x1B, parts, descriptors=disk.descriptors)
    return _sense(3, 0x31, 0x03, descriptors=disk.descriptors) if disk.sanitizing else b""


def _sense(
    key: int, code: int, qualifier: int, parts: int | None = None, *, descriptors: bool = False
) -> bytes:
    specific = b"\0\0\0" if parts is None else b"\x80" + parts.to_bytes(2)
    if descriptors:
        return bytes((0x72, key, code, qualifier, 0, 0, 0, 8, 2, 6, 0, 0)) + specific + b"\0"
    return bytes((0x70, 0, key, 0, 0, 0, 0, 10, 0, 0, 0, 0, code, qualifier, 0)) + specific


def _illegal(code: int) -> ScsiAnswer:
    return ScsiAnswer(CHECK_CONDITION, _sense(5, code, 0), b"")


def _registers(disk: FakeDisk, *, status: int = 0x50, low: int = 0) -> ScsiAnswer:
    """Return a disk's registers as the kernel does (ata_gen_passthru_sense in libata-scsi.c).

    `low` is the lower half of LBA. With an error they come in the format that the disk is set to,
    else as descriptors.
    """
    count = {"": 1 << 15 if disk.sanitized_by else 0, "running": 1 << 14, "failed": 0}
    counts, lba = count[disk.sanitizing].to_bytes(2), low.to_bytes(2)
    if status & 1 and not disk.descriptors:
        sense = bytes((0x70, 0, 0x0B, 0x04, status, 0xE0, counts[1], 10, 0, lba[1], 0, 0))
        return ScsiAnswer(CHECK_CONDITION, sense.ljust(18, b"\0"), b"")
    head = bytes((0x72, 0x0B if status & 1 else 0x01, 0, 0x1D, 0, 0, 0, 14))
    registers = (0, lba[1], 0, lba[0], 0, 0)
    error = 0x04 if status & 1 else 0
    described = bytes((0x09, 0x0C, 1, error, *counts, *registers, 0xE0, status))
    return ScsiAnswer(CHECK_CONDITION, head + described, b"")
