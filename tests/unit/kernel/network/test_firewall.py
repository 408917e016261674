"""The table of the firewall: read as nft prints it, replaced as a whole, written to the log."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from fakes import FakeKernel
from fakes.files import Text
from sanstone.kernel.host import CommandError, HostError
from sanstone.kernel.network import firewall
from sanstone.kernel.network.firewall import Opening, Table
from sanstone.kernel.plan import apply

FILE = (Path(__file__).parents[4] / f"overlay{firewall.FILE}").read_text()
PRINTED = Path(__file__).with_name("firewall.txt").read_text(encoding="utf-8")
"""The output of nft 1.0.6 once DESIRED is in effect, beside a foreign table."""
ISCSI, NVME = Opening("e0a", "10.1.1.1", 3260), Opening("a0a-1092", "10.1.1.2", 4420)
WEB, ROCE = Opening("e0b", "fd00::1", 443), Opening("e0a", "10.1.1.1", 4791, "udp")
DESIRED = Table(
    frozenset({ISCSI, NVME, WEB, ROCE}),
    frozenset({"10.1.1.1", "10.1.1.2", "fd00::1"}),
    frozenset({"e0a", "a0a-1092"}),
    frozenset({161}),
)


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine as it boots, before anything is known of LIFs."""
    kernel = FakeKernel(disks=0)
    kernel.files.place(firewall.FILE, Text(FILE))
    kernel.host.commands.run(["nft", "--file", "-"], stdin=FILE)
    return kernel


def make(kernel: FakeKernel, desired: Table) -> None:
    """Have a table."""
    failures = apply(kernel.host, firewall.plan(firewall.read(kernel.host), desired, "lifs:"))
    assert failures == []
    assert firewall.read(kernel.host) == desired


def test_the_output_of_nft_is_parsed(kernel: FakeKernel) -> None:
    kernel.commands.register("nft", lambda _argv, _stdin: PRINTED)
    assert firewall.read(kernel.host) == DESIRED
    assert firewall.plan(DESIRED, DESIRED, "lifs:") == []


@pytest.mark.parametrize("port", [22, 443])
def test_before_anything_is_known_management_is_on_its_port_alone(
    kernel: FakeKernel, port: int
) -> None:
    takes = kernel.nftables.takes
    for address in ("10.0.2.15", "fe80::1", "2001:db8::7"):
        assert takes("e0M", address, port)
        assert not takes("e0a", address, port)
        assert not takes("e0M1", address, port)
    for closed in (3260, 4420, 8009, 80, 111):
        assert not takes("e0M", "10.0.2.15", closed)


def test_connections_are_taken_where_they_are_wanted(kernel: FakeKernel) -> None:
    make(kernel, DESIRED)
    takes = kernel.nftables.takes
    assert takes("e0a", "10.1.1.1", 3260)
    assert takes("a0a-1092", "10.1.1.2", 4420)
    assert takes("e0b", "fd00::1", 443)
    for link, address, port in (
        ("e0b", "10.1.1.1", 3260),
        ("e0a", "10.1.1.1", 443),
        ("e0a", "10.1.1.1", 4420),
        ("e0b", "fd00::1", 22),
        ("e0a", "10.0.2.15", 443),
        ("e0M", "10.1.1.1", 443),
        ("e0M", "fd00::1", 443),
    ):
        assert not takes(link, address, port), (link, address, port)
    assert takes("e0M", "10.0.2.15", 443)


def test_datagrams_are_taken_where_they_are_wanted(kernel: FakeKernel) -> None:
    make(kernel, DESIRED)
    takes = kernel.nftables.takes
    assert takes("e0a", "10.1.1.1", 4791, "udp")
    assert not takes("e0a", "10.1.1.1", 4791)
    assert not takes("e0b", "10.1.1.1", 4791, "udp")
    assert not takes("e0b", "fd00::1", 4791, "udp")
    assert not takes("e0a", "10.1.1.1", 3260, "udp")


