"""RAID groups: Linux md arrays."""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError


class ArrayError(HostError):
    """An array cannot be made or started as wanted; the text says why."""


@dataclass(frozen=True)
class RaidType:
    """How one of ONTAP's RAID types is made: mdadm's level, and the fewest disks it takes."""

    level: str
    minimum_disks: int
    parity_disks: int


RAID_TYPES: dict[str, RaidType] = {}


@dataclass(frozen=True)
class Array:
    """A wanted RAID group. `disks` are paths of whole disks, of which spares are none."""

    aggregate: str
    number: int
    raid_type: str
    disks: tuple[str, ...]

    @property
    def uuid(self) -> str:
        """The UUID in its superblocks."""
        return names.array_uuid(self.aggregate, self.number)

    @property
    def device(self) -> str:
        """The path of its block device."""
        return names.array_device(self.aggregate, self.number)


@dataclass(frozen=True)
class Member:
    """A disk in a running array. `state`: in_sync, rebuilding, spare or faulty."""

    device: str
    state: str
    slot: int | None


@dataclass(frozen=True)
class ArrayStatus:
    """A running array."""

    device: str
    level: str
    size: int
    """Bytes."""
    wanted_disks: int
    missing_disks: int
    state: str
    """clean, degraded, resyncing, rebuilding, checking, failed, inactive."""
    percent: float | None
    """How far a resync, rebuild or check has come; None when there is none."""
    members: tuple[Member, ...]
    full_stripe: int
    """Bytes of data in one stripe over all data disks."""


def status(host: Host, aggregate: str, number: int) -> ArrayStatus | None:
    """Return what the kernel says of an array; None when it is not assembled."""
    raise NotImplementedError


def ensure_created(host: Host, array: Array) -> Ensured:
    """Make the array of empty disks and start it; continue or redo a creation that was cut short.

    Raises ContentError when a disk holds anything foreign, ArrayError when an array with this
    UUID once ran but cannot be started now: it is never made anew over itself.
    """
    raise NotImplementedError


def ensure_running(host: Host, array: Array, *, degraded: bool = False) -> Ensured:
    """Assemble the array by its UUID; with disks missing only if `degraded`.

    Raises ArrayError, naming the missing disks, where that is refused or impossible.
    """
    raise NotImplementedError


def ensure_members(host: Host, array: Array) -> Ensured:
    """Drop failed members that are no longer wanted and add wanted disks, which rebuilds onto them."""
    raise NotImplementedError


def ensure_stopped(host: Host, aggregate: str, number: int) -> Ensured:
    """Stop an array; its disks keep their content. Raises CommandError while anything uses it."""
    raise NotImplementedError


def ensure_removed(host: Host, array: Array) -> Ensured:
    """Stop the array and erase its superblocks from those of `array.disks` that carry them."""
    raise NotImplementedError
