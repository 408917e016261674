"""Network: plans for ports, addresses, routes and rules, and that they lead where they should."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from fakes import FakeKernel, Killed
from sanstone.kernel.host import Address, RequestError, Route, Rule, Vlan
from sanstone.kernel.network import net
from sanstone.kernel.network.net import Desired, DesiredAddress, DesiredPort, DesiredRoute, State
from sanstone.kernel.plan import apply

PORTS = (DesiredPort("e0a", True, 9000, "port:a"), DesiredPort("e0b", True, 1500, "port:b"))
ONE = DesiredAddress("e0a", "192.168.1.10", 24, 1, "lif:1")
TWO = DesiredAddress("e0b", "192.168.1.11", 24, 1, "lif:2")
THREE = DesiredAddress("e0b", "192.168.1.12", 24, 2, "lif:3")
SIX = DesiredAddress("e0b", "fd00:0::1", 64, 2, "lif:4")
DEFAULT = DesiredRoute(1, "0.0.0.0/0", "192.168.1.1", 20, "route:1")
DEFAULT_SIX = DesiredRoute(2, "::/0", "fd00::99", 20, "route:2")
DESIRED = Desired(PORTS, (ONE, TWO, THREE, SIX), (DEFAULT, DEFAULT_SIX))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with the Ethernet ports of an array."""
    return FakeKernel(disks=0)


def converge(kernel: FakeKernel, desired: Desired) -> State:
    """Plan and apply, and return the state, which must need nothing more."""
    failures = apply(kernel.host, net.plan(net.read(kernel.host), desired))
    assert not failures
    state = net.read(kernel.host)
    assert net.plan(state, desired) == []
    return state


def ours(state: State) -> set[tuple[str, str]]:
    """Return link and address of the addresses with our mark."""
    return {(address.link, address.address) for address in state.addresses if address.ours}


def test_everything_wanted_comes_to_be(kernel: FakeKernel) -> None:
    state = converge(kernel, DESIRED)
    assert ours(state) == {
        ("e0a", "192.168.1.10"),
        ("e0b", "192.168.1.11"),
        ("e0b", "192.168.1.12"),
        ("e0b", "fd00::1"),
    }
    ports = {link.name: (link.up, link.mtu) for link in state.links}
    assert ports["e0a"] == (True, 9000)
    assert ports["e0c"] == (False, 1500)


def test_an_answer_leaves_by_the_port_of_its_own_address(kernel: FakeKernel) -> None:
    state = converge(kernel, DESIRED)
    index = {link.name: link.index for link in state.links}
    for address, link in (("192.168.1.10", "e0a"), ("192.168.1.11", "e0b")):
        [number] = [rule.table for rule in state.rules if rule.source == address]
        assert number == net.table(1, index[link])
        in_table = {(r.destination, r.gateway, r.link) for r in state.routes if r.table == number}
        assert in_table == {
            ("192.168.1.0/24", "", link),
            ("0.0.0.0/0", "192.168.1.1", link),
        }


def test_svms_do_not_see_each_others_routes(kernel: FakeKernel) -> None:
    state = converge(kernel, DESIRED)
    [number] = [rule.table for rule in state.rules if rule.source == "192.168.1.12"]
    assert "0.0.0.0/0" not in {r.destination for r in state.routes if r.table == number}


def test_the_arrays_own_packets_go_by_its_own_routes(kernel: FakeKernel) -> None:
    management = DesiredAddress("e0M", "192.0.2.10", 24, net.ARRAY, "lif:m")
    way_out = DesiredRoute(net.ARRAY, "0.0.0.0/0", "192.0.2.1", 20, "route:m")
    desired = replace(DESIRED, addresses=(*DESIRED.addresses, management))
    desired = replace(desired, routes=(*DESIRED.routes, way_out))
    state = converge(kernel, desired)
    main = [route for route in state.routes if route.table == net.MAIN]
    assert main == [Route(net.MAIN, "0.0.0.0/0", "192.0.2.1", "e0M", net.DHCP_METRIC + 20)]
    state = converge(kernel, replace(desired, routes=DESIRED.routes))
    assert not [route for route in state.routes if route.table == net.MAIN]


