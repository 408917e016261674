"""Thin devices: what a LUN or namespace is made of."""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError


class DeviceError(HostError):
    """A device or pool is not as it must be; the text says what was found."""


@dataclass(frozen=True)
class ThinDevice:
    """A wanted exported device."""

    uuid: str
    pool: str
    """The device-mapper name of the pool (`names.pool_device`)."""
    thin_id: int
    """0 to 2^24 - 1, never reused within a pool."""
    size: int
    """Bytes, a multiple of `block_size`."""
    block_size: int = 512
    """The logical block size that hosts see: 512 or 4096."""


@dataclass(frozen=True)
class PoolStatus:
    """A thin pool; sizes in bytes."""

    mode: str
    """rw, ro, out_of_data_space or failed."""
    needs_check: bool
    transaction_id: int
    chunk_size: int
    used: int
    size: int
    metadata_used: int
    metadata_size: int


def pool_status(host: Host, pool: str) -> PoolStatus | None:
    """Return the state of an active pool, None when it is not active."""
    raise NotImplementedError


def ensure_thin(host: Host, pool: str, thin_id: int) -> Ensured:
    """Make a thin volume in the pool; one that exists already is taken for done."""
    raise NotImplementedError


def ensure_no_thin(host: Host, pool: str, thin_id: int) -> Ensured:
    """Delete a thin volume with its data. Raises RequestError EBUSY while it is active."""
    raise NotImplementedError


def ensure_device(host: Host, wanted: ThinDevice) -> Ensured:
    """Make the device live with the wanted table and size, and give it its node.

    The thin volume must exist (`ensure_thin`). Also grows or shrinks, online, and finishes what was
    cut short: a device without a table, one left suspended, a stale node.
    """
    raise NotImplementedError


def ensure_no_device(host: Host, uuid: str) -> Ensured:
    """Take the device and its node away; the thin volume stays. Raises RequestError EBUSY if open."""
    raise NotImplementedError


def devices(host: Host) -> set[str]:
    """Return the uuids of all exported devices that the kernel has."""
    raise NotImplementedError


def used(host: Host, uuid: str) -> int:
    """Return the bytes that a device occupies in its pool."""
    raise NotImplementedError
