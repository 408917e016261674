"""The reconciler's memory from one turn to the next. It only saves reading.

What one stage remembers is a class of that stage's, or of the task that reads it beside the turns.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from sanstone.reconcile.faults import Conditions, Faults

Part = TypeVar("Part", bound="StageMemory")


class StageMemory:
    """A stage's memory. It is created without arguments, as if nothing was known."""

    def forget_inventory(self) -> None:
        """Discard what the array has few of, so that it is read again."""

    def forget(self) -> Self:
        """Return the memory without all facts that reading the machine would give."""
        return self


@dataclass
class Memory:
    """The findings of the last turns."""

    faults: Faults = field(default_factory=Faults)
    conditions: Conditions = field(default_factory=Conditions)
    started: float = field(default_factory=lambda: time.monotonic())
    """Time of the start, in seconds of the monotonic clock."""
    _parts: dict[type[StageMemory], Any] = field(default_factory=dict)

    def of(self, kind: type[Part]) -> Part:
        """Return a stage's memory, by its class."""
        if kind not in self._parts:
            self._parts[kind] = kind()
        part: Part = self._parts[kind]
        return part

    def forget_all(self) -> None:
        """Discard all that saves reading the machine. Faults and conditions are kept."""
        self.forget_inventory()
        self._parts = {kind: part.forget() for kind, part in self._parts.items()}

    def forget_inventory(self) -> None:
        """Discard the inventory, so that it is read again: disks, pools, network and firewall."""
        for part in self._parts.values():
            part.forget_inventory()
