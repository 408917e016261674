"""Aggregates: an LVM volume group with one thin pool and one small volume for the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError


class GroupError(HostError):
    """A volume group is not as it must be; the text says what was found."""


@dataclass(frozen=True)
class PhysicalVolume:
    """An array in a volume group, as wanted. `full_stripe` in bytes aligns the data to it."""

    device: str
    full_stripe: int


@dataclass(frozen=True)
class Group:
    """A wanted volume group."""

    aggregate: str
    volumes: tuple[PhysicalVolume, ...]

    @property
    def name(self) -> str:
        """LVM's name of it."""
        return names.volume_group(self.aggregate)

    @property
    def devices(self) -> tuple[str, ...]:
        """The paths of its arrays."""
        return tuple(volume.device for volume in self.volumes)


@dataclass(frozen=True)
class GroupReport:
    """A volume group as LVM reports it; sizes in bytes."""

    name: str
    size: int
    free: int
    extent_size: int
    devices: tuple[str, ...]
    missing_devices: int
    volumes: dict[str, str]
    """Its logical volumes, hidden ones in brackets, with their segment type (linear, thin-pool)."""
    pool_size: int
    pool_metadata_size: int
    pool_chunk_size: int
    pool_transaction_id: int


def chunk_size(pool_size: int) -> int:
    """Return the bytes of a chunk for a pool of this many bytes."""
    raise NotImplementedError


def metadata_size(pool_size: int, chunk: int) -> int:
    """Return the bytes of metadata for a pool."""
    raise NotImplementedError


def report(host: Host, devices: Sequence[str]) -> list[GroupReport]:
    """Return the volume groups on the given arrays: one command, about a second under emulation."""
    raise NotImplementedError


def ensure_created(host: Host, group: Group) -> Ensured:
    """Make or extend the group with its pool and configuration volume, and leave them active.

    Whatever an interrupted creation left is completed or removed; a thin pool is never removed.
    """
    raise NotImplementedError


def ensure_active(host: Host, group: Group) -> Ensured:
    """Activate pool (checked by thin_check before) and configuration volume. Never creates."""
    raise NotImplementedError


def ensure_inactive(host: Host, group: Group) -> Ensured:
    """Deactivate pool and configuration volume. Raises CommandError while thin devices are open."""
    raise NotImplementedError


def ensure_removed(host: Host, group: Group) -> Ensured:
    """Destroy the group with all that is in it, and LVM's labels on its arrays."""
    raise NotImplementedError


def repair(host: Host, group: Group) -> None:
    """Rebuild the metadata of an inactive pool that thin_check refused."""
    raise NotImplementedError
