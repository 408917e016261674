"""The real form of `host.FabricServices`: bsg nodes, /dev/bsg/fc_<host>.

A request is an ioctl with a header (`struct sg_io_v4` in include/uapi/linux/bsg.h), which points at
a message for the transport class (include/uapi/scsi/scsi_bsg_fc.h), at the CT_IU that is sent, and
at where the answer goes. The message holds the first words of the CT_IU as numbers in the
processor's order, since qla2xxx takes the service from one (qla2x00_process_ct() in
drivers/scsi/qla2xxx/qla_bsg.c).
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct

from sanstone.kernel.host import FileError, RequestError

NODES = "/dev/bsg"
_SERVICES = 0xFFFF00
"""The first bytes of services' well-known addresses; they end with GS_Type (FC-FS, FC-GS)."""
_SG_IO, _GUARD, _TRANSPORT = 0x2285, ord("Q"), 2
_CT = 0x80000004
"""FC_BSG_HST_CT."""
_HEADER = struct.Struct("=iIII QQ IIII Q IIII QQ II Q I IIIIIII ii Q II")
_REPLY = struct.Struct("=iI I4B")
"""struct fc_bsg_reply of CT: result, bytes received, status, and what a reject says."""
_LONGEST_REPLY = 96
_MILLISECONDS = 10_000


class RealFabricServices:
    """Asks fabrics through the ports' drivers."""

    def ask(self, adapter: str, request: bytes, longest: int) -> bytes:
        """See `host.FabricServices`."""
        path = f"{NODES}/fc_{adapter}"
        try:
            node = os.open(path, os.O_RDONLY)
        except OSError as error:
            raise FileError("open", path, error.errno or errno.EIO) from error
        try:
            return _ask(node, path, request, longest)
        finally:
            os.close(node)


def _ask(node: int, path: str, request: bytes, longest: int) -> bytes:
    words = struct.unpack(">3I", request[:12])
    message = ctypes.create_string_buffer(
        struct.pack("=IB", _CT, 0)
        + (_SERVICES | request[4]).to_bytes(3, "big")
        + struct.pack("=3I", *words),
        20,
    )
    sent = ctypes.create_string_buffer(request, len(request))
    received = ctypes.create_string_buffer(longest)
    reply = ctypes.create_string_buffer(_LONGEST_REPLY)
    addresses = [ctypes.addressof(each) for each in (message, reply, sent, received)]
    header = bytearray(
        _HEADER.pack(
            *(_GUARD, 0, _TRANSPORT, len(message)),
            *(addresses[0], 0),
            *(0, 0, 0, _LONGEST_REPLY, addresses[1]),
            *(0, len(request), 0, longest, addresses[2], addresses[3]),
            *(_MILLISECONDS, 0, 0, 0),
            *(0,) * 12,
        )
    )
    try:
        fcntl.ioctl(node, _SG_IO, header)
    except OSError as error:
        # The driver's refusal is in the reply too (bsg_transport_sg_io_fn() in block/bsg-lib.c).
        (result,) = struct.unpack_from("=i", reply)
        who = "its driver" if result == -(error.errno or 0) else "the kernel"
        raise RequestError(_refused(path, who), error.errno or errno.EIO) from error
    result, length, *_ = _REPLY.unpack_from(reply)
    if result:
        raise RequestError(_refused(path, "its driver"), errno.EIO)
    return received.raw[: min(length, longest)]


def _refused(path: str, who: str) -> str:
    return f"ask the fabric through {path}, as {who} answers"
