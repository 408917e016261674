"""Asks hosts how large packets pass to them and back, beside the turns.

Who does not answer is waited for, for seconds, and there may be many hosts, so no turn may ask. A
thread does, and leaves its findings in the memory for the stage `path_mtus`, which names the hosts.

A host that answers nothing tells nothing: its firewall may drop echoes. So a smaller echo follows
one that was not answered, and only a host that answers that one is not just silent.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import NamedTuple

from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.memory import StageMemory

PERIOD, AGAIN = 600.0, 60.0
"""Seconds after which a way is looked at again: one that is right or not known, and one by which
packets of its MTU do not pass, which somebody is about to mend."""
SMALLER = {4: (1500, 576), 6: (1500, 1280)}
"""By version of IP: bytes of the packets that are tried where large ones do not pass. The last one
every network carries (RFC 791, 3.1; RFC 8200, 5)."""
log = logging.getLogger("sanstone.reconciler")


class Way(NamedTuple):
    """Between a LIF and a host: their addresses, and the MTU of the LIF's port in bytes."""

    source: str
    destination: str
    mtu: int


@dataclass
class PathMtus(StageMemory):
    """How large packets pass between LIFs and connected hosts."""

    ways: frozenset[Way] = frozenset()
    """Those that are to be looked at."""
    passing: dict[Way, int | None] = field(default_factory=dict)
    """By way: the largest packet that passed when it was looked at, None where the host answered
    nothing. A thread writes it, see `tasks.path_prober`."""


class PathProber:
    """Looks at the ways that are due, in `mtus`."""

    def __init__(self, host: Host, mtus: PathMtus) -> None:
        self._host, self._mtus = host, mtus
        self._due: dict[Way, float] = {}

    def probe(self) -> None:
        """Look at the ways that are due, and forget those that nobody asks for any more."""
        ways, passing = self._mtus.ways, self._mtus.passing
        self._due = {way: due for way, due in self._due.items() if way in ways}
        for removed in passing.keys() - ways:
            del passing[removed]
        now = time.monotonic()
        by_source: dict[tuple[str, int], list[str]] = defaultdict(list)
        for way in sorted(ways):
            if now >= self._due.get(way, now):
                by_source[way.source, way.mtu].append(way.destination)
        for (source, mtu), destinations in by_source.items():
            try:
                sizes = self._passing(source, destinations, mtu)
            except HostError as error:
                # As where the LIF goes in this moment. What was known stays so.
                log.info("path MTUs of %s are not looked at: %s", source, error)
                sizes = {}
            for destination in destinations:
                way = Way(source, destination, mtu)
                if destination in sizes:
                    passing[way] = sizes[destination]
                size = passing.get(way)
                delay = PERIOD if size in (None, mtu) else AGAIN
                self._due[way] = time.monotonic() + delay

    def _passing(self, source: str, destinations: Sequence[str], mtu: int) -> dict[str, int | None]:
        """Return the largest packet that each destination answers, None for no answer at all."""
        sizes: dict[str, int | None] = dict.fromkeys(destinations)
        for size in (mtu, *SMALLER[ip_address(source).version]):
            silent = [each for each, passing in sizes.items() if passing is None]
            if silent:
                sizes |= dict.fromkeys(self._host.network.echo(source, silent, size), size)
        return sizes
