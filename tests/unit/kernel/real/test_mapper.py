"""The bytes of device-mapper's requests and answers, against a control device in memory.

Tests on machines show that the kernel takes them; here are cases that a machine seldom has: answers
that do not fit, refusals, lists without uuids. Offsets are those of include/uapi/linux/dm-ioctl.h.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable

import pytest

from sanstone.kernel.host import MappedDevice, RequestError, Target
from sanstone.kernel.real.mapper import RealMapper

Answerer = Callable[[int, bytearray], None]
DATA = 312
FLAGS = 28


class Control:
    """The control device: keeps requests and fills in answers."""

    def __init__(self) -> None:
        self.requests: list[tuple[int, bytes]] = []
        self.answer: Answerer = lambda _number, _buffer: None

    def ioctl(self, _descriptor: int, number: int, buffer: bytearray) -> int:
        """See ioctl(2)."""
        self.requests.append((number & 0xFF, bytes(buffer)))
        self.answer(number & 0xFF, buffer)
        return 0


@pytest.fixture
def control(monkeypatch: pytest.MonkeyPatch) -> Control:
    """A control device in the place of the machine's."""
    control = Control()
    monkeypatch.setattr("sanstone.kernel.real.mapper.fcntl.ioctl", control.ioctl)
    monkeypatch.setattr("sanstone.kernel.real.mapper.os.open", lambda *_: 99)
    return control


def test_a_request_is_laid_out_as_the_kernel_reads_it(control: Control) -> None:
    RealMapper().create("name", "UUID-1")
    [(number, request)] = control.requests
    assert number == 3
    assert struct.unpack_from("=3I", request, 0) == (4, 0, 0)
    assert struct.unpack_from("=2I", request, 12) == (len(request), DATA)
    assert request[48:53] == b"name\0"
    assert request[176:183] == b"UUID-1\0"


def test_a_device_is_to_send_no_uevents(control: Control) -> None:
    RealMapper().create("name", "UUID-1")
    [(_, request)] = control.requests
    assert struct.unpack_from("=I", request, FLAGS) == (1 << 31,)


def test_a_table_is_laid_out_as_the_kernel_reads_it(control: Control) -> None:
    table = [Target(0, 8, "linear", "8:0 0"), Target(8, 16, "thin", "253:3 7")]
    RealMapper().load("name", table)
    [(number, request)] = control.requests
    assert number == 9
    assert struct.unpack_from("=I", request, 20) == (2,)
    start, length, _, following, kind = struct.unpack_from("=QQiI16s", request, DATA)
    assert (start, length, kind.rstrip(b"\0")) == (0, 8, b"linear")
    assert request[DATA + 40 : DATA + 46] == b"8:0 0\0"
    assert following % 8 == 0
    second = DATA + following
    assert struct.unpack_from("=QQ", request, second) == (8, 16)
    assert request[second + 40 : second + 48] == b"253:3 7\0"


def test_a_message_goes_to_sector_0_and_brings_its_answer(control: Control) -> None:
    def answer(_number: int, buffer: bytearray) -> None:
        struct.pack_into("=I", buffer, FLAGS, 1 << 16)
        buffer[DATA : DATA + 4] = b"yes\0"

    control.answer = answer
    assert RealMapper().message("pool", "create_thin 5") == "yes"
    [(number, request)] = control.requests
    assert number == 14
    assert request[DATA : DATA + 22] == bytes(8) + b"create_thin 5\0"


def test_resume_is_a_suspend_request_without_the_flag(control: Control) -> None:
    mapper = RealMapper()
    mapper.suspend("name")
    mapper.resume("name")
    flags = [struct.unpack_from("=I", request, FLAGS)[0] & 2 for _, request in control.requests]
    assert flags == [2, 0]


def test_a_refusal_names_the_request(control: Control) -> None:
    def refuse(_number: int, _buffer: bytearray) -> None:
        raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))

    control.answer = refuse
    with pytest.raises(RequestError, match="message create_thin 5 pool: File exists") as error:
        RealMapper().message("pool", "create_thin 5")
    assert error.value.errno == errno.EEXIST


def test_a_device_that_is_not_there_is_none(control: Control) -> None:
    def refuse(_number: int, _buffer: bytearray) -> None:
        raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))

    control.answer = refuse
    assert RealMapper().state("name") is None