def test_the_main_table_has_one_route_for_each_destination_and_metric(kernel: FakeKernel) -> None:
    addresses = (
        DesiredAddress("e0M", "192.0.2.10", 24, net.ARRAY, "lif:m"),
        DesiredAddress("e0a", "198.51.100.10", 24, net.ARRAY, "lif:n"),
    )
    routes = (
        DesiredRoute(net.ARRAY, "0.0.0.0/0", "192.0.2.1", 20, "route:m"),
        DesiredRoute(net.ARRAY, "0.0.0.0/0", "198.51.100.1", 20, "route:n"),
        DesiredRoute(net.ARRAY, "0.0.0.0/0", "198.51.100.2", 30, "route:o"),
        DesiredRoute(net.ARRAY, "10.0.0.0/8", "192.0.2.1", net.HIGHEST_METRIC, "route:p"),
    )
    state = converge(kernel, Desired(PORTS, addresses, routes))
    main = [route for route in state.routes if route.table == net.MAIN]
    assert {(route.gateway, route.link, route.metric) for route in main} == {
        ("192.0.2.1", "e0M", net.DHCP_METRIC + 20),
        ("198.51.100.2", "e0a", net.DHCP_METRIC + 30),
        ("192.0.2.1", "e0M", net.HIGHEST_METRIC),
    }


def test_foreign_settings_stay(kernel: FakeKernel) -> None:
    converge(kernel, DESIRED)
    state = converge(kernel, Desired())
    assert [a.address for a in state.addresses] == ["10.0.2.15"]
    assert (state.routes, state.rules) == ((), ())


def test_a_lif_moves_to_another_port(kernel: FakeKernel) -> None:
    converge(kernel, DESIRED)
    moved = replace(DESIRED, addresses=(replace(ONE, link="e0b"), TWO, THREE, SIX))
    state = converge(kernel, moved)
    assert ("e0b", "192.168.1.10") in ours(state)
    assert ("e0a", "192.168.1.10") not in ours(state)
    assert not [route for route in state.routes if route.link == "e0a"]


def test_a_changed_prefix_replaces_the_address(kernel: FakeKernel) -> None:
    converge(kernel, DESIRED)
    wider = replace(DESIRED, addresses=(replace(ONE, prefix_length=16),), routes=())
    state = converge(kernel, wider)
    [address] = [a for a in state.addresses if a.ours]
    assert address.prefix_length == 16


def test_a_missing_port_holds_up_its_own_addresses_only(kernel: FakeKernel) -> None:
    kernel.remove_link("e0a")
    state = net.read(kernel.host)
    reasons = {owner: str(why) for owner, why in net.waiting(state, DESIRED).items()}
    assert reasons == {
        "port:a": "port e0a is not there",
        "lif:1": "port e0a is not there",
    }
    assert ("e0b", "192.168.1.11") in ours(converge(kernel, DESIRED))
    kernel.add_link("e0a")
    state = converge(kernel, DESIRED)
    assert ("e0a", "192.168.1.10") in ours(state)
    assert net.waiting(state, DESIRED) == {}


def test_nobody_waits_for_a_port_without_an_owner(kernel: FakeKernel) -> None:
    kernel.remove_link("e0a")
    desired = Desired((DesiredPort("e0a", True, 1500, ""),))
    assert net.waiting(net.read(kernel.host), desired) == {}


def test_settings_go_from_the_bottom_up(kernel: FakeKernel) -> None:
    kernel.network.make_vlan("e0a-7", Vlan("e0a", 7))
    vlan = DesiredPort("e0a-7", True, 9000, "port:v", "e0a")
    state = converge(kernel, Desired((PORTS[0], vlan)))
    assert {link.mtu for link in state.links if link.name.startswith("e0a")} == {9000}
    smaller = (replace(PORTS[0], mtu=1500), replace(vlan, mtu=1500))
    converge(kernel, Desired(smaller))


def test_a_vlan_waits_for_the_settings_of_its_port(kernel: FakeKernel) -> None:
    kernel.network.make_vlan("e0a-7", Vlan("e0a", 7))
    refusal = RequestError("set link e0a", errno.EBUSY)
    kernel.fail_when(lambda step: step.startswith("set link e0a "), refusal)
    desired = Desired((PORTS[0], DesiredPort("e0a-7", True, 9000, "port:v", "e0a")))
    failures = apply(kernel.host, net.plan(net.read(kernel.host), desired))
    assert [(f.step.owner, f.skipped) for f in failures] == [("port:a", False), ("port:v", True)]


