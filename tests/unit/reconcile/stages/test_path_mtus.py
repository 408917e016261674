"""The MTU of paths to hosts: its value in the API, and the alert about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from iscsi_sessions import log_in, log_out
from scenarios import san
from simulator import Simulator, simulated

PATHS, HOSTS, EVENTS = "protocols/san/paths", "protocols/san/hosts", "support/ems/events"
PORTS = "network/ethernet/ports"
ADDRESS = "10.10.1.200"


def set_mtu(array: Simulator, mtu: int) -> None:
    """Set the MTU of the first LIF's port."""
    [port] = array.get(f"{PORTS}?name=e0a")["records"]
    array.do("PATCH", f"{PORTS}/{port['uuid']}", {"mtu": mtu})


def path(array: Simulator) -> dict[str, Any]:
    """Return the path at the first LIF."""
    [record] = array.get(f"{PATHS}?interface.name=lif1&fields=**")["records"]
    return dict(record)


def active(array: Simulator) -> list[str]:
    """Return the messages of the active events about MTUs."""
    events = array.get(f"{EVENTS}?message.name=path.mtu&active=true&fields=log_message")
    return [event["log_message"] for event in events["records"]]


def serve_large(array: Simulator) -> None:
    """Let a host be logged in at a port with a large MTU."""
    san(array)
    set_mtu(array, 9000)
    log_in(array)


@pytest.fixture
def large(tmp_path: Path) -> Iterator[Simulator]:
    """An array at which a host is logged in so."""
    with simulated(tmp_path, serve_large) as array:
        yield array


def test_a_path_that_carries_the_mtu_raises_no_event(large: Simulator) -> None:
    large.kernel.network.hosts[ADDRESS] = 9000
    large.probe_paths()
    record = path(large)
    assert (record["mtu"], record["interface"]["mtu"]) == (9000, 9000)
    assert record["message"] == 'The host is logged in at LIF "lif1".'
    assert active(large) == []


@pytest.mark.parametrize(("path_mtu", "mtu"), [(8999, 1500), (1500, 1500), (1400, 576)])
def test_a_path_that_drops_large_packets_is_an_event_until_it_carries_them(
    large: Simulator, path_mtu: int, mtu: int
) -> None:
    large.kernel.network.hosts[ADDRESS] = path_mtu
    large.probe_paths()
    assert path(large)["mtu"] == mtu
    assert "Packets of 9000 bytes" in path(large)["message"]
    [message] = active(large)
    beginning = 'Jumbo frames do not pass between LIF "lif1" (10.10.1.1) and web1 (10.10.1.200)'
    assert message.startswith(beginning)
    assert f"those of {mtu} do" in message
    [host] = large.get(f"{HOSTS}?fields=paths")["records"]
    assert host["paths"]["narrow"] == 1
    large.start()
    large.settle()
    assert active(large) == [message], "it lasts over a start, before any probe"
    large.kernel.network.hosts[ADDRESS] = 9000
    large.probe_paths()
    assert path(large)["mtu"] == 9000
    assert active(large) == []


def test_a_host_that_answers_nothing_is_not_known(large: Simulator) -> None:
    large.probe_paths()
    assert path(large).get("mtu") is None
    assert path(large)["message"] == 'The host is logged in at LIF "lif1".'
    assert active(large) == []


def test_a_standard_mtu_needs_no_probes(array: Simulator) -> None:
    san(array)
    log_in(array)
    array.probe_paths()
    assert array.kernel.network.echoes == []
    assert path(array).get("mtu") is None


def test_an_mtu_that_is_lowered_ends_it(large: Simulator) -> None:
    large.kernel.network.hosts[ADDRESS] = 1500
    large.probe_paths()
    assert active(large)
    set_mtu(large, 1500)
    large.probe_paths()
    assert active(large) == []
    assert "mtu" not in path(large)["interface"]


def test_a_gone_host_is_lost_and_not_narrow(large: Simulator) -> None:
    large.kernel.network.hosts[ADDRESS] = 1500
    large.probe_paths()
    log_out(large)
    large.probe_paths()
    assert active(large) == []
    assert path(large).get("mtu") is None
