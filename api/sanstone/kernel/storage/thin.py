"""Thin pools and the volumes in them.

An aggregate's thin pool belongs to LVM; the thin volumes in it are ours, like containerd's and
stratisd's. A volume is identified by its number (`ensure_thin`, `ensure_no_thin`): it holds the
data of a LUN or namespace and lives as long as that does. Numbers come from the database before
the message is sent and are never reused, so "exists already" can only mean "done before". The
device that shows a volume to hosts is the stack's (`stack.over_thin`).

Traps: dm-thin answers a message or a table for an unknown number with ENODATA, one for a taken
number with EEXIST (drivers/md/dm-thin-metadata.c), and refuses messages with EOPNOTSUPP while the
pool is read-only. Each such error is also logged by the kernel, so a caller remembers the volumes
that it created and does not query them at every boot.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, RequestError, Target
from sanstone.kernel.storage import mapped
from sanstone.kernel.storage.mapped import SECTOR, DeviceError, Place

MAXIMUM_THIN_ID = 2**24 - 1
"""drivers/md/dm-thin.c, MAX_DEV_ID: a thin volume's number has 24 bits."""
_RESERVED = 9
"""Which word of a pool's status counts the blocks set aside; only our patch writes so many."""
_GOING = "going"
"""In the place of a layer: what shows a volume that is being destroyed."""


@dataclass(frozen=True)
class PoolStatus:
    """A thin pool; sizes in bytes. The usage of a failed pool is unknown and reported as 0."""

    mode: str
    """rw, ro, out_of_data_space or failed. In any mode but rw, writes may be refused."""
    needs_check: bool
    """The metadata must be repaired before the pool can be written to again."""
    transaction_id: int
    used: int
    size: int
    metadata_used: int
    metadata_size: int
    held: int | None = None
    """The block of the metadata's device where a copy of their root is held (`held_metadata`)."""
    reserved: int | None = None
    """Bytes that are free and set aside (`thin_reserve`); None where the kernel sets none aside."""


def pool_status(host: Host, pool: str) -> PoolStatus | None:
    """Return the state of an active pool, None when it is not active.

    Raises DeviceError when the device of this name is not a pool.
    """
    state = host.mapper.state(pool)
    if state is None or not state.live:
        return None
    table, status = state.table[0], host.mapper.status(pool)[0]
    if status.kind != "thin-pool":
        raise DeviceError(f"{pool}: is a {status.kind} device, not a thin pool")
    # Documentation/admin-guide/device-mapper/thin-provisioning.rst, table and status of thin-pool:
    # the table names the metadata's device and the sectors of a chunk; a metadata block has 4 KiB.
    metadata, _, sectors = table.arguments.split()[:3]
    if status.arguments in ("Fail", "Error"):
        size = status.length * SECTOR
        return PoolStatus("failed", True, 0, 0, size, 0, _size_of(host, metadata))
    fields, chunk = status.arguments.split(), int(sectors) * SECTOR
    metadata_used, metadata_size = (int(n) * 4096 for n in fields[1].split("/"))
    used, size = (int(n) * chunk for n in fields[2].split("/"))
    return PoolStatus(
        fields[4],
        "needs_check" in fields,
        int(fields[0]),
        used,
        size,
        metadata_used,
        metadata_size,
        None if fields[3] == "-" else int(fields[3]),
        int(fields[_RESERVED]) * chunk if len(fields) > _RESERVED else None,
    )


def ensure_thin(host: Host, pool: str, thin_id: int) -> Ensured:
    """Create a thin volume in the pool, unless it exists.

    Raises RequestError: ENXIO when the pool is not active, EOPNOTSUPP when it is read-only.
    """
    return _send(host, pool, f"create_thin {thin_id}", Ensured.CREATED, errno.EEXIST)


def ensure_no_thin(host: Host, pool: str, thin_id: int) -> Ensured:
    """Delete a thin volume with its data. Raises RequestError EBUSY while its device exists."""
    return _send(host, pool, f"delete {thin_id}", Ensured.CHANGED, errno.ENODATA)


class Volume(NamedTuple):
    """A thin volume's mapped space: bytes of the pool, and the end of the last of them."""

    occupied: int
    end: int


def volume(host: Host, pool: str, thin_id: int, probe: str) -> Volume | None:
    """Return a volume's mapped space, with or without its device; None for no such volume.

    There is no message for that, but a table tells that is loaded and never installed. `probe` is
    the UUID for the device that has it; it is gone at the end. Raises HostError.
    """
    name = names.device(probe)
    if host.mapper.state(name) is None:
        host.mapper.create(name, names.device_uuid(probe))
    try:
        host.mapper.load(name, [target(host, pool, thin_id, 8 * SECTOR)])
        [status] = host.mapper.status(name, loaded=True)
    except RequestError as error:
        if error.errno != errno.ENODATA:
            raise
        return None
    finally:
        host.mapper.remove(name)
    mapped, _, last = status.arguments.partition(" ")
    if not mapped.isdigit():
        raise DeviceError(f"{pool}: thin volume {thin_id} answers {status.arguments!r}")
    return Volume(int(mapped) * SECTOR, (int(last) + 1) * SECTOR if last.isdigit() else 0)


@dataclass(frozen=True)
class Shown:
    """A device that shows a volume for a while."""

    host: Host
    name: str
    path: str

    @property
    def occupied(self) -> int:
        """Bytes that the volume maps."""
        [status] = self.host.mapper.status(self.name)
        return occupied(status)


@contextmanager
def shown(host: Host, pool: str, thin_id: int, uuid: str, size: int) -> Iterator[Shown]:
    """Show a volume as a device that is not exported, and take that away again.

    `uuid` is for its name. Raises RequestError ENODATA when there is no such volume.
    """
    place = Place(names.layer_device(uuid, _GOING), names.layer_uuid(uuid, _GOING))
    try:
        device, _ = mapped.ensure(host, place, [target(host, pool, thin_id, size)])
        yield Shown(host, place.name, f"/dev/dm-{device.minor}")
    finally:
        mapped.ensure_none(host, place)


def target(host: Host, pool: str, thin_id: int, size: int) -> Target:
    """Return the line of a table that shows a volume.

    Raises DeviceError when the pool is not active.
    """
    return Target(0, size // SECTOR, "thin", f"{_number(host, pool)} {thin_id}")


def occupied(status: Target) -> int:
    """Return the bytes that a volume maps, by the status of a device that shows it.

    Raises DeviceError if it has failed.
    """
    sectors = status.arguments.split()[0]
    if not sectors.isdigit():
        raise DeviceError(f"the thin volume answers {sectors!r}")
    return int(sectors) * SECTOR


def _number(host: Host, pool: str) -> str:
    """Return the number of a pool's device, "253:7". Raises DeviceError when it is not active."""
    state = host.mapper.state(pool)
    if state is None or not state.live:
        raise DeviceError("{}: the pool is not active", pool)
    return mapped.number(state.device)


def _send(host: Host, pool: str, message: str, done: Ensured, done_before: int) -> Ensured:
    try:
        host.mapper.message(pool, message)
    except RequestError as error:
        if error.errno != done_before:
            raise
        return Ensured.UNCHANGED
    return done


def _size_of(host: Host, number: str) -> int:
    """Return the bytes of the mapped device with this number, "253:1"."""
    [name] = [d.name for d in host.mapper.devices() if f"{d.major}:{d.minor}" == number]
    return mapped.size(host.mapper.state(name))
