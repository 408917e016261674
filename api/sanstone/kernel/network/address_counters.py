"""Traffic counters of single addresses, by nftables.

Linux counts by network port; an address has no counters of its own. So an address is an element of
two sets, for received and for sent packets, whose elements count their look-ups (`set … { counter;
}`, nft(8)): two hash look-ups per packet, for any number of addresses.

They count IP packets, headers included, as they pass between the port and the sockets: packets that
the port has merged or will split (GRO, TSO) count as one. RDMA bypasses the sockets, passes no hook
and is not counted.

The table is ours and is created on first use. Declaring it again changes nothing, and elements keep
their counters, so that one script works for any existing state.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from ipaddress import ip_address

from sanstone.kernel.host import Host

TABLE = "sanstone_addresses"
_DECLARED = f"""\
table inet {TABLE} {{
	set received_4 {{ type ipv4_addr; counter; }}
	set received_6 {{ type ipv6_addr; counter; }}
	set sent_4 {{ type ipv4_addr; counter; }}
	set sent_6 {{ type ipv6_addr; counter; }}
	chain incoming {{ type filter hook input priority filter; }}
	chain outgoing {{ type filter hook output priority filter; }}
}}
flush chain inet {TABLE} incoming
flush chain inet {TABLE} outgoing
add rule inet {TABLE} incoming ip daddr @received_4
add rule inet {TABLE} incoming ip6 daddr @received_6
add rule inet {TABLE} outgoing ip saddr @sent_4
add rule inet {TABLE} outgoing ip6 saddr @sent_6
"""
_SET = re.compile(r"\n\tset (?P<direction>received|sent)_[46] \{(?P<content>.*?)\n\t\}", re.DOTALL)
_ELEMENT = re.compile(
    r"(?P<address>[0-9a-f.:]+) counter packets (?P<packets>\d+) bytes (?P<bytes>\d+)"
)


@dataclass(frozen=True)
class Counted:
    """Packets and bytes of one address since its counting began."""

    received: int = 0
    sent: int = 0
    received_bytes: int = 0
    sent_bytes: int = 0


def count(host: Host, addresses: Collection[str]) -> dict[str, Counted]:
    """Return the counters of each address, and count exactly these from now on.

    A new address starts at zero. Raises CommandError.
    """
    # The whole family: listing a table that does not exist would be an error.
    counted = _parse(host.commands.run(["nft", "list", "ruleset", "inet"]))
    new, removed = set(addresses) - counted.keys(), counted.keys() - set(addresses)
    if new or removed:
        lines = [*_elements("add", sorted(new)), *_elements("delete", sorted(removed))]
        host.commands.run(["nft", "--file", "-"], stdin=_DECLARED + "".join(lines))
    return {address: counted.get(address, Counted()) for address in addresses}


def _elements(verb: str, addresses: Collection[str]) -> Iterator[str]:
    for address in addresses:
        for direction in ("received", "sent"):
            name = f"{direction}_{ip_address(address).version}"
            yield f"{verb} element inet {TABLE} {name} {{ {address} }}\n"


def _parse(ruleset: str) -> dict[str, Counted]:
    """Return the counters. An address that lacks one of its two elements is left out."""
    table = ruleset.partition(f"table inet {TABLE} {{")[2].partition("\n}")[0]
    by_direction: dict[str, dict[str, tuple[int, int]]] = {"received": {}, "sent": {}}
    for each in _SET.finditer(table):
        for element in _ELEMENT.finditer(each["content"]):
            counted = int(element["packets"]), int(element["bytes"])
            by_direction[each["direction"]][str(ip_address(element["address"]))] = counted
    received, sent = by_direction["received"], by_direction["sent"]
    return {
        address: Counted(
            received[address][0], sent[address][0], received[address][1], sent[address][1]
        )
        for address in received.keys() & sent.keys()
    }
