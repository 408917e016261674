"""The real form of `DiskCommands`: ioctls of a disk's block device.

SCSI commands go by `SG_IO` with `struct sg_io_hdr` (include/scsi/sg.h), NVMe's admin commands by
`NVME_IOCTL_ADMIN_CMD` with `struct nvme_admin_cmd` (include/uapi/linux/nvme_ioctl.h). A disk is
opened for reading and not exclusively: progress can be read while others use the disk.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sanstone.kernel.disk_commands import NvmeAnswer, ScsiAnswer
from sanstone.kernel.host import FileError, RequestError

SG_IO, NVME_ADMIN = 0x2285, 0xC0484E41
_SG_HEADER = struct.Struct("=iiBBHIQQQIIi4xQBBBBHHiII4x")
_NVME_COMMAND = struct.Struct("=BBHIIIQQII6III")
_NONE, _TO_DISK, _FROM_DISK = -1, -2, -3
"""SG_DXFER_NONE, SG_DXFER_TO_DEV, SG_DXFER_FROM_DEV."""
_SENSE = 252
"""Bytes of the longest sense data (SPC-4, 4.5.1)."""
_WORDS = 6
_MILLISECONDS = 60_000
"""For which a disk may take to answer; one that mends itself takes long."""


class RealDiskCommands:
    """Disks of this machine."""

    def scsi(self, path: str, command: bytes, *, sent: bytes = b"", longest: int = 0) -> ScsiAnswer:
        """See `host.DiskCommands`."""
        data = ctypes.create_string_buffer(sent, len(sent)) if sent else _room(longest)
        request, sense = ctypes.create_string_buffer(command, len(command)), _room(_SENSE)
        direction = _TO_DISK if sent else _FROM_DISK if longest else _NONE
        addresses = [ctypes.addressof(each) for each in (data, request, sense)]
        length = len(sent) or longest
        header = bytearray(
            _SG_HEADER.pack(
                *(ord("S"), direction, len(command), _SENSE, 0, length, *addresses),
                *(_MILLISECONDS, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
            )
        )
        with _opened(path) as device:
            _request(device, SG_IO, header, f"SCSI command {command.hex()} to {path}")
        *_, status, _, _, written, by_host, by_driver, missing, _, _ = _SG_HEADER.unpack(header)
        # The driver's status only tells that there is sense data (DRIVER_SENSE, 8).
        if by_host or by_driver & ~8:
            what = f"SCSI command {command.hex()} to {path}, which does not answer"
            raise RequestError(what, errno.EIO)
        read = b"" if sent else data.raw[: max(0, longest - missing)]
        return ScsiAnswer(status, sense.raw[:written], read)

    def nvme(
        self, path: str, opcode: int, words: Sequence[int], *, namespace: int = 0, length: int = 0
    ) -> NvmeAnswer:
        """See `host.DiskCommands`."""
        data = _room(length)
        padded = (*words, *(0,) * (_WORDS - len(words)))
        address = ctypes.addressof(data) if length else 0
        command = bytearray(
            _NVME_COMMAND.pack(
                *(opcode, 0, 0, namespace, 0, 0, 0, address, 0, length),
                *(*padded, _MILLISECONDS, 0),
            )
        )
        with _opened(path) as device:
            what = f"NVMe command {opcode:02x}h to {path}"
            status = _request(device, NVME_ADMIN, command, what)
        return NvmeAnswer(status, data.raw[:length])


def _room(length: int) -> ctypes.Array[ctypes.c_char]:
    # Of a buffer without a byte there would be no address.
    return ctypes.create_string_buffer(max(1, length))


@contextmanager
def _opened(path: str) -> Iterator[int]:
    try:
        device = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise FileError("open", path, error.errno or errno.EIO) from error
    try:
        yield device
    finally:
        os.close(device)


def _request(device: int, number: int, buffer: bytearray, what: str) -> int:
    try:
        return int(fcntl.ioctl(device, number, buffer))
    except OSError as error:
        raise RequestError(what, error.errno or errno.EIO) from error