def test_a_state_is_read_from_the_flags(control: Control) -> None:
    def answer(_number: int, buffer: bytearray) -> None:
        struct.pack_into("=iI", buffer, 24, 3, 1 << 1 | 1 << 5)
        struct.pack_into("=Q", buffer, 40, os.makedev(253, 300))
        buffer[48:53] = b"name\0"

    control.answer = answer
    state = RealMapper().state("name")
    assert state is not None
    assert (state.device.major, state.device.minor) == (253, 300)
    assert (state.suspended, state.live, state.open_count) == (True, True, 3)


def test_an_answer_that_does_not_fit_is_requested_again(control: Control) -> None:
    def answer(_number: int, buffer: bytearray) -> None:
        if len(buffer) < 100_000:
            struct.pack_into("=I", buffer, FLAGS, 1 << 8)
            return
        struct.pack_into("=I", buffer, 20, 1)
        struct.pack_into("=QQiI16s", buffer, DATA, 0, 8, 0, 0, b"linear")
        buffer[DATA + 40 : DATA + 46] = b"8:0 0\0"

    control.answer = answer
    assert RealMapper().table("name") == [Target(0, 8, "linear", "8:0 0")]
    assert [len(request) for _, request in control.requests] == [4096, 16384, 65536, 262144]


def test_several_targets_are_read_by_their_offsets(control: Control) -> None:
    def answer(_number: int, buffer: bytearray) -> None:
        struct.pack_into("=I", buffer, 20, 2)
        struct.pack_into("=QQiI16s", buffer, DATA, 0, 8, 0, 64, b"linear")
        buffer[DATA + 40 : DATA + 46] = b"8:0 0\0"
        struct.pack_into("=QQiI16s", buffer, DATA + 64, 8, 8, 0, 112, b"error")

    control.answer = answer
    assert RealMapper().status("name") == [
        Target(0, 8, "linear", "8:0 0"),
        Target(8, 8, "error", ""),
    ]


def entry(name: bytes, minor: int, flags: int, uuid: bytes, *, last: bool) -> bytes:
    """Return one struct dm_name_list with the bytes after its name."""
    head = struct.pack("=QI", os.makedev(253, minor), 0) + name + b"\0"
    head += bytes(-len(head) % 8)
    body = head + struct.pack("=II", 0, flags) + uuid + b"\0"
    body += bytes(-len(body) % 8)
    return body[:8] + struct.pack("=I", 0 if last else len(body)) + body[12:]


def test_a_list_is_read_with_its_uuids(control: Control) -> None:
    def answer(_number: int, buffer: bytearray) -> None:
        entries = entry(b"second", 2, 1, b"UUID-2", last=False)
        entries += entry(b"first", 1, 1, b"UUID-1", last=True)
        buffer[DATA : DATA + len(entries)] = entries

    control.answer = answer
    assert RealMapper().devices() == [
        MappedDevice("first", "UUID-1", 253, 1),
        MappedDevice("second", "UUID-2", 253, 2),
    ]
    assert len(control.requests) == 1


def test_an_old_kernels_list_is_completed_by_asking(control: Control) -> None:
    def answer(number: int, buffer: bytearray) -> None:
        if number == 2:
            entries = entry(b"first", 1, 0, b"", last=True)
            buffer[DATA : DATA + len(entries)] = entries
        else:
            buffer[48:54], buffer[176:183] = b"first\0", b"UUID-1\0"
            struct.pack_into("=Q", buffer, 40, os.makedev(253, 1))

    control.answer = answer
    assert RealMapper().devices() == [MappedDevice("first", "UUID-1", 253, 1)]


def test_an_empty_list_is_empty(control: Control) -> None:
    assert RealMapper().devices() == []
    assert len(control.requests) == 1


@pytest.mark.parametrize(("number", "there"), [(0, True), (errno.EINVAL, False)])
def test_whether_there_is_a_target(control: Control, number: int, there: bool) -> None:
    def answer(_number: int, _buffer: bytearray) -> None:
        if number:
            raise OSError(number, "")

    control.answer = answer
    assert RealMapper().has_target("sanstone-qos") is there
    [(request, _)] = control.requests
    assert request == 17


def test_a_question_for_a_target_that_fails(control: Control) -> None:
    def answer(_number: int, _buffer: bytearray) -> None:
        raise OSError(errno.EPERM, "")

    control.answer = answer
    with pytest.raises(RequestError):
        RealMapper().has_target("sanstone-qos")
