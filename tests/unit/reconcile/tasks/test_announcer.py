"""The announcer: a socket on each link, which follows the file and the links."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from fakes import FakeKernel
from fakes.files import Text
from sanstone.kernel.network import multicast_dns as dns
from sanstone.reconcile import announcement
from sanstone.reconcile.announcement import Announcement
from sanstone.reconcile.tasks import announcer
from sanstone.reconcile.tasks.announcer import Announcer, records

ONE = Announcement(
    link="e0a",
    address="10.10.1.2",
    prefix_length=24,
    interface_uuid="00000042-0000-4000-8000-000000000042",
    interface_name="lif1",
    type="_nvme-disc._tcp",
    port=8009,
    text=("p=tcp", "nqn=n"),
)
OTHER = replace(ONE, link="e0b", address="10.10.2.2", interface_uuid="43", interface_name="lif2")
QUERY = bytes.fromhex("000700000001000000000000") + b"\x0a_nvme-disc\x04_tcp\x05local\0\0\x0c\0\1"


class Wire:
    """The sockets of a test: the datagrams that each sends and receives."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, int, bytes]] = []
        """Source, receiver ('' for all), port and message."""
        self.open: dict[str, FakeSocket] = {}
        self.refuses: set[str] = set()
        """Sources without sockets: opening one fails."""


class FakeSocket:
    """A socket, whose messages lie in a pipe."""

    def __init__(self, wire: Wire, link: str, index: int, source: str) -> None:
        if source in wire.refuses:
            raise OSError(98, "Address already in use")
        self.wire, self.source, self.place = wire, source, (link, index)
        self.ear, self.mouth = os.pipe()
        self.came: list[tuple[bytes, str, int]] = []
        wire.open[source] = self

    def bring(self, message: bytes, address: str, port: int) -> None:
        """Have a message come."""
        self.came.append((message, address, port))
        os.write(self.mouth, b".")

    def fileno(self) -> int:
        return self.ear

    def receive(self) -> tuple[bytes, str, int]:
        os.read(self.ear, 1)
        return self.came.pop(0)

    def send(self, message: bytes, address: str = "", port: int = 5353) -> None:
        self.wire.sent.append((self.source, address, port, message))

    def close(self) -> None:
        os.close(self.ear)
        os.close(self.mouth)
        del self.wire.open[self.source]


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """The announcer's sockets."""
    fake = Wire()
    monkeypatch.setattr(announcer, "MulticastSocket", lambda *place: FakeSocket(fake, *place))
    return fake


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeKernel:
    """A machine with two links."""
    monkeypatch.setenv("SANSTONE_RUN", "/run/sanstone")
    kernel = FakeKernel(disks=0)
    for number, link in ((3, "e0a"), (4, "e0b")):
        kernel.files.place(f"/sys/class/net/{link}/ifindex", Text(f"{number}\n"))
    return kernel


def run(kernel: FakeKernel, *looks: Callable[[], list[Announcement]]) -> None:
    """Run the announcer; before each look at the file its content is that of the next function.

    Its clock goes on by a look's period with each of them, so that nothing is waited for.
    """
    place = announcement.path()
    waiting = [*looks, list]

    class Files:
        def read(self, path: str) -> str:
            if path == place:
                text = announcement.to_text(waiting.pop(0)())
                kernel.files.place(place, Text(text))
                if not text:
                    kernel.files.unlink(place)
            return kernel.files.read(path)

    ticks = itertools.count()
    with patch.object(time, "monotonic", lambda: next(ticks) * 0.3):
        Announcer(Files()).run()  # type: ignore[arg-type]


def multicasts(wire: Wire, source: str) -> list[bytes]:
    """Return the multicast datagrams from an address."""
    return [message for sender, to, _, message in wire.sent if (sender, to) == (source, "")]


