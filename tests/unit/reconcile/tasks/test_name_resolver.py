"""Names of trap hosts: looked up now and then, and kept where nobody answers."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from simulator import Simulator

from sanstone.core import places
from sanstone.kernel.web import destination
from sanstone.kernel.web.destination import require_elsewhere
from sanstone.reconcile.tasks.name_resolver import AGAIN, PERIOD, NameResolver, NamesMemory

HOSTS = "support/snmp/traphosts"
# As imported: it is off for other tests, whose servers are on this machine.
REQUIRED = require_elsewhere


def test_traps_go_to_the_addresses_of_a_hosts_name(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: dict[str, list[str]] = {}

    def look_up(name: str, _port: int, **_options: Any) -> list[Any]:
        if name not in addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(0, 0, 0, "", (address, 0)) for address in addresses[name]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    array.do("POST", HOSTS, {"host": "traps.example.org"})
    array.do("PATCH", "support/snmp", {"enabled": True})
    resolver = NameResolver(array.reconciler.memory.of(NamesMemory))

    def turn_at(now: float) -> tuple[str | None, bool]:
        resolver.resolve(now)
        array.settle()
        settings = array.kernel.files.read(str(places.snmp_settings()))
        address = array.get(f"{HOSTS}/traps.example.org").get("ip_address")
        return address, address is not None and f"trap2sink udp:{address}:162 public" in settings

    assert turn_at(0.0) == (None, False)
    [event] = array.get("support/ems/events?message.name=snmp.traphost.unknown&fields=*")["records"]
    assert "Name or service not known" in event["log_message"]
    addresses["traps.example.org"] = ["192.0.2.1"]
    assert turn_at(AGAIN - 1) == (None, False)
    assert turn_at(AGAIN) == ("192.0.2.1", True)
    addresses["traps.example.org"] = ["192.0.2.2", "192.0.2.1"]
    assert turn_at(AGAIN + PERIOD) == ("192.0.2.1", True)
    del addresses["traps.example.org"]
    assert turn_at(AGAIN + 2 * PERIOD) == ("192.0.2.1", True)


def test_a_name_of_the_array_itself_gets_no_traps(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    leads_to = ["192.0.2.1"]

    def look_up(_name: str, _port: int, **_options: Any) -> list[Any]:
        return [(socket.AF_INET, 0, 0, "", (leads_to[0], 162))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(destination, "require_elsewhere", REQUIRED)
    array.do("POST", HOSTS, {"host": "traps.example.org"})
    array.do("PATCH", "support/snmp", {"enabled": True})
    resolver = NameResolver(array.reconciler.memory.of(NamesMemory))
    for now, address, trap_address in (
        (0.0, "192.0.2.1", "192.0.2.1"),
        (PERIOD, "127.0.0.1", None),
    ):
        leads_to[0] = address
        resolver.resolve(now)
        array.settle()
        assert array.get(f"{HOSTS}/traps.example.org").get("ip_address") == trap_address
    [event] = array.get("support/ems/events?message.name=snmp.traphost.unknown&fields=*")["records"]
    assert "127.0.0.1 is an address to which the array does not connect" in event["log_message"]
