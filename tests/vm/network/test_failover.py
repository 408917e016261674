"""A LIF leaves a port that lost its link, hosts reach it at the other one, and it goes home again.

The link is lost at an interface group when its last port is taken out. The array's kernel reports
that as it reports a pulled cable, on any kind of machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from lab.administrator import Administrator, Record
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Host

PORTS, LIFS, EVENTS = "network/ethernet/ports", "network/ip/interfaces", "support/ems/events"
ADDRESS = "10.10.1.9"


def answers(host: Host) -> bool:
    """Return whether the LIF answers a ping of the host."""
    return host.attempt(f"ping -c 1 -W 5 {ADDRESS}").status == 0


def known_by(host: Host) -> str:
    """Return the MAC address by which the host knows the LIF's, '' for none."""
    neighbours = json.loads(host.run(f"ip -json neighbour show {ADDRESS}") or "[]")
    return next((entry.get("lladdr", "") for entry in neighbours), "")


def mac_address(array: Array, name: str) -> str:
    """Return the MAC address of a port."""
    [shown] = json.loads(array.run(f"ip -json link show dev {name}"))
    return str(shown["address"])


def place(admin: Administrator, lif: Record) -> tuple[str, bool]:
    """Return the port where the LIF is, and whether that is its home."""
    location: dict[str, Any] = admin.look_up(LIFS, lif)["location"]
    return location["port"]["name"], location["is_home"]


def messages(admin: Administrator) -> list[str]:
    """Return the active events about it."""
    query = {"message.name": "lif.away", "active": "true", "fields": "log_message"}
    return [event["log_message"] for event in admin.api.get(EVENTS, **query)["records"]]


@pytest.fixture
def lag(admin: Administrator) -> Iterator[Record]:
    """An interface group of one port, on the network of e0a."""
    lag = admin.add_lag("multimode", "e0c")
    yield lag
    admin.remove(PORTS, lag)


@pytest.fixture
def lif(admin: Administrator, lag: Record) -> Iterator[Record]:
    """A LIF at home on it, which may leave it."""
    lif = admin.add_lif("mobile", lag["name"], ADDRESS, "default-data-iscsi")
    admin.change(LIFS, lif, {"location.failover": "broadcast_domain_only"})
    yield lif
    admin.remove(LIFS, lif)


@pytest.mark.usefixtures("lif", "lun")
def test_a_lif_leaves_a_dead_port_and_comes_home(
    array: Array, admin: Administrator, host: Host, iscsi: Iscsi, lag: Record, lif: Record
) -> None:
    eventually(lambda: answers(host))
    assert known_by(host) == mac_address(array, lag["name"])
    admin.change(PORTS, lag, {"lag.member_ports": []})
    eventually(lambda: place(admin, lif) == ("e0a", False))
    eventually(lambda: known_by(host) == mac_address(array, "e0a"))
    assert answers(host)
    assert ADDRESS in {address for address, _ in iscsi.discover(ADDRESS)}
    iscsi.log_out()
    assert messages(admin) == [
        f'LIF "mobile" is at port e0a, away from its home port {lag["name"]}, which had no link.'
    ]
    array.power_off_hard()
    array.boot()
    eventually(lambda: answers(host))
    assert place(admin, lif) == ("e0a", False)
    admin.change(PORTS, lag, {"lag.member_ports": [{"name": "e0c"}]})
    eventually(lambda: place(admin, lif) == (lag["name"], True))
    eventually(lambda: known_by(host) == mac_address(array, lag["name"]))
    assert answers(host)
    eventually(lambda: messages(admin) == [])


def test_a_lif_is_moved_and_brought_back(
    array: Array, admin: Administrator, host: Host, lag: Record, lif: Record
) -> None:
    eventually(lambda: answers(host))
    admin.change(LIFS, lif, {"location.port.name": "e0a"})
    eventually(lambda: known_by(host) == mac_address(array, "e0a"))
    assert answers(host)
    admin.change(LIFS, lif, {"location.is_home": True})
    eventually(lambda: known_by(host) == mac_address(array, lag["name"]))
    assert answers(host)
