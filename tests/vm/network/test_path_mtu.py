"""The array measures a host's path MTU when it logs in, and raises an event if it is too small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lab.administrator import Administrator
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Host

PORTS, PATHS, EVENTS = "network/ethernet/ports", "protocols/san/paths", "support/ems/events"
LARGE = 9000


@pytest.fixture
def large(admin: Administrator) -> Iterator[None]:
    """A large MTU at the port of the LIFs in the first network."""
    [port] = admin.api.get(PORTS, name="e0a")["records"]
    admin.change(PORTS, port, {"mtu": LARGE})
    yield
    admin.change(PORTS, port, {"mtu": 1500})


def mtus(admin: Administrator) -> dict[str, Any]:
    """Return how large packets pass to the host, by LIF."""
    paths = admin.api.get(PATHS, state="connected", fields="interface.name,mtu")["records"]
    return {path["interface"]["name"]: path.get("mtu") for path in paths}


def is_measured(admin: Administrator, lif: str) -> bool:
    """Return whether the path MTU to the host is measured at a LIF, or no echo was answered."""
    query = {"state": "connected", "interface.name": lif, "fields": "interface.mtu"}
    return any("mtu" in path["interface"] for path in admin.api.get(PATHS, **query)["records"])


def messages(admin: Administrator) -> list[str]:
    """Return the active events about it."""
    query = {"message.name": "path.mtu", "active": "true", "fields": "log_message"}
    return [event["log_message"] for event in admin.api.get(EVENTS, **query)["records"]]


def log_in(iscsi: Iscsi) -> None:
    """Log the host in at both LIFs."""
    iscsi.discover("10.10.1.1")
    iscsi.log_in()


@pytest.mark.usefixtures("large", "lun")
def test_an_event_lasts_while_a_host_takes_no_large_packets(
    admin: Administrator, host: Host, iscsi: Iscsi
) -> None:
    log_in(iscsi)
    eventually(lambda: mtus(admin) == {"iscsi_1": 1500, "iscsi_2": None})
    [message] = messages(admin)
    assert 'between LIF "iscsi_1" (10.10.1.1) and ' in message
    assert "(10.10.1.101): packets of 9000 bytes" in message
    iscsi.log_out()
    eventually(lambda: messages(admin) == [])
    host.run(f"ip link set d1 mtu {LARGE}")
    log_in(iscsi)
    eventually(lambda: mtus(admin) == {"iscsi_1": LARGE, "iscsi_2": None})
    assert messages(admin) == []
    iscsi.log_out()
    host.run("ip link set d1 mtu 1500")
    eventually(lambda: mtus(admin) == {})


@pytest.mark.usefixtures("large", "lun")
def test_a_host_that_answers_no_echo_raises_no_event(
    admin: Administrator, host: Host, iscsi: Iscsi
) -> None:
    host.run("echo 1 > /proc/sys/net/ipv4/icmp_echo_ignore_all")
    log_in(iscsi)
    # After echoes of all sizes were lost, the array shows the port's MTU, and none of the path.
    eventually(lambda: is_measured(admin, "iscsi_1"))
    assert mtus(admin).keys() == {"iscsi_1", "iscsi_2"}
    assert set(mtus(admin).values()) == {None}
    assert messages(admin) == []
    iscsi.log_out()
    host.run("echo 0 > /proc/sys/net/ipv4/icmp_echo_ignore_all")
