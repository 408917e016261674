"""Device-mapper of this machine, by ioctl on /dev/mapper/control.

The interface is include/uapi/linux/dm-ioctl.h: each request and each answer is a `struct dm_ioctl`
of 312 bytes followed by its payload, in one buffer. Spawning dmsetup instead takes 10 to 26 times
as long, which decides how fast thousands of LUNs come back at boot.

Traps:

* An answer that does not fit sets DM_BUFFER_FULL_FLAG. The request is then repeated with a larger
  buffer, if it changes nothing.
* A resume installs the table that was loaded before, and suspends the device by itself where it
  was live (drivers/md/dm-ioctl.c, do_resume): at no moment would a death leave it suspended.
* `next` in a target counts from itself when a table is loaded, and from the first target when one
  is read.
* A device is created with DM_NO_UEVENT_FLAG, which the product's patch adds: udev and the service
  manager would work at its three events, and find nothing to do. A kernel without the patch ignores
  the flag and sends them (`validate_params` and `dev_create` look at no unknown one). The node is
  devtmpfs's, which comes with the device (`device_add` in drivers/base/core.c).
* No udev cookie is passed: device nodes of ours do not depend on udev.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.kernel.host import MappedDevice, MappedState, RequestError, Target

CONTROL = "/dev/mapper/control"

_HEADER = struct.Struct("=3IIIIiIIIQ128s129s7x")
"""version[3] data_size data_start target_count open_count flags event_nr padding dev name uuid."""
_TARGET = struct.Struct("=QQiI16s")
"""struct dm_target_spec: sector_start length status next target_type."""
_NAME = struct.Struct("=QI")
"""struct dm_name_list up to its name: dev next."""

_REQUESTS = {
    "list": 2,
    "create": 3,
    "remove": 4,
    "suspend": 6,
    "load": 9,
    "status": 12,
    "message": 14,
    "target": 17,
}
_SUSPEND, _STATUS_TABLE, _ACTIVE_PRESENT = 1 << 1, 1 << 4, 1 << 5
_BUFFER_FULL, _SKIP_LOCKFS, _NO_FLUSH, _DATA_OUT = 1 << 8, 1 << 10, 1 << 11, 1 << 16
_QUERY_INACTIVE, _NO_UEVENT = 1 << 12, 1 << 31
_LIST_HAS_UUID = 1 << 0

_ROOM = 4096
_ROOM_OF_LIST = 256 * 1024
_MOST_ROOM = 64 * 1024 * 1024


@dataclass(frozen=True)
class _Answer:
    device: MappedDevice
    flags: int
    target_count: int
    open_count: int
    payload: bytes


class RealMapper:
    """`host.Mapper` of this machine. The control device is opened at the first request."""

    def __init__(self) -> None:
        self._control: int | None = None

    def devices(self) -> list[MappedDevice]:
        """Return every device by name; uuids since Linux 5.13, else one more request for each."""
        payload = self._ask("list", room=_ROOM_OF_LIST).payload
        listed: list[MappedDevice] = []
        at = 0
        while len(payload) > at + _NAME.size:
            number, following = _NAME.unpack_from(payload, at)
            if not number:
                break
            name = _text(payload, at + _NAME.size)
            extra = (at + _NAME.size + len(name.encode()) + 1 + 7) // 8 * 8
            _, flags = struct.unpack_from("=II", payload, extra)
            if flags & _LIST_HAS_UUID:
                uuid = _text(payload, extra + 8)
                listed.append(MappedDevice(name, uuid, os.major(number), os.minor(number)))
            elif state := self.state(name):
                listed.append(state.device)
            if not following:
                break
            at += following
        return sorted(listed, key=lambda device: device.name)

    def state(self, name: str) -> MappedState | None:
        """Return the state of one device, None when there is none (ENXIO).

        The request for the table tells the rest with it: thousands of devices are verified all the
        time, so each request counts.
        """
        try:
            answer = self._ask("status", name, flags=_STATUS_TABLE)
        except RequestError as error:
            if error.errno == errno.ENXIO:
                return None
            raise
        return MappedState(
            answer.device,
            suspended=bool(answer.flags & _SUSPEND),
            live=bool(answer.flags & _ACTIVE_PRESENT),
            open_count=answer.open_count,
            table=tuple(_targets(answer)),
        )

    def create(self, name: str, uuid: str) -> MappedDevice:
        """Make a device without a table. EBUSY when the name or the uuid is taken."""
        return self._ask("create", name, uuid=uuid, flags=_NO_UEVENT).device

    def remove(self, name: str) -> None:
        """Remove a device. EBUSY while it is open, ENXIO when there is none."""
        self._ask("remove", name)

    def load(self, name: str, table: Sequence[Target]) -> None:
        """Load a table, which a resume then installs."""
        payload = b""
        for target in table:
            parameters = target.arguments.encode() + b"\0"
            parameters += bytes(-len(parameters) % 8)
            following = _TARGET.size + len(parameters)
            payload += _TARGET.pack(target.start, target.length, 0, following, target.kind.encode())
            payload += parameters
        self._ask("load", name, payload=payload, targets=len(table))

    def suspend(self, name: str, *, flush: bool = True) -> None:
        """Stop a device's I/O; with `flush` I/O under way completes first."""
        flags = _SUSPEND | _SKIP_LOCKFS | (0 if flush else _NO_FLUSH)
        self._ask("suspend", name, flags=flags)

    def resume(self, name: str) -> None:
        """Install a loaded table, if any, and let I/O run."""
        self._ask("suspend", name, flags=_SKIP_LOCKFS)

    def message(self, name: str, message: str) -> str:
        """Send a message to the target at sector 0 and return its answer, mostly ''."""
        payload = struct.pack("=Q", 0) + message.encode() + b"\0"
        answer = self._ask("message", name, payload=payload, subject=message)
        return _text(answer.payload) if answer.flags & _DATA_OUT else ""

    def table(self, name: str) -> list[Target]:
        """Return the live table, empty when there is none."""
        return _targets(self._ask("status", name, flags=_STATUS_TABLE))

    def status(self, name: str, *, loaded: bool = False) -> list[Target]:
        """Return the status of each target; with `loaded`, of the table that waits."""
        flags = _NO_FLUSH | (_QUERY_INACTIVE if loaded else 0)
        return _targets(self._ask("status", name, flags=flags))

    def has_target(self, kind: str) -> bool:
        """Return whether there are targets of a kind; its module is loaded (get_target_version)."""
        try:
            self._ask("target", kind)
        except RequestError as error:
            if error.errno == errno.EINVAL:
                return False
            raise
        return True

    def _ask(
        self,
        request: str,
        name: str = "",
        *,
        uuid: str = "",
        payload: bytes = b"",
        targets: int = 0,
        flags: int = 0,
        subject: str = "",
        room: int = _ROOM,
    ) -> _Answer:
        """Do one request; `subject` stands in errors beside the device's name.

        `room` is for the answer, in bytes; the request is repeated with more where that is too
        small.
        """
        room = max(room, _HEADER.size + len(payload))
        number = 3 << 30 | _HEADER.size << 16 | 0xFD << 8 | _REQUESTS[request]
        while True:
            buffer = bytearray(room)
            _HEADER.pack_into(
                buffer, 0, 4, 0, 0, room, _HEADER.size, targets, 0, flags, 0, 0, 0,
                name.encode(), uuid.encode(),
            )  # fmt: skip
            buffer[_HEADER.size : _HEADER.size + len(payload)] = payload
            try:
                fcntl.ioctl(self._open(), number, buffer)
            except OSError as error:
                what = f"device-mapper {request} {subject} {name}"
                raise RequestError(" ".join(what.split()), error.errno or 0) from error
            answer = _answer(buffer)
            if not answer.flags & _BUFFER_FULL or payload or room >= _MOST_ROOM:
                return answer
            room *= 4

    def _open(self) -> int:
        if self._control is None:
            self._control = os.open(CONTROL, os.O_RDWR | os.O_CLOEXEC)
        return self._control


def _answer(buffer: bytearray) -> _Answer:
    (_, _, _, size, start, targets, opened, flags, _, _, number, name, uuid) = _HEADER.unpack_from(
        buffer
    )
    device = MappedDevice(_text(name), _text(uuid), os.major(number), os.minor(number))
    return _Answer(device, flags, targets, opened, bytes(buffer[start:size]))


def _targets(answer: _Answer) -> list[Target]:
    """Return the targets that an answer about a table or a status contains."""
    targets: list[Target] = []
    at = 0
    for _ in range(answer.target_count):
        start, length, _, following, kind = _TARGET.unpack_from(answer.payload, at)
        arguments = _text(answer.payload, at + _TARGET.size)
        targets.append(Target(start, length, _text(kind), arguments.strip()))
        at = following
    return targets


def _text(raw: bytes, at: int = 0) -> str:
    end = raw.find(b"\0", at)
    return raw[at : end if end >= 0 else len(raw)].decode()
