"""Requests to the kernel for a question to a fabric, by the layouts of its headers.

The lab has no port that could ask: `bsg` does as block/bsg.c and bsg-lib.c.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from sanstone.kernel.host import FileError, RequestError
from sanstone.kernel.real import fabric_services
from sanstone.kernel.real.fabric_services import RealFabricServices

QUESTION = bytes.fromhex("01000000fa0300000115ffff00000000")
U8, U32, U64, S32 = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32


class Header(ctypes.Structure):
    """struct sg_io_v4 (include/uapi/linux/bsg.h)."""

    _fields_ = (
        *(("guard", S32), ("protocol", U32), ("subprotocol", U32), ("request_len", U32)),
        *(("request", U64), ("request_tag", U64), ("request_attr", U32)),
        *(("request_priority", U32), ("request_extra", U32), ("max_response_len", U32)),
        *(("response", U64), ("dout_iovec_count", U32), ("dout_xfer_len", U32)),
        *(("din_iovec_count", U32), ("din_xfer_len", U32), ("dout_xferp", U64)),
        *(("din_xferp", U64), ("timeout", U32), ("flags", U32), ("usr_ptr", U64)),
        *(("spare_in", U32), ("driver_status", U32), ("transport_status", U32)),
        *(("device_status", U32), ("retry_delay", U32), ("info", U32), ("duration", U32)),
        *(("response_len", U32), ("din_resid", S32), ("dout_resid", S32)),
        *(("generated_tag", U64), ("spare_out", U32), ("padding", U32)),
    )


class Message(ctypes.Structure):
    """struct fc_bsg_request with struct fc_bsg_host_ct (include/uapi/scsi/scsi_bsg_fc.h)."""

    _pack_ = 1
    _fields_ = (
        *(("msgcode", U32), ("reserved", U8), ("port_id", U8 * 3)),
        *(("preamble_word0", U32), ("preamble_word1", U32), ("preamble_word2", U32)),
    )


class Reply(ctypes.Structure):
    """struct fc_bsg_reply with struct fc_bsg_ctels_reply."""

    _fields_ = (
        *(("result", S32), ("reply_payload_rcv_len", U32), ("status", U32)),
        ("rjt_data", U8 * 4),
    )


def bsg(answer: bytes, result: int = 0, error: int = 0) -> Callable[[int, int, bytearray], int]:
    """Return the ioctl of a node whose port's fabric gives this answer."""

    def ioctl(_node: int, request: int, buffer: bytearray) -> int:
        assert (request, len(buffer)) == (0x2285, ctypes.sizeof(Header))
        header = Header.from_buffer(buffer)
        assert (header.guard, header.protocol, header.subprotocol) == (ord("Q"), 0, 2)
        assert 0 < header.timeout <= 10_000
        assert header.request_len == ctypes.sizeof(Message)
        message = Message.from_address(header.request)
        assert message.msgcode == 0x80000004
        assert bytes(message.port_id) == b"\xff\xff\xfa"
        # qla2x00_process_ct() takes the service from the highest bits of this word.
        assert message.preamble_word1 >> 24 == 0xFA
        assert message.preamble_word2 == 0x0115FFFF
        assert ctypes.string_at(header.dout_xferp, header.dout_xfer_len) == QUESTION
        assert header.max_response_len >= ctypes.sizeof(Reply)
        reply = Reply.from_address(header.response)
        reply.result = result
        if error:
            raise OSError(error, "refused")
        payload = answer[: header.din_xfer_len]
        ctypes.memmove(header.din_xferp, payload, len(payload))
        reply.reply_payload_rcv_len = len(payload)
        return 0

    return ioctl


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The node of a port."""
    monkeypatch.setattr(fabric_services, "NODES", str(tmp_path))
    path = tmp_path / "fc_host3"
    path.touch()
    return path


@pytest.mark.usefixtures("node")
def test_the_answer_is_returned_as_long_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "ioctl", bsg(b"an answer"))
    assert RealFabricServices().ask("host3", QUESTION, 262156) == b"an answer"
    assert RealFabricServices().ask("host3", QUESTION, 2) == b"an"


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize(
    ("result", "error", "expected", "who"),
    [
        (-errno.EINVAL, errno.EINVAL, errno.EINVAL, "its driver"),
        (0, errno.EPERM, errno.EPERM, "the kernel"),
        (0x70000, 0, errno.EIO, "its driver"),
    ],
    ids=["by the driver", "by the kernel", "DID_ERROR"],
)
def test_a_refusal_is_an_error(
    monkeypatch: pytest.MonkeyPatch, result: int, error: int, expected: int, who: str
) -> None:
    monkeypatch.setattr(fcntl, "ioctl", bsg(b"", result, error))
    with pytest.raises(RequestError, match=f"as {who} answers") as raised:
        RealFabricServices().ask("host3", QUESTION, 64)
    assert raised.value.errno == expected


def test_a_port_without_a_node_cannot_query(node: Path) -> None:
    node.unlink()
    with pytest.raises(FileError) as missing:
        RealFabricServices().ask("host3", QUESTION, 64)
    assert missing.value.errno == errno.ENOENT
