"""The verdict of nftables' rules on a packet, for expressions of our tables (nft(8), EXPRESSIONS).

A rule is a row of comparisons and, if all of them hold, perhaps a verdict; else the next rule
counts. A field that a packet does not have, as one of IPv6 an IPv4 address, equals nothing and
differs from nothing: the rule does not hold; nor does one about more packets in a time than a
limit, since here they come one by one. A rule that is written in any other way is an error.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from ipaddress import ip_address

Packet = Mapping[str, str]
"""The fields of a packet, by their names in rules."""

_FIELDS = r"iifname|ip6? [sd]addr|tcp [sd]port|udp [sd]port|meta l4proto|tcp flags & \(syn \| ack\)"
_COMPARISON = re.compile(
    rf"(?P<fields>(?:{_FIELDS})(?: \. (?:{_FIELDS}))*) (?:(?P<operator>!=|==|>) )?"
    r"(?P<value>\{ [^}]* \}|\S+) ?"
)
_LIMIT = re.compile(r"update @\w+ \{ [^}]* limit rate over [^}]*\} ")
_VERDICT = re.compile(r'(?P<verdict>accept|drop|reject with tcp reset)?(?: ?comment "[^"]*")?')


def first_packet(link: str, address: str, port: int, protocol: str) -> Packet:
    """Return the packet that opens a TCP connection, or a datagram."""
    family = "ip" if ip_address(address).version == 4 else "ip6"
    packet = {
        "iifname": f'"{link}"',
        f"{family} daddr": address,
        "meta l4proto": protocol,
        f"{protocol} dport": str(port),
    }
    return packet | {"tcp flags & (syn | ack)": "syn"} if protocol == "tcp" else packet


def passes(rules: Sequence[str], packet: Packet, sets: Mapping[str, Collection[str]]) -> bool:
    """Return whether a chain lets a packet through; its policy is to accept."""
    for rule in rules:
        verdict = _verdict(rule, packet, sets)
        if verdict:
            return verdict == "accept"
    return True


def _verdict(rule: str, packet: Packet, sets: Mapping[str, Collection[str]]) -> str:
    """Return a rule's verdict, '' for none."""
    place, holds = 0, True
    while match := _COMPARISON.match(rule, place):
        place = match.end()
        holds = holds and _holds(match, packet, sets)
    if limit := _LIMIT.match(rule, place):
        place, holds = limit.end(), False
    end = _VERDICT.fullmatch(rule, place)
    assert end, f"the fake cannot read the rule {rule!r}"
    return end["verdict"] or "" if holds else ""


def _holds(match: re.Match[str], packet: Packet, sets: Mapping[str, Collection[str]]) -> bool:
    fields = match["fields"].split(" . ")
    if any(field not in packet for field in fields):
        return False
    actual, value = " . ".join(packet[field] for field in fields), match["value"]
    if match["operator"] == ">":
        return int(actual) > int(value)
    if value.startswith("@"):
        among = actual in sets[value.removeprefix("@")]
    else:
        among = actual in value.strip("{ }").split(", ")
    return among != (match["operator"] == "!=")
