"""Layers that hold the seams of the stack: one without a header, and one with.

Any kernel has their targets. Scenarios run them on machines, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, Target
from sanstone.kernel.storage.mapped import SECTOR, Place
from sanstone.kernel.storage.stack.columns import AggregateLayers
from sanstone.kernel.storage.stack.layer import Below, Layer

MAGIC = b"LUKS\xba\xbe\x00\x01"
"""By which wipefs and our own look at a disk's content know that something is there."""
HEADER = 1024**2
PLACES = ("headed", "plain")


@dataclass(frozen=True)
class Plain(Layer):
    """The device below as it is. `ahead` is a limit that changes without a new table, in KiB."""

    name: ClassVar[str] = "plain"
    ahead: int = 128

    def table(self, below: Below, size: int) -> list[Target]:
        """Return the table of a linear device."""
        return [Target(0, size // SECTOR, "linear", f"{below.number} 0")]

    def holds(self, live: Sequence[Target]) -> bool:
        """Return whether a table begins where the device below does."""
        return [each.kind for each in live] == ["linear"] and live[0].arguments.endswith(" 0")

    def tune(self, host: Host, place: Place) -> Ensured:
        """Set how far the kernel reads ahead."""
        path = self._limit(host, place)
        if host.files.read(path) == str(self.ahead):
            return Ensured.UNCHANGED
        host.files.write(path, str(self.ahead))
        return Ensured.CHANGED

    def report(self, host: Host, place: Place) -> dict[str, object]:
        """Return how far the kernel reads ahead."""
        return {"ahead": int(host.files.read(self._limit(host, place)))}

    def _limit(self, host: Host, place: Place) -> str:
        state = host.mapper.state(place.name)
        assert state is not None
        return f"/sys/block/dm-{state.device.minor}/queue/read_ahead_kb"


@dataclass(frozen=True)
class Headed(Layer):
    """The device below without its first MiB, where the place's uuid is written."""

    name: ClassVar[str] = "headed"

    def room(self, below: int) -> int:
        """Return the bytes behind the header."""
        return below - HEADER

    def takes(self, above: int) -> int:
        """Return the bytes with the header."""
        return above + HEADER

    def is_prepared(self, host: Host, place: Place, below: Below) -> bool:
        """Return whether the header is there, and this place's."""
        return host.blocks.read(below.path, 0, SECTOR) == _header(place)

    def prepare(self, host: Host, place: Place, below: Below) -> None:
        """Write the header."""
        host.blocks.write(below.path, 0, _header(place))

    def table(self, below: Below, size: int) -> list[Target]:
        """Return the table of a linear device behind the header."""
        return [Target(0, size // SECTOR, "linear", f"{below.number} {HEADER // SECTOR}")]

    def holds(self, live: Sequence[Target]) -> bool:
        """Return whether a table begins behind a header."""
        return [each.kind for each in live] == ["linear"] and not live[0].arguments.endswith(" 0")


BOTH: tuple[Layer, ...] = (Headed(), Plain())
BELOW_THE_GROUP = AggregateLayers(under_md=BOTH, over_md=BOTH)


def _header(place: Place) -> bytes:
    return (MAGIC.ljust(SECTOR // 2, b"\0") + place.uuid.encode()).ljust(SECTOR, b"\0")


def with_places(height: str) -> tuple[str, ...]:
    """Return the places of a height of `names`, with those of both layers."""
    return (*getattr(names, height), *PLACES)