def test_each_link_announces_its_own_lifs(kernel: FakeKernel, wire: Wire) -> None:
    places = {}

    def look() -> list[Announcement]:
        places.update({source: each.place for source, each in wire.open.items()})
        return [ONE, OTHER]

    run(kernel, look, look)
    assert places == {"10.10.1.2": ("e0a", 3), "10.10.2.2": ("e0b", 4)}
    for source, own, foreign in (("10.10.1.2", ONE, OTHER), ("10.10.2.2", OTHER, ONE)):
        datagrams = b"".join(multicasts(wire, source))
        assert own.interface_uuid.encode() in datagrams
        assert foreign.interface_name.encode() not in datagrams
    assert wire.open == {}


def test_removed_lifs_are_withdrawn(kernel: FakeKernel, wire: Wire) -> None:
    run(kernel, lambda: [ONE, OTHER], lambda: [ONE])
    [*_, last] = multicasts(wire, "10.10.2.2")
    [farewell] = dns.answers([replace(record, ttl=0) for record in records([OTHER])])
    assert last == farewell


def test_a_question_is_answered_and_a_stranger_alone(kernel: FakeKernel, wire: Wire) -> None:
    def ask() -> list[Announcement]:
        wire.sent.clear()
        wire.open["10.10.1.2"].bring(QUERY, "10.10.1.101", 40001)
        wire.open["10.10.1.2"].bring(QUERY, "192.0.2.7", 40002)
        wire.open["10.10.1.2"].bring(b"rubbish", "10.10.1.101", 5353)
        return [ONE]

    run(kernel, lambda: [ONE], ask, lambda: [ONE])
    alone = [(address, port) for _, address, port, _ in wire.sent if address]
    assert alone == [("10.10.1.101", 40001)], "and nobody beyond the link"

    def ask_all() -> list[Announcement]:
        wire.sent.clear()
        wire.open["10.10.1.2"].bring(QUERY, "10.10.1.101", 5353)
        return [ONE]

    look: Callable[[], list[Announcement]] = lambda: [ONE]  # noqa: E731
    run(kernel, look, look, look, look, ask_all, look)
    [answer, _farewell] = multicasts(wire, "10.10.1.2")
    assert answer.startswith(bytes.fromhex("000084000000000100000003"))


def test_both_versions_of_ip_have_a_socket(kernel: FakeKernel, wire: Wire) -> None:
    six = replace(ONE, address="fd00::2", interface_uuid="44", prefix_length=64)
    more = replace(ONE, address="10.10.1.3", interface_uuid="45")
    run(kernel, lambda: [ONE, more, six])
    assert {source for source, *_ in wire.sent} == {"10.10.1.2", "fd00::2"}
    assert b"".join(multicasts(wire, "fd00::2")) == b"".join(multicasts(wire, "10.10.1.2"))


def test_a_link_may_come_late_go_and_come_anew(kernel: FakeKernel, wire: Wire) -> None:
    index = "/sys/class/net/e0c/ifindex"
    late = replace(ONE, link="e0c")
    places = []

    def come(number: int) -> list[Announcement]:
        places.append([each.place for each in wire.open.values()])
        kernel.files.place(index, Text(f"{number}\n"))
        return [late]

    def go() -> list[Announcement]:
        places.append([each.place for each in wire.open.values()])
        kernel.files.unlink(index)
        return [late]

    run(kernel, lambda: [late], lambda: come(7), lambda: come(9), go, lambda: come(9))
    assert places == [[], [("e0c", 7)], [("e0c", 9)], []]


def test_a_socket_that_cannot_open_is_logged_once_and_tried_again(
    kernel: FakeKernel, wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    wire.refuses.add("10.10.1.2")

    def allow() -> list[Announcement]:
        wire.refuses.clear()
        return [ONE]

    run(kernel, lambda: [ONE, OTHER], lambda: [ONE], allow)
    warnings = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(warnings) == 1
    assert "e0a" in warnings[0]
    assert multicasts(wire, "10.10.1.2")


def test_a_long_name_is_cut_and_stays_unique(kernel: FakeKernel) -> None:
    first = replace(ONE, interface_name="ü" * 60)
    other = replace(first, interface_uuid=f"{ONE.interface_uuid[:-1]}3")
    instances = {each.target[0] for each in records([first, other]) if each.type == dns.PTR}
    assert len(instances) == 3
    assert max(map(len, instances)) <= 63
