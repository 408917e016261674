"""Looks up names of other machines beside the turns, since a name server may take its time.

An address that a name led to is kept as long as the name server names it among others, and where
that does not answer. It is forgotten where the name leads to one that the array does not connect to
(`kernel.web.destination`).
"""

from __future__ import annotations

import logging
import socket
from dataclasses import dataclass, field

from sanstone.kernel.web import destination
from sanstone.reconcile.memory import StageMemory

PERIOD, AGAIN = 300.0, 30.0
"""Seconds after which a name is looked up again, and after which one that led nowhere is."""
TRAPS = 162
"""The port that traps are sent to (RFC 3417, 3.1)."""
log = logging.getLogger("sanstone.reconciler")


@dataclass
class NamesMemory(StageMemory):
    """Names of trap hosts, which a thread looks up, see `tasks.name_resolver`."""

    names: frozenset[str] = frozenset()
    addresses: dict[str, str] = field(default_factory=dict)
    """The address that each name led to the last time it led to one. The thread writes it."""
    errors: dict[str, str] = field(default_factory=dict)
    """Why a name leads nowhere now. The thread writes it."""


class NameResolver:
    """Looks up the names that are wanted in `memory`."""

    def __init__(self, memory: NamesMemory) -> None:
        self._memory = memory
        self._due: dict[str, float] = {}

    def resolve(self, now: float) -> None:
        """Look up the names that are due, and forget those not wanted any more."""
        memory, names = self._memory, self._memory.names
        for known in (memory.addresses, memory.errors, self._due):
            for name in known.keys() - names:
                del known[name]
        for name in sorted(names):
            if now >= self._due.get(name, now):
                self._due[name] = now + (PERIOD if self._look_up(name) else AGAIN)

    def _look_up(self, name: str) -> bool:
        """Look up a name; return whether it led somewhere."""
        memory = self._memory
        try:
            places = destination.resolved(name, TRAPS, socket.SOCK_DGRAM)
        except OSError as error:
            why = error.strerror or str(error)
            if memory.errors.get(name) != why:
                log.warning("%s: %s", name, why)
            memory.errors[name] = why
            if isinstance(error, destination.Forbidden):
                memory.addresses.pop(name, None)
            return False
        addresses = [str(place[0]) for _, place in places]
        if memory.addresses.get(name) not in addresses:
            memory.addresses[name] = addresses[0]
        memory.errors.pop(name, None)
        return True