def test_a_foreign_bond_with_the_name_of_a_port_keeps_its_settings(kernel: FakeKernel) -> None:
    kernel.network.add_foreign_bond("a0a", "e0d")
    desired = Desired((DesiredPort("a0a", False, 9000, "port:a0a"),))
    assert net.plan(net.read(kernel.host), desired) == []


def test_a_gateway_that_no_lif_reaches_is_reported(kernel: FakeKernel) -> None:
    unreachable = DesiredRoute(1, "10.0.0.0/8", "172.16.0.1", 20, "route:9")
    desired = replace(DESIRED, routes=(unreachable,))
    state = converge(kernel, desired)
    reason = str(net.waiting(state, desired)["route:9"])
    assert reason == "no LIF is in the network of gateway 172.16.0.1"


def test_a_port_that_went_down_and_up_gets_everything_back(kernel: FakeKernel) -> None:
    before = converge(kernel, DESIRED)
    kernel.network.set_link("e0b", up=False)
    after = converge(kernel, DESIRED)
    assert set(after.routes) == set(before.routes)
    assert ours(after) == ours(before)


def test_no_route_leads_out_of_a_port_that_is_off(kernel: FakeKernel) -> None:
    before = converge(kernel, DESIRED)
    off = replace(DESIRED, ports=(PORTS[0], replace(PORTS[1], up=False)))
    # An IPv6 address goes with its port, and is put back.
    assert not apply(kernel.host, net.plan(net.read(kernel.host), off))
    state = converge(kernel, off)
    assert {route.link for route in state.routes if route.table > net.MAIN} == {"e0a"}
    assert ours(state) == ours(before)
    assert net.waiting(state, DESIRED) == {}
    assert set(converge(kernel, DESIRED).routes) == set(before.routes)


def test_an_address_that_somebody_else_put_there_counts(kernel: FakeKernel) -> None:
    management = DesiredAddress("e0M", "10.0.2.15", 24, 0, "lif:m")
    state = converge(kernel, Desired((), (management,), ()))
    assert Address("e0M", "10.0.2.15", 24, ours=False) in state.addresses
    assert [rule.source for rule in state.rules] == ["10.0.2.15"]


def test_a_removal_of_what_is_gone_already_is_done(kernel: FakeKernel) -> None:
    state = converge(kernel, DESIRED)
    steps = net.plan(state, Desired())
    kernel.remove_link("e0b")
    assert apply(kernel.host, steps) == []


def test_a_refused_address_does_not_stop_the_others(kernel: FakeKernel) -> None:
    steps = net.plan(net.read(kernel.host), DESIRED)
    kernel.network.add_address("e0a", "192.168.1.10", 24)
    failures = apply(kernel.host, steps)
    assert [failure.step.owner for failure in failures] == ["lif:1"]
    assert len(ours(net.read(kernel.host))) == 4


def test_every_step_names_its_action_and_owner(kernel: FakeKernel) -> None:
    steps = {step.text: step.owner for step in net.plan(net.read(kernel.host), DESIRED)}
    assert steps["set port e0a up with MTU 9000"] == "port:a"
    assert steps["add address 192.168.1.10/24 on e0a"] == "lif:1"
    assert steps["add route to 0.0.0.0/0 through 192.168.1.1 on e0a in table 20002"] == "route:1"
    assert steps["add rule: packets from fd00::1 by table 30003"] == "lif:4"


def test_an_interrupted_plan_is_finished() -> None:
    expected = converge(FakeKernel(disks=0), DESIRED)
    steps = len(net.plan(net.read(FakeKernel(disks=0).host), DESIRED))
    for step in range(1, steps + 1):
        kernel = FakeKernel(disks=0)
        kernel.kill_after(step, done=True)
        with pytest.raises(Killed):
            apply(kernel.host, net.plan(net.read(kernel.host), DESIRED))
        assert converge(kernel, DESIRED) == expected


def test_equal_routes_of_two_lifs_are_one(kernel: FakeKernel) -> None:
    twin = replace(ONE, address="192.168.1.20", owner="lif:9")
    state = converge(kernel, Desired(PORTS, (ONE, twin), ()))
    [route] = state.routes
    assert route == Route(20002, "192.168.1.0/24", "", "e0a", net.ON_LINK_METRIC)
    assert set(state.rules) == {Rule("192.168.1.10", 20002), Rule("192.168.1.20", 20002)}
