"""The interface of a layer, at any height of the stack."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, MappedDevice, Target
from sanstone.kernel.storage import mapped
from sanstone.kernel.storage.mapped import SECTOR, DeviceError, Place


class Below(NamedTuple):
    """The device that a layer lies on."""

    path: str
    """Its node: /dev/sda, /dev/md_…, /dev/dm-3."""
    number: str
    """As tables name it, "8:16"."""
    size: int
    """Bytes."""


def of_mapped(device: MappedDevice, size: int) -> Below:
    """Return a mapped device of `size` bytes as what the next layer lies on.

    Its node is the kernel's own (devtmpfs), which is there at once, whatever udev is doing.
    """
    return Below(f"/dev/dm-{device.minor}", mapped.number(device), size)


class Layer(ABC):
    """One device-mapper device at one place of a stack: a frozen dataclass of its settings.

    Equal layers have equal tables and equal limits. A method that a layer does not override does
    nothing. To be suspended, resumed and removed it needs no method: that goes by the place
    (`mapped`), since a live device may be of a release, or a setting, that nothing declares any
    more.
    """

    name: ClassVar[str]
    """Its place, one of `names.UNDER_MD`, `OVER_MD` or `OVER_THIN`."""

    @property
    def unit(self) -> int:
        """The bytes above it are a multiple of so many."""
        return SECTOR

    def needed(self, host: Host) -> bool:
        """Return whether this kernel needs a device for it; called above a thin device only.

        A layer that is live stays until the next activation, when no host uses the device.
        """
        return True

    def room(self, below: int) -> int:
        """Return the bytes above it for bytes below it, headers and tags taken off."""
        return below // self.unit * self.unit

    def takes(self, above: int) -> int:
        """Return the bytes below it for bytes above it: the inverse of `room`."""
        return above

    def is_prepared(self, host: Host, place: Place, below: Below) -> bool:
        """Return whether the device below carries the header of this place's layer, if any.

        A header of another place's layer does not count.
        """
        return True

    def prepare(self, host: Host, place: Place, below: Below) -> None:
        """Write its header, in less than a second. Raises HostError.

        Below a volume group the device below has no data to keep. Above a thin device, that may be
        a copy of another volume with that one's header; all data behind the header stays. A layer
        without a header is always prepared, and this is never called.
        """
        raise DeviceError("{}: layer {} has no header", below.path, self.name)

    @abstractmethod
    def table(self, below: Below, size: int) -> list[Target]:
        """Return the table of a device of `size` bytes."""

    @abstractmethod
    def holds(self, live: Sequence[Target]) -> bool:
        """Return whether a live table is one of this layer's, and of no other's."""

    def accepts(self, live: Sequence[Target], new: Sequence[Target]) -> bool:
        """Return whether a live table may stay where `new` is wanted, as `tune` does the rest."""
        return list(live) == list(new)

    def ensure(
        self, host: Host, place: Place, below: Below, size: int
    ) -> tuple[MappedDevice, Ensured]:
        """Have it live at a place, with `size` bytes above it. Raises HostError."""
        return mapped.ensure(host, place, self.table(below, size), self.accepts)

    def grow(
        self, host: Host, place: Place, below: Below, size: int
    ) -> tuple[MappedDevice, Ensured]:
        """Give the live device another size, with I/O under way. Raises HostError."""
        return self.ensure(host, place, below, size)

    def tune(self, host: Host, place: Place) -> Ensured:
        """Change what changes without a new table, by a message or a file. Raises HostError."""
        return Ensured.UNCHANGED

    def report(self, host: Host, place: Place) -> dict[str, object]:
        """Return its own facts while it is live. Raises HostError."""
        return {}