def test_a_change_is_one_script_and_logged(kernel: FakeKernel) -> None:
    make(kernel, DESIRED)
    before = len(kernel.interrupt.log)
    [step] = firewall.plan(DESIRED, Table(frozenset({ISCSI}), frozenset({"10.1.1.1"})), "lifs:")
    assert step.text == (
        'firewall: close "a0a-1092" . 10.1.1.2 . 4420; '
        'close "e0a" . 10.1.1.1 . 4791 (UDP); close "e0b" . fd00::1 . 443'
        "; multicast DNS on: []; management by UDP at: []"
    )
    assert apply(kernel.host, [step]) == []
    assert len(kernel.interrupt.log) == before + 1
    assert not kernel.nftables.takes("e0b", "fd00::1", 443)


@pytest.mark.parametrize(
    "damage",
    [
        "flush chain inet sanstone_firewall arriving",
        "add rule inet sanstone_firewall arriving accept",
        "delete table inet sanstone_firewall",
        'delete element inet sanstone_firewall served_4 { "e0a" . 10.1.1.1 . 3260 }',
        "add element inet sanstone_firewall lifs_4 { 10.0.2.15 }",
        'add element inet sanstone_firewall announced { "e0b" }',
    ],
)
def test_foreign_changes_of_the_table_are_undone(kernel: FakeKernel, damage: str) -> None:
    make(kernel, DESIRED)
    kernel.host.commands.run(["nft", "--file", "-"], stdin=f"{damage}\n")
    assert firewall.read(kernel.host) != DESIRED
    make(kernel, DESIRED)
    assert kernel.nftables.takes("e0a", "10.1.1.1", 3260)
    assert not kernel.nftables.takes("e0a", "10.1.1.1", 443)


def test_tables_of_others_are_left_alone(kernel: FakeKernel) -> None:
    kernel.host.commands.run(["nft", "--file", "-"], stdin="table inet others {\n}\n")
    make(kernel, DESIRED)
    assert "table inet others {" in kernel.nftables.dump()


@pytest.mark.parametrize(
    ("link", "address", "port"),
    [
        ('e0a" }; flush ruleset; #', "10.1.1.1", 3260),
        ("e0*", "10.1.1.1", 3260),
        ("", "10.1.1.1", 3260),
        ("e0a\n", "10.1.1.1", 3260),
        ("e0a4567890123456", "10.1.1.1", 3260),
        ("e0a", "fd00::1%} ; flush ruleset", 3260),
        ("e0a", "10.1.1.1 . 22", 3260),
        ("e0a", "10.1.1.0/24", 3260),
        ("e0a", "FD00::1", 3260),
        ("e0a", "", 3260),
        ("e0a", "10.1.1.1", 0),
        ("e0a", "10.1.1.1", 65536),
    ],
)
def test_an_element_with_more_than_a_place_is_refused(link: str, address: str, port: int) -> None:
    with pytest.raises(HostError):
        Opening(link, address, port)


def test_an_address_or_a_link_that_is_more_is_refused() -> None:
    with pytest.raises(HostError):
        Table(lifs=frozenset({"10.1.1.1 }; flush ruleset"}))
    with pytest.raises(HostError):
        Table(announced=frozenset({'e0a" }; flush ruleset; #'}))


def test_multicast_dns_is_open_on_its_links_and_its_group_alone(
    kernel: FakeKernel,
) -> None:
    make(kernel, DESIRED)
    hears = partial(kernel.nftables.takes, protocol="udp")
    assert hears("e0a", "224.0.0.251", 5353)
    assert hears("a0a-1092", "ff02::fb", 5353)
    for link, address, port in (
        ("e0b", "224.0.0.251", 5353),
        ("e0M", "224.0.0.251", 5353),
        ("e0a", "10.1.1.1", 5353),
        ("e0a", "224.0.0.251", 5355),
    ):
        assert not hears(link, address, port), (link, address, port)


def test_a_refusal_is_an_error_and_changes_nothing(kernel: FakeKernel) -> None:
    make(kernel, Table(frozenset({ISCSI})))
    kernel.fail_when(lambda step: step.startswith("nft"), CommandError(["nft"], 1, "no"))
    [failure] = apply(kernel.host, firewall.plan(firewall.read(kernel.host), DESIRED, "lifs:"))
    assert (failure.step.owner, "no" in str(failure)) == ("lifs:", True)
    assert firewall.read(kernel.host) == Table(frozenset({ISCSI}))
