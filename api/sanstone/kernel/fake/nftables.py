"""nftables of the fake machine: sets whose elements count, and the program `nft`.

Only what a script adds to and takes from sets is kept; a table's chains and rules are taken as
read. Taking away an element that is not there is refused, adding one again keeps its counter
(net/netfilter/nf_tables_api.c, nf_tables_delsetelem and nft_add_set_elem).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from sanstone.kernel.fake.commands import FakeCommands
from sanstone.kernel.fake.interrupt import Interrupt
from sanstone.kernel.host import CommandError

_CHANGE = re.compile(r"(add|delete) element inet (\S+) (\S+) \{ (\S+) \}")


class FakeNftables:
    """Counters by table, set and element."""

    def __init__(self, interrupt: Interrupt, commands: FakeCommands) -> None:
        self._interrupt = interrupt
        self._tables: dict[str, dict[str, dict[str, list[int]]]] = {}
        commands.register("nft", self._nft)

    def pass_packets(self, direction: str, address: str, packets: int, size: int) -> None:
        """Let packets, of `size` bytes in all, be `received` or `sent` by an address."""
        for sets in self._tables.values():
            for name, elements in sets.items():
                if name.startswith(direction) and address in elements:
                    elements[address][0] += packets
                    elements[address][1] += size

    def reboot(self) -> None:
        """Lose every table."""
        self._tables.clear()

    def _nft(self, argv: Sequence[str], stdin: str) -> str:
        if list(argv[1:]) == ["list", "ruleset", "inet"]:
            return "".join(self._shown(name) for name in self._tables)
        with self._interrupt.step(f"nft {stdin}"):
            for verb, table, name, element in _CHANGE.findall(stdin):
                elements = self._tables.setdefault(table, defaultdict(dict))[name]
                if verb == "add":
                    elements.setdefault(element, [0, 0])
                elif not elements.pop(element, None):
                    raise CommandError(argv, 1, "Error: Could not process rule: No such file")
        return ""

    def _shown(self, table: str) -> str:
        sets = ""
        for name, elements in self._tables[table].items():
            listed = ", ".join(
                f"{e} counter packets {n} bytes {b}" for e, (n, b) in elements.items()
            )
            shown = f"\t\telements = {{ {listed} }}\n" if listed else ""
            sets += f"\tset {name} {{\n\t\tcounter\n{shown}\t}}\n\n"
        return f"table inet {table} {{\n{sets}}}\n"
