"""Links: plans for bonds and VLANs; foreign links are left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fakes import FakeKernel, Killed
from sanstone.kernel.host import Bond, Link, RequestError, Vlan
from sanstone.kernel.network import links
from sanstone.kernel.network.links import DesiredLink
from sanstone.kernel.plan import apply

LACP, SPREAD = Bond("802.3ad", "layer2+3"), Bond("balance-xor", "layer2+3")
MAC = "02:12:34:56:78:9a"
LAG = DesiredLink("a0a", LACP, "port:a0a", MAC, ("e0c", "e0d"))
ON_LAG = DesiredLink("a0a-1092", Vlan("a0a", 1092), "port:a0a-1092")
ON_PORT = DesiredLink("e0a-7", Vlan("e0a", 7), "port:e0a-7")
ALL = (LAG, ON_LAG, ON_PORT)
Links = dict[str, Link]


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with the Ethernet ports of an array, all switched on."""
    kernel = FakeKernel(disks=0)
    for name in ("e0a", "e0b", "e0c", "e0d"):
        kernel.network.set_link(name, up=True)
    return kernel


def converge(kernel: FakeKernel, *desired: DesiredLink) -> Links:
    """Plan and apply, and return the links, which must need nothing more."""
    assert apply(kernel.host, links.plan(kernel.network.links(), desired)) == []
    present = kernel.network.links()
    assert links.plan(present, desired) == []
    return {link.name: link for link in present}


def test_all_desired_links_are_created(kernel: FakeKernel) -> None:
    by_name = converge(kernel, *ALL)
    assert {by_name[name].master for name in ("e0c", "e0d")} == {"a0a"}
    assert (by_name["a0a"].composition, by_name["a0a"].mac_address) == (LACP, MAC)
    assert by_name["a0a-1092"].composition == Vlan("a0a", 1092)
    assert all(by_name[link.name].ours for link in ALL)


def test_undesired_links_are_removed(kernel: FakeKernel) -> None:
    before = {link.name for link in kernel.network.links()}
    converge(kernel, *ALL)
    by_name = converge(kernel)
    assert by_name.keys() == before
    assert {link.master for link in by_name.values()} == {""}


def test_members_come_and_go(kernel: FakeKernel) -> None:
    converge(kernel, *ALL)
    by_name = converge(kernel, replace(LAG, members=("e0a", "e0b")), ON_LAG)
    assert {name for name, link in by_name.items() if link.master} == {"e0a", "e0b"}
    assert by_name["a0a"].mac_address == MAC


def test_a_bond_that_was_empty_has_its_address_back_before_the_next_port_comes(
    kernel: FakeKernel,
) -> None:
    converge(kernel, LAG)
    apply(kernel.host, links.plan(kernel.network.links(), [replace(LAG, members=())]))
    assert {link.name: link.mac_address for link in kernel.network.links()}["a0a"] != MAC
    by_name = converge(kernel, LAG)
    assert (by_name["a0a"].mac_address, by_name["e0c"].mac_address) == (MAC, MAC)


def test_a_member_changes_over_to_another_bond(kernel: FakeKernel) -> None:
    converge(kernel, *ALL)
    other = DesiredLink("a0b", SPREAD, "port:a0b", MAC, ("e0d",))
    by_name = converge(kernel, replace(LAG, members=("e0c",)), other)
    assert (by_name["e0c"].master, by_name["e0d"].master) == ("a0a", "a0b")


def test_another_policy_leaves_the_bond_alone(kernel: FakeKernel) -> None:
    index = converge(kernel, *ALL)["a0a"].index
    policy = Bond(LACP.mode, "layer3+4")
    by_name = converge(kernel, replace(LAG, composition=policy), ON_LAG, ON_PORT)
    assert (by_name["a0a"].composition, by_name["a0a"].index) == (policy, index)


@pytest.mark.parametrize(
    "other",
    [replace(LAG, composition=SPREAD), replace(LAG, composition=Vlan("e0b", 4), members=())],
)
def test_an_unchangeable_link_is_recreated(kernel: FakeKernel, other: DesiredLink) -> None:
    index = converge(kernel, *ALL)["a0a"].index
    desired = (other, ON_PORT) if isinstance(other.composition, Vlan) else (other, ON_LAG, ON_PORT)
    by_name = converge(kernel, *desired)
    assert (by_name["a0a"].composition, by_name["a0a"].index != index) == (other.composition, True)
    assert {by_name[name].master for name in ("e0c", "e0d")} == {"a0a" if other.members else ""}


