"""To which addresses the array connects where a user says so."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from sanstone.kernel.web import destination
from sanstone.kernel.web.destination import Forbidden, require_elsewhere

DATAGRAMS = socket.SOCK_DGRAM
# As imported: other tests' servers are on this machine, and the rule is off for them.
ALL = require_elsewhere


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
def test_one_address_that_is_forbidden_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_given: Any, **_more: Any) -> Any:
        return [
            (socket.AF_INET, DATAGRAMS, 17, "", (address, 80))
            for address in ("192.0.2.1", "127.0.0.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with pytest.raises(Forbidden):
        destination.resolved("two-faced.example.org", 80, DATAGRAMS)


def test_an_address_of_the_machine_is_told_by_the_sender_that_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As loopback is, which alone each machine has."""
    monkeypatch.setattr(destination, "FORBIDDEN", ())
    with pytest.raises(Forbidden, match="the array's own"):
        ALL(socket.AF_INET, ("127.0.0.1", 80))


def test_what_is_no_name_of_a_host() -> None:
    with pytest.raises(OSError, match="no name of a host"):
        destination.resolved("a" * 64 + ".example.org", 80, DATAGRAMS)
