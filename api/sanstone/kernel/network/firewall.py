"""The array's firewall: nftables' table `sanstone_firewall`.

The rules are in a file of the system image, `FILE`, which documents them; it is loaded before the
network is up, so that ports are closed without us. Only elements of its sets change:

* `served_4` and `served_6`: a port, an address and a TCP port that accepts connections;
* `datagrams_4` and `datagrams_6`: the same for a UDP port;
* `own_datagrams`: UDP ports that the management port's own addresses serve;
* `lifs_4` and `lifs_6`: addresses of LIFs. All other addresses of the management port are its own,
  which serve management;
* `announced`: links on which questions of multicast DNS are taken.

The file's other sets are filled by packets, and are ignored here.

The table is replaced as a whole, rules and elements, by one transaction of nft's: a packet meets
the old one or the new one, and any foreign change is repaired. Open connections are not checked
again, except those to management.

Traps:

* An element becomes a line of nft's language, so it is checked once more here: an IPv6 address may
  carry a zone of any characters (`fd00::1%…`, RFC 4007, 11.2), and a port a name that nft would
  parse as more than one word.
* nft's ways to print a rule differ from version to version, its comment does not. A table is
  considered intact when its chain has the comments of the file, in order, and no rule without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal

from sanstone.kernel.host import Host, HostError
from sanstone.kernel.plan import Step

FILE = "/usr/share/sanstone/firewall.nft"
TABLE = "sanstone_firewall"
Protocol = Literal["tcp", "udp"]
SETS: Mapping[str, Protocol] = {"served": "tcp", "datagrams": "udp"}
"""By the name of a set, without the family: what its elements open ports of."""
_LINK = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}")
"""Names of network interfaces that are a single word to nft; the kernel allows far more."""
_SET = re.compile(r"\n\tset (?P<name>\w+) \{(?P<content>.*?)\n\t\}", re.DOTALL)
_CHAIN = re.compile(r"\n\tchain \w+ \{\n\t\ttype [^\n]*\n(?P<rules>.*?)\n\t\}", re.DOTALL)
_SERVED = re.compile(r'"(?P<link>[^"]+)" \. (?P<address>[0-9a-f.:]+) \. (?P<port>\d+)')
_QUOTED = re.compile(r'"([^"]+)"')
_ADDRESS = re.compile(r"[0-9a-f.:]*[.:][0-9a-f.:]*")
_NUMBER = re.compile(r"\d+")
_COMMENT = re.compile(r'comment "([^"]*)"$', re.MULTILINE)


@dataclass(frozen=True, order=True)
class Opening:
    """An opening for TCP connections, or UDP datagrams, that come by a link to an address and port.

    Raises HostError for an invalid link, address (a zone is invalid too) or port.
    """

    link: str
    address: str
    port: int
    protocol: Protocol = "tcp"

    def __post_init__(self) -> None:
        _check_link(self.link)
        _check(self.address)
        _check_port(self.port)

    def __str__(self) -> str:
        return f'"{self.link}" . {self.address} . {self.port}'

    @property
    def label(self) -> str:
        """Return its name in the log."""
        return str(self) if self.protocol == "tcp" else f"{self} ({self.protocol.upper()})"


@dataclass(frozen=True)
class Table:
    """The content of the sets.

    `lifs` are the addresses that are not the management port's own, `announced` the links that
    multicast DNS answers on, `own_datagrams` the UDP ports that the management port's own addresses
    serve. Raises HostError for a text that is no address or link name.
    """

    openings: frozenset[Opening] = frozenset()
    lifs: frozenset[str] = frozenset()
    announced: frozenset[str] = frozenset()
    own_datagrams: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        for address in self.lifs:
            _check(address)
        for link in self.announced:
            _check_link(link)
        for port in self.own_datagrams:
            _check_port(port)


def read(host: Host) -> Table | None:
    """Return the live table, None if there is none or its rules differ from the file.

    Raises CommandError and FileError.
    """
    # The whole family: listing a table that does not exist would be an error.
    ruleset = host.commands.run(["nft", "list", "ruleset", "inet"])
    table = ruleset.partition(f"table inet {TABLE} {{")[2].partition("\n}")[0]
    chain = _CHAIN.search(table)
    rules = chain["rules"].splitlines() if chain else []
    comments = _COMMENT.findall(host.files.read(FILE))
    if len(rules) != len(comments) or _COMMENT.findall("\n".join(rules)) != comments:
        return None
    openings, lifs, announced = set[Opening](), set[str](), set[str]()
    own_datagrams = set[int]()
    for match in _SET.finditer(table):
        elements = match["content"].partition("elements = {")[2]
        protocol = SETS.get(match["name"].rpartition("_")[0])
        if protocol:
            for each in _SERVED.finditer(elements):
                address = str(ip_address(each["address"]))
                openings.add(Opening(each["link"], address, int(each["port"]), protocol))
        elif match["name"].startswith("lifs"):
            lifs |= {str(ip_address(address)) for address in _ADDRESS.findall(elements)}
        elif match["name"] == "announced":
            announced |= set(_QUOTED.findall(elements))
        elif match["name"] == "own_datagrams":
            own_datagrams |= {int(port) for port in _NUMBER.findall(elements)}
    return Table(
        frozenset(openings), frozenset(lifs), frozenset(announced), frozenset(own_datagrams)
    )


def plan(live: Table | None, desired: Table, owner: str) -> list[Step]:
    """Return the step that makes the table as desired, none if it is."""
    if live == desired:
        return []
    before = live or Table()
    opened = [f"open {each.label}" for each in sorted(desired.openings - before.openings)]
    closed = [f"close {each.label}" for each in sorted(before.openings - desired.openings)]
    text = "; ".join([*closed, *opened]) or f"addresses of LIFs: {sorted(desired.lifs)}"
    if desired.announced != before.announced:
        text += f"; multicast DNS on: {sorted(desired.announced)}"
    if desired.own_datagrams != before.own_datagrams:
        text += f"; management by UDP at: {sorted(desired.own_datagrams)}"
    return [Step(f"firewall: {text}", owner, lambda host: _replace(host, desired))]


def _replace(host: Host, desired: Table) -> None:
    lines = [*_elements("lifs", {a: a for a in desired.lifs})]
    for name, protocol in SETS.items():
        openings = (each for each in desired.openings if each.protocol == protocol)
        lines += _elements(name, {str(each): each.address for each in openings})
    if links := ", ".join(f'"{link}"' for link in sorted(desired.announced)):
        lines.append(f"add element inet {TABLE} announced {{ {links} }}")
    if ports := ", ".join(map(str, sorted(desired.own_datagrams))):
        lines.append(f"add element inet {TABLE} own_datagrams {{ {ports} }}")
    script = "\n".join([host.files.read(FILE), *lines, ""])
    host.commands.run(["nft", "--file", "-"], stdin=script)


def _elements(name: str, addresses: Mapping[str, str]) -> Iterator[str]:
    """Return the lines that add elements to the sets of both families, by their addresses."""
    for version in (4, 6):
        elements = sorted(e for e, a in addresses.items() if ip_address(a).version == version)
        if elements:
            yield f"add element inet {TABLE} {name}_{version} {{ {', '.join(elements)} }}"


def _check_link(link: str) -> None:
    if not _LINK.fullmatch(link):
        raise HostError('"{}" is no name of a port', link)


def _check_port(port: int) -> None:
    if not 0 < port < 1 << 16:
        raise HostError("{} is no TCP or UDP port", port)


def _check(address: str) -> None:
    try:
        right = "%" not in address and str(ip_address(address)) == address
    except ValueError:
        right = False
    if not right:
        raise HostError('"{}" is no address of a LIF', address)
