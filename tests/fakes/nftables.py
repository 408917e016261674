"""nftables of the fake machine: tables, sets, counters of elements, rules, the program `nft`.

A script is carried out line by line, and as a whole or not at all. Declaring a table, a set or an
element that is there changes nothing, an element keeps its counter; taking away an element that is
not there is refused (net/netfilter/nf_tables_api.c, nft_add_set_elem, nf_tables_delsetelem). The
verdict of rules on a packet is in `fakes.nftables_rules`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fakes.commands import FakeCommands
from fakes.interrupt import Interrupt
from fakes.nftables_rules import first_packet, passes
from sanstone.kernel.host import CommandError

_TABLE = re.compile(r"table inet (\w+)( \{)?")
_DELETED_TABLE = re.compile(r"delete table inet (\w+)")
_SET = re.compile(
    r"set (\w+) \{ (type [^;]+); (counter; |size \d+; flags dynamic; timeout \w+; )?\}"
)
_CHAIN = re.compile(r"chain (\w+) \{( type [^;]+;.* \})?")
_TYPE = re.compile(r"type [^;]+;.*")
_FLUSHED = re.compile(r"flush chain inet (\w+) (\w+)")
_RULE = re.compile(r"add rule inet (\w+) (\w+) (.+)")
_CHANGE = re.compile(r"(add|delete) element inet (\w+) (\w+) \{ (.+) \}")


@dataclass
class _Chain:
    hook: str = ""
    rules: list[str] = field(default_factory=list)


@dataclass
class _Set:
    type: str
    counts: bool
    elements: dict[str, list[int]] = field(default_factory=dict)
    """Packets and bytes by element."""


@dataclass
class _Table:
    sets: dict[str, _Set] = field(default_factory=dict)
    chains: dict[str, _Chain] = field(default_factory=dict)


class FakeNftables:
    """The tables of the family inet, by name."""

    def __init__(self, interrupt: Interrupt, commands: FakeCommands) -> None:
        self._interrupt = interrupt
        self._tables: dict[str, _Table] = {}
        commands.register("nft", self._nft)

    def pass_packets(self, direction: str, address: str, packets: int, size: int) -> None:
        """Simulate packets, of `size` bytes in total, `received` or `sent` by an address."""
        for table in self._tables.values():
            for name, each in table.sets.items():
                if each.counts and name.startswith(direction) and address in each.elements:
                    each.elements[address][0] += packets
                    each.elements[address][1] += size

    def takes(self, link: str, address: str, port: int, protocol: str = "tcp") -> bool:
        """Return whether a TCP connection, or a UDP that comes by a link gets past every
        table's rules."""
        packet = first_packet(link, address, port, protocol)
        return all(
            passes(chain.rules, packet, {name: each.elements for name, each in table.sets.items()})
            for table in self._tables.values()
            for chain in table.chains.values()
            if " hook input " in chain.hook
        )

    def reboot(self) -> None:
        """Lose every table."""
        self._tables.clear()

    def dump(self) -> str:
        """Return the tables, without their counters."""
        shown = "".join(self._shown(name) for name in sorted(self._tables))
        return re.sub(r" counter packets \d+ bytes \d+", "", shown)

    def _nft(self, argv: Sequence[str], stdin: str) -> str:
        if list(argv[1:]) == ["list", "ruleset", "inet"]:
            return "".join(self._shown(name) for name in self._tables)
        with self._interrupt.step(f"nft {stdin}"):
            before = copy.deepcopy(self._tables)
            try:
                self._run(argv, stdin)
            except CommandError:
                self._tables = before
                raise
        return ""

    def _run(self, argv: Sequence[str], script: str) -> None:
        lines = (line.strip() for line in script.splitlines())
        table, chain = _Table(), _Chain()
        for line in lines:
            if not line or line.startswith("#") or line == "}":
                continue
            if match := _TABLE.fullmatch(line):
                table = self._tables.setdefault(match[1], _Table())
            elif match := _DELETED_TABLE.fullmatch(line):
                del self._tables[match[1]]
            elif match := _SET.fullmatch(line):
                table.sets.setdefault(match[1], _Set(match[2], match[3] == "counter; "))
            elif match := _CHAIN.fullmatch(line):
                chain = table.chains.setdefault(match[1], _Chain())
                chain.hook = (match[2] or "").strip(" }") or chain.hook
            elif _TYPE.fullmatch(line):
                chain.hook = line
            elif match := _FLUSHED.fullmatch(line):
                self._tables[match[1]].chains[match[2]].rules.clear()
            elif match := _RULE.fullmatch(line):
                self._tables[match[1]].chains[match[2]].rules.append(match[3])
            elif match := _CHANGE.fullmatch(line):
                elements = self._tables[match[2]].sets[match[3]].elements
                for element in match[4].split(", "):
                    if match[1] == "add":
                        elements.setdefault(element, [0, 0])
                    elif not elements.pop(element, None):
                        raise CommandError(argv, 1, "Error: Could not process rule: No such file")
            else:
                chain.rules.append(line)

    def _shown(self, name: str) -> str:
        table = self._tables[name]
        parts = [_shown_set(name, each) for name, each in table.sets.items()]
        parts += [_shown_chain(name, each) for name, each in table.chains.items()]
        return f"table inet {name} {{\n" + "\n".join(parts) + "}\n"


def _shown_set(name: str, shown: _Set) -> str:
    elements = [
        f"{element} counter packets {packets} bytes {size}" if shown.counts else element
        for element, (packets, size) in shown.elements.items()
    ]
    lines = [shown.type, *(["counter"] if shown.counts else [])]
    lines += [f"elements = {{ {', '.join(elements)} }}"] if elements else []
    return _shown_block(f"set {name}", lines)


def _shown_chain(name: str, chain: _Chain) -> str:
    return _shown_block(f"chain {name}", [line for line in (chain.hook, *chain.rules) if line])


def _shown_block(head: str, lines: Sequence[str]) -> str:
    return f"\t{head} {{\n" + "".join(f"\t\t{line}\n" for line in lines) + "\t}\n"
