"""Packet counters by address: the output of `nft` is read, and only differences are written."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fakes import FakeKernel
from sanstone.kernel.host import CommandError
from sanstone.kernel.network.address_counters import Counted, count

PRINTED = """\
table inet sanstone {
	set received_4 {
		type ipv4_addr
		counter
		elements = { 10.9.9.9 counter packets 1 bytes 2 }
	}
}
table inet sanstone_addresses {
	set received_4 {
		type ipv4_addr
		counter
		elements = { 10.1.1.1 counter packets 20 bytes 2840, 10.1.1.2 counter packets 0 bytes 0,
			10.1.1.3 counter packets 1 bytes 60 }
	}

	set received_6 {
		type ipv6_addr
		counter
		elements = { fd00::1 counter packets 12 bytes 2064 }
	}

	set sent_4 {
		type ipv4_addr
		counter
		elements = { 10.1.1.1 counter packets 7 bytes 420, 10.1.1.2 counter packets 0 bytes 0,
			10.1.1.3 counter packets 2 bytes 120 }
	}

	set sent_6 {
		type ipv6_addr
		counter
		elements = { fd00::1 counter packets 3 bytes 300 }
	}

	chain incoming {
		type filter hook input priority filter; policy accept;
		ip daddr @received_4
		ip6 daddr @received_6
	}
}
"""
"""As nft 1.0.6 prints it, with a table of somebody else before ours."""


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine that counts nothing yet."""
    return FakeKernel()


def test_the_output_of_nft_is_parsed(kernel: FakeKernel) -> None:
    commands = []

    def nft(argv: Sequence[str], _stdin: str) -> str:
        commands.append(list(argv))
        return PRINTED

    kernel.commands.register("nft", nft)
    addresses = ["10.1.1.1", "10.1.1.2", "10.1.1.3", "fd00::1"]
    assert count(kernel.host, addresses) == {
        "10.1.1.1": Counted(20, 7, 2840, 420),
        "10.1.1.2": Counted(),
        "10.1.1.3": Counted(1, 2, 60, 120),
        "fd00::1": Counted(12, 3, 2064, 300),
    }
    assert commands == [["nft", "list", "ruleset", "inet"]]


def test_an_address_begins_with_nothing_and_keeps_its_counters(kernel: FakeKernel) -> None:
    assert count(kernel.host, ["10.1.1.1"]) == {"10.1.1.1": Counted()}
    kernel.nftables.pass_packets("received", "10.1.1.1", 3, 300)
    assert count(kernel.host, ["10.1.1.1", "fd00::1"]) == {
        "10.1.1.1": Counted(received=3, received_bytes=300),
        "fd00::1": Counted(),
    }


def test_an_address_that_is_gone_is_counted_no_more(kernel: FakeKernel) -> None:
    count(kernel.host, ["10.1.1.1", "10.1.1.2"])
    kernel.nftables.pass_packets("sent", "10.1.1.1", 3, 300)
    count(kernel.host, ["10.1.1.2"])
    assert count(kernel.host, ["10.1.1.1"]) == {"10.1.1.1": Counted()}


def test_nothing_to_count_makes_no_table(kernel: FakeKernel) -> None:
    count(kernel.host, [])
    assert not [call for call in kernel.commands.calls if "--file" in call]


def test_a_refusal_is_an_error(kernel: FakeKernel) -> None:
    kernel.fail_when(lambda step: step.startswith("nft"), CommandError(["nft"], 1, "no"))
    with pytest.raises(CommandError):
        count(kernel.host, ["10.1.1.1"])
