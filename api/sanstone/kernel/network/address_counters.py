"""What comes to and goes from single addresses, as nftables counts it.

Linux counts by network port; an address has no counters of its own. So it is an element of two
sets, of what is received and what is sent, whose elements count what is looked up in them (`set …
{ counter; }`, nft(8)): two look-ups in a hash for a packet, however many addresses there are.

Counted are IP packets, headers included, as they pass between the port and the sockets: those that
the port has merged or will split (GRO, TSO) count as one. What bypasses the sockets, RDMA, passes
no hook and is not counted.

The table is ours and is made at the first use. Declaring it again changes nothing, elements keep
their counters, so that one script serves whatever is there already.
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
    """Packets and bytes of one address since it is counted."""

    received: int = 0
    sent: int = 0
    received_bytes: int = 0
    sent_bytes: int = 0


def count(host: Host, addresses: Collection[str]) -> dict[str, Counted]:
    """Return what was counted of each address, and count exactly these from now on.

    An address that is new begins with nothing. Raises CommandError.
    """
    # The whole family: asking for a table that is not there would be an error.
    found = _parse(host.commands.run(["nft", "list", "ruleset", "inet"]))
    new, gone = set(addresses) - found.keys(), found.keys() - set(addresses)
    if new or gone:
        lines = [*_elements("add", sorted(new)), *_elements("delete", sorted(gone))]
        host.commands.run(["nft", "--file", "-"], stdin=_DECLARED + "".join(lines))
    return {address: found.get(address, Counted()) for address in addresses}


def _elements(verb: str, addresses: Collection[str]) -> Iterator[str]:
    for address in addresses:
        for direction in ("received", "sent"):
            name = f"{direction}_{ip_address(address).version}"
            yield f"{verb} element inet {TABLE} {name} {{ {address} }}\n"


def _parse(ruleset: str) -> dict[str, Counted]:
    """Return what is counted. An address that lacks one of its two elements is left out."""
    table = ruleset.partition(f"table inet {TABLE} {{")[2].partition("\n}")[0]
    found: dict[str, dict[str, tuple[int, int]]] = {"received": {}, "sent": {}}
    for each in _SET.finditer(table):
        for element in _ELEMENT.finditer(each["content"]):
            counted = int(element["packets"]), int(element["bytes"])
            found[each["direction"]][str(ip_address(element["address"]))] = counted
    received, sent = found["received"], found["sent"]
    return {
        address: Counted(
            received[address][0], sent[address][0], received[address][1], sent[address][1]
        )
        for address in received.keys() & sent.keys()
    }