def waiting(by_name: dict[str, Link]) -> dict[str, str]:
    """Return, by owner, why a link is missing."""
    return {owner: str(why) for owner, why in links.waiting(tuple(by_name.values()), ALL).items()}


def test_a_late_member_is_missed_by_its_own_bond_alone(kernel: FakeKernel) -> None:
    kernel.remove_link("e0d")
    by_name = converge(kernel, *ALL)
    assert by_name["e0c"].master == "a0a"
    assert waiting(by_name) == {"port:a0a": "port e0d is not there"}
    kernel.add_link("e0d")
    by_name = converge(kernel, *ALL)
    assert by_name["e0d"].master == "a0a"
    assert waiting(by_name) == {}


def test_a_vlan_waits_for_the_port_below(kernel: FakeKernel) -> None:
    kernel.remove_link("e0a")
    by_name = converge(kernel, *ALL)
    assert "e0a-7" not in by_name
    assert waiting(by_name) == {"port:e0a-7": "port e0a is not there, or not the array's"}


def test_a_foreign_bond_is_left_alone(kernel: FakeKernel) -> None:
    kernel.network.add_foreign_bond("bond0", "e0d")
    foreign = {link.name: link for link in kernel.network.links()}
    by_name = converge(kernel, *ALL)
    assert (by_name["bond0"], by_name["e0d"]) == (foreign["bond0"], foreign["e0d"])
    text = "port e0d is in bond0, which the array did not make"
    assert waiting(by_name) == {"port:a0a": text}


def test_a_foreign_link_stands_in_the_way(kernel: FakeKernel) -> None:
    kernel.network.add_foreign_bond("a0a", "e0b")
    foreign = {link.name: link for link in kernel.network.links()}
    by_name = converge(kernel, *ALL)
    assert (by_name["a0a"], by_name["e0c"].master) == (foreign["a0a"], "")
    assert "a0a-1092" not in by_name
    assert waiting(by_name) == {
        "port:a0a": "there is a link a0a that the array did not make",
        "port:a0a-1092": "port a0a is not there, or not the array's",
    }


def test_a_refused_bond_holds_up_what_is_on_it_and_no_more(kernel: FakeKernel) -> None:
    refusal = RequestError("make bond a0a", 95)
    kernel.fail_when(lambda step: step == "make bond a0a", refusal)
    failures = apply(kernel.host, links.plan(kernel.network.links(), ALL))
    assert [f.step.owner for f in failures] == ["port:a0a", "port:a0a", "port:a0a", ON_LAG.owner]
    assert "e0a-7" in {link.name for link in kernel.network.links()}


def test_every_step_names_its_action_and_owner(kernel: FakeKernel) -> None:
    steps = {step.text: step.owner for step in links.plan(kernel.network.links(), ALL)}
    assert steps == {
        "make bond a0a (802.3ad)": "port:a0a",
        "put port e0c into a0a": "port:a0a",
        "put port e0d into a0a": "port:a0a",
        "make VLAN a0a-1092": "port:a0a-1092",
        "make VLAN e0a-7": "port:e0a-7",
    }


@pytest.mark.parametrize("begin", [lambda k: None, lambda k: converge(k, LAG, ON_LAG)])
def test_an_interrupted_plan_is_finished(begin: Callable[[FakeKernel], object]) -> None:
    desired = (replace(LAG, composition=SPREAD, members=("e0b", "e0c")), ON_LAG, ON_PORT)
    for step in range(1, 30):
        kernel = FakeKernel(disks=0)
        begin(kernel)
        kernel.kill_after(step, done=True)
        try:
            apply(kernel.host, links.plan(kernel.network.links(), desired))
        except Killed:
            kernel.interrupt.clear()
        else:
            assert step > len(ALL)
            return
        by_name = converge(kernel, *desired)
        assert {name for name, link in by_name.items() if link.master} == {"e0b", "e0c"}
    raise AssertionError("the plan has no end")
