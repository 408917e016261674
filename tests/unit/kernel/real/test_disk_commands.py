"""Requests to the kernel for a command of a disk's own, by the layouts of its headers.

The lab has no disk with such commands: the ioctls do as those of drivers/scsi and drivers/nvme.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from sanstone.kernel.disk_commands import NvmeAnswer, ScsiAnswer
from sanstone.kernel.host import FileError, RequestError
from sanstone.kernel.real.disk_commands import RealDiskCommands

U8, U16, U32, U64, S32 = (
    *(ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64),
    ctypes.c_int32,
)
QUESTION = bytes((0x03, 0, 0, 0, 252, 0))
TO_DISK, FROM_DISK, NONE = -2, -3, -1


class Header(ctypes.Structure):
    """struct sg_io_hdr (include/scsi/sg.h)."""

    _fields_ = (
        *(("interface_id", S32), ("dxfer_direction", S32), ("cmd_len", U8), ("mx_sb_len", U8)),
        *(("iovec_count", U16), ("dxfer_len", U32), ("dxferp", U64), ("cmdp", U64), ("sbp", U64)),
        *(("timeout", U32), ("flags", U32), ("pack_id", S32), ("usr_ptr", U64), ("status", U8)),
        *(("masked_status", U8), ("msg_status", U8), ("sb_len_wr", U8), ("host_status", U16)),
        *(("driver_status", U16), ("resid", S32), ("duration", U32), ("info", U32)),
    )


class Command(ctypes.Structure):
    """struct nvme_admin_cmd (include/uapi/linux/nvme_ioctl.h)."""

    _fields_ = (
        *(("opcode", U8), ("flags", U8), ("rsvd1", U16), ("nsid", U32), ("cdw2", U32)),
        *(("cdw3", U32), ("metadata", U64), ("addr", U64), ("metadata_len", U32)),
        *(("data_len", U32), ("cdw10", U32), ("cdw11", U32), ("cdw12", U32), ("cdw13", U32)),
        *(("cdw14", U32), ("cdw15", U32), ("timeout_ms", U32), ("result", U32)),
    )


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A disk's node."""
    node = tmp_path / "disk"
    node.touch()
    return str(node)


def scsi(
    commands: list[tuple[bytes, int, bytes]],
    answer: bytes = b"",
    sense: bytes = b"",
    host_status: int = 0,
) -> Callable[[int, int, bytearray], int]:
    """Return an ioctl of a SCSI disk that adds to `commands`: command, direction, data."""

    def ioctl(_node: int, request: int, buffer: bytearray) -> int:
        assert (request, len(buffer)) == (0x2285, ctypes.sizeof(Header))
        header = Header.from_buffer(buffer)
        assert header.interface_id == ord("S")
        assert header.timeout >= 1000
        is_sent = header.dxfer_direction == TO_DISK
        data = ctypes.string_at(header.dxferp, header.dxfer_len) if is_sent else b""
        command = ctypes.string_at(header.cmdp, header.cmd_len)
        commands.append((command, header.dxfer_direction, data))
        if header.dxfer_direction == FROM_DISK:
            ctypes.memmove(header.dxferp, answer, len(answer))
            header.resid = header.dxfer_len - len(answer)
        if sense:
            assert header.mx_sb_len >= len(sense)
            ctypes.memmove(header.sbp, sense, len(sense))
            header.status, header.driver_status, header.sb_len_wr = 2, 8, len(sense)
        header.host_status = host_status
        return 0

    return ioctl


def test_an_answer_is_returned_at_its_length(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[tuple[bytes, int, bytes]] = []
    monkeypatch.setattr(fcntl, "ioctl", scsi(commands, b"an answer"))
    answer = RealDiskCommands().scsi(path, QUESTION, longest=252)
    assert answer == ScsiAnswer(0, b"", b"an answer")
    assert commands == [(QUESTION, FROM_DISK, b"")]


def test_data_are_sent_and_a_refusal_is_an_answer(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[tuple[bytes, int, bytes]] = []
    monkeypatch.setattr(fcntl, "ioctl", scsi(commands, sense=b"\x70sense"))
    answer = RealDiskCommands().scsi(path, b"\x48" + bytes(9), sent=b"parameters")
    assert answer == ScsiAnswer(2, b"\x70sense", b"")
    assert commands == [(b"\x48" + bytes(9), TO_DISK, b"parameters")]


def test_a_command_without_data_has_no_direction(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[tuple[bytes, int, bytes]] = []
    monkeypatch.setattr(fcntl, "ioctl", scsi(commands))
    RealDiskCommands().scsi(path, bytes(6))
    assert commands == [(bytes(6), NONE, b"")]


def test_a_silent_disk_is_an_error(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "ioctl", scsi([], host_status=3))
    with pytest.raises(RequestError, match="does not answer"):
        RealDiskCommands().scsi(path, QUESTION, longest=252)


def test_a_controller_is_addressed_by_its_namespace(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ioctl(_node: int, request: int, buffer: bytearray) -> int:
        assert (request, len(buffer)) == (0xC0484E41, ctypes.sizeof(Command))
        command = Command.from_buffer(buffer)
        assert (command.opcode, command.nsid, command.data_len) == (0x02, 0xFFFFFFFF, 20)
        assert (command.cdw10, command.cdw11, command.cdw15) == (0x40081, 7, 0)
        assert command.timeout_ms >= 1000
        ctypes.memmove(command.addr, b"log", 3)
        return 0

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    words = (0x40081, 7)
    answer = RealDiskCommands().nvme(path, 0x02, words, namespace=0xFFFFFFFF, length=20)
    assert answer == NvmeAnswer(0, b"log".ljust(20, b"\0"))


def test_a_controllers_refusal_is_an_answer(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "ioctl", lambda *_arguments: 0x4002)
    assert RealDiskCommands().nvme(path, 0x84, (4,)) == NvmeAnswer(0x4002, b"")


def test_a_file_that_is_no_disk_is_an_error(path: str) -> None:
    with pytest.raises(RequestError) as error:
        RealDiskCommands().scsi(path, QUESTION, longest=252)
    assert error.value.errno == errno.ENOTTY
    with pytest.raises(RequestError):
        RealDiskCommands().nvme(path, 0x06, (1,), length=4096)


def test_a_missing_disk_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError) as missing:
        RealDiskCommands().scsi(str(tmp_path / "none"), QUESTION, longest=252)
    assert missing.value.errno == errno.ENOENT
