"""Interface groups and VLANs: in the array's kernel as configured, and reached by a host."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from lab.administrator import Administrator, Record
from lab.api import Refused
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Host

PORTS, LIFS = "network/ethernet/ports", "network/ip/interfaces"
TAG, ADDRESS, HOST_ADDRESS = 1092, "10.10.9.1", "10.10.9.101"
# The number by which the array knows its own among links, addresses and routes.
MARK = "173"


def link(machine: Host, name: str) -> dict[str, Any]:
    """Return a link as `ip -details link` shows it."""
    [shown] = json.loads(machine.run(f"ip -json -details link show dev {name}"))
    return dict(shown)


def names(machine: Host) -> set[str]:
    """Return the names of all links."""
    return {each["ifname"] for each in json.loads(machine.run("ip -json link show"))}


def essence(machine: Host, name: str) -> dict[str, Any]:
    """Return the attributes of a link that stay the same from boot to boot."""
    shown = link(machine, name)
    kept = {key: shown.get(key) for key in ("address", "mtu", "group", "link", "master")}
    info = shown.get("linkinfo", {}).get("info_data")
    return kept | {"up": "UP" in shown["flags"], "info": info}


def answers(host: Host, address: str) -> bool:
    """Return whether an address answers a ping of the host."""
    return host.attempt(f"ping -c 1 -W 5 {address}").status == 0


@contextmanager
def tagged_leg(host: Host, port: str, tag: int, address: str) -> Iterator[None]:
    """Give the host a leg in a VLAN on the network of one of its ports."""
    name = f"{port}.{tag}"
    host.run(
        f"""set -e
        ip link add link {port} name {name} type vlan id {tag}
        ip address add {address}/24 dev {name}
        ip link set {name} up
        """
    )
    try:
        yield
    finally:
        host.run(f"ip link delete {name}")


@contextmanager
def lif_on(admin: Administrator, port: Record, address: str) -> Iterator[Record]:
    """Have a LIF on a port, which is deleted with it."""
    lif = admin.add_lif("tagged", port["name"], address, "default-data-iscsi")
    try:
        yield lif
    finally:
        admin.remove(LIFS, lif)
        admin.remove(PORTS, port)


@pytest.fixture
def lag(admin: Administrator) -> Iterator[Record]:
    """An interface group of one port, for large packets."""
    lag = admin.add_lag("multimode", "e0c", mtu=9000)
    yield lag
    admin.remove(PORTS, lag)


@pytest.fixture
def lif(admin: Administrator, host: Host, lag: Record) -> Iterator[Record]:
    """A LIF on a VLAN of the interface group, in which the host has a leg.

    Fixtures that log in come after this one: links that it removes must not be in use.
    """
    vlan = admin.add_vlan(lag["name"], TAG)
    with tagged_leg(host, "d1", TAG, HOST_ADDRESS), lif_on(admin, vlan, ADDRESS) as lif:
        yield lif


@pytest.mark.usefixtures("lif")
def test_the_kernel_has_the_configured_links(
    array: Array, admin: Administrator, lag: Record
) -> None:
    bond, vlan, member = (link(array, name) for name in ("a0a", f"a0a-{TAG}", "e0c"))
    assert bond["linkinfo"]["info_kind"] == "bond"
    spread = bond["linkinfo"]["info_data"]
    assert (spread["mode"], spread["xmit_hash_policy"]) == ("balance-xor", "layer2+3")
    assert (vlan["link"], vlan["linkinfo"]["info_data"]["id"]) == ("a0a", TAG)
    assert (member["master"], member["address"]) == ("a0a", bond["address"])
    assert [each["mtu"] for each in (bond, vlan, member)] == [9000] * 3
    assert [str(each["group"]) for each in (bond, vlan)] == [MARK] * 2
    assert "bond0" not in names(array)
    shown = admin.look_up(PORTS, lag)
    assert (shown["state"], shown["mac_address"]) == ("up", bond["address"])
    assert [port["name"] for port in shown["lag"]["active_ports"]] == ["e0c"]


@pytest.mark.usefixtures("lif")
def test_a_host_has_a_path_through_the_vlan(host: Host, iscsi: Iscsi, disk: str) -> None:
    eventually(lambda: answers(host, ADDRESS))
    eventually(
        lambda: (
            sorted(iscsi.paths(disk))
            == [
                ("10.10.1.101", "active ready"),
                ("10.10.2.101", "active ready"),
                (HOST_ADDRESS, "active ready"),
            ]
        )
    )


@pytest.mark.usefixtures("lif", "lun")
def test_all_of_it_survives_a_power_cut(array: Array, host: Host, iscsi: Iscsi) -> None:
    names = ("a0a", f"a0a-{TAG}", "e0c")
    before = [essence(array, name) for name in names]
    array.power_off_hard()
    array.boot()
    eventually(lambda: answers(host, ADDRESS))
    assert [essence(array, name) for name in names] == before
    assert ADDRESS in {address for address, _ in iscsi.discover(ADDRESS)}
    iscsi.log_out()


@pytest.mark.usefixtures("lif")
def test_the_members_may_be_exchanged(
    array: Array, admin: Administrator, host: Host, lag: Record
) -> None:
    address = link(array, "a0a")["address"]
    admin.change(PORTS, lag, {"lag.member_ports": [{"name": "e0d"}]})
    eventually(lambda: answers(host, ADDRESS))
    leaver, joiner = link(array, "e0c"), link(array, "e0d")
    assert (link(array, "a0a")["address"], joiner["address"]) == (address, address)
    assert ("master" in leaver, leaver["address"] == address, leaver["mtu"]) == (False, False, 1500)


@pytest.mark.parametrize("mode", ["multimode_lacp", "singlemode"])
def test_other_modes_serve_too(admin: Administrator, host: Host, mode: str) -> None:
    lag = admin.add_lag(mode, "e0c")
    vlan = admin.add_vlan(lag["name"], TAG)
    with tagged_leg(host, "d1", TAG, HOST_ADDRESS), lif_on(admin, vlan, ADDRESS):
        eventually(lambda: answers(host, ADDRESS))
    admin.remove(PORTS, lag)


def test_a_vlan_on_a_port_beside_untagged_lifs(
    array: Array, admin: Administrator, host: Host
) -> None:
    before = names(array)
    vlan = admin.add_vlan("e0b", 100)
    with tagged_leg(host, "d2", 100, "10.10.8.101"), lif_on(admin, vlan, "10.10.8.1"):
        assert link(array, "e0b-100")["link"] == "e0b"
        eventually(lambda: answers(host, "10.10.8.1"))
        eventually(lambda: answers(host, "10.10.2.1"))
    assert names(array) == before


def test_an_administrators_bond_is_left_alone(array: Array, admin: Administrator) -> None:
    array.run("ip link add bond9 type bond && ip link set bond9 up")
    before = link(array, "bond9")["ifindex"]
    array.run("systemctl restart sanstone-reconciler")
    eventually(lambda: bool(admin.api.get(PORTS, name="bond9")["records"]))
    [foreign] = admin.api.get(PORTS, name="bond9")["records"]
    with pytest.raises(Refused):
        admin.remove(PORTS, foreign)
    assert link(array, "bond9")["ifindex"] == before
    array.run("ip link delete bond9")
