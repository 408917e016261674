"""I/O that waits: a slow disk, to try how hosts bear one (drivers/md/dm-delay.c)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sanstone.kernel import names
from sanstone.kernel.host import Host, Target
from sanstone.kernel.storage.mapped import SECTOR
from sanstone.kernel.storage.stack.layer import Below, Layer


@dataclass(frozen=True)
class Delay(Layer):
    """Has each read and write wait for some `milliseconds`; without any it needs no device."""

    name: ClassVar[str] = names.DELAY
    milliseconds: int = 0

    def needed(self, host: Host) -> bool:
        """Return whether anything waits."""
        return self.milliseconds > 0

    def table(self, below: Below, size: int) -> list[Target]:
        """Return the table that maps the device below."""
        return [Target(0, size // SECTOR, "delay", f"{below.number} 0 {self.milliseconds}")]

    def holds(self, live: Sequence[Target]) -> bool:
        """Return whether a table delays."""
        return [each.kind for each in live] == ["delay"]
