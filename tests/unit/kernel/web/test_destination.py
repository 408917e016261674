"""To which addresses the array connects where a user says so."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from sanstone.kernel.web import destination
from sanstone.kernel.web.destination import Forbidden, require_elsewhere, require_permitted

DATAGRAMS = socket.SOCK_DGRAM
# As imported: other tests' servers are on this machine, and the rules are off for them.
ALL, PERMITTED = require_elsewhere, require_permitted


@pytest.fixture
def ruled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(destination, "require_elsewhere", ALL)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "0.0.0.0", "169.254.169.254", "224.0.0.251", "255.255.255.255"),
        *("::1", "::", "fe80::1", "fe80::1%lo", "ff02::fb", "::ffff:127.0.0.1"),
        *("::ffff:169.254.169.254", "2130706433", "0x7f.1", "localhost"),
    ],
)
@pytest.mark.usefixtures("ruled")
def test_neither_this_machine_nor_what_is_link_local(address: str) -> None:
    with pytest.raises(Forbidden, match="does not connect"):
        destination.resolved(address, 80, DATAGRAMS)


@pytest.mark.parametrize("address", ["192.0.2.1", "10.0.0.1", "2001:db8::1", "64:ff9b::c000:201"])
@pytest.mark.usefixtures("ruled")
def test_other_machines(address: str) -> None:
    [(_, place)] = destination.resolved(address, 80, DATAGRAMS)
    assert place[:2] == (address, 80)


@pytest.mark.usefixtures("ruled")
def test_one_forbidden_address_forbids_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_arguments: Any, **_more: Any) -> Any:
        return [
            (socket.AF_INET, DATAGRAMS, 17, "", (address, 80))
            for address in ("192.0.2.1", "127.0.0.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(Forbidden):
        destination.resolved("two-faced.example.org", 80, DATAGRAMS)


def test_a_machines_own_address_is_recognized_by_its_source_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As loopback is, which alone each machine has."""
    monkeypatch.setattr(destination, "FORBIDDEN", ())
    with pytest.raises(Forbidden, match="the array's own"):
        ALL(socket.AF_INET, ("127.0.0.1", 80))


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "0x7f000001", "2130706433", "169.254.169.254", "0.0.0.0", "::1"),
        *("::ffff:127.0.0.1", "fe80::1", "ff02::1", "224.0.0.1", "255.255.255.255"),
        *("localhost", "LocalHost.", "a.localhost"),
    ],
)
def test_forbidden_hosts_are_refused(host: str) -> None:
    with pytest.raises(Forbidden, match="does not connect"):
        PERMITTED(host)


@pytest.mark.parametrize(
    "host", ["10.0.0.1", "192.168.7.7", "fd00::7", "ntp.example.org", "localhost.example.org", ""]
)
def test_other_hosts_are_permitted(host: str) -> None:
    PERMITTED(host)


def test_a_check_of_a_name_sends_no_dns_query(monkeypatch: pytest.MonkeyPatch) -> None:
    flags: list[Any] = []
    original = socket.getaddrinfo

    def resolve(*arguments: Any, **more: Any) -> Any:
        flags.append(more.get("flags"))
        return original(*arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    PERMITTED("ntp.example.org")
    assert flags == [socket.AI_NUMERICHOST]


def test_a_connection_comes_from_the_address_that_is_given() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        destination.connect("127.0.0.1", server.getsockname()[1], 60, "127.0.0.2") as connection,
    ):
        assert connection.getsockname()[0] == "127.0.0.2"


def test_malformed_host_names_are_refused() -> None:
    with pytest.raises(OSError, match="no name of a host"):
        destination.resolved("a" * 64 + ".example.org", 80, DATAGRAMS)
