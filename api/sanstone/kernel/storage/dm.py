"""Thin devices: the storage of LUNs and namespaces.

An aggregate's thin pool belongs to LVM; the thin volumes in it are ours, like containerd's and
stratisd's. A thin device consists of two objects that are separate on purpose:

* the volume in the pool, identified by its number (`ensure_thin`, `ensure_no_thin`): it holds the
  data and lives as long as the object does. Numbers come from the database before the message is
  sent and are never reused, so "exists already" can only mean "done before";
* the kernel's device for it (`ensure_device`, `ensure_no_device`), which is created at each boot.
  Its name and uuid come from the object's UUID and never change; its table may.

Hosts see the thin target itself, or the topmost of the layers above it (`layers`).

Traps:

* dm-thin answers a message or a table for an unknown number with ENODATA, one for a taken number
  with EEXIST (drivers/md/dm-thin-metadata.c), and refuses messages with EOPNOTSUPP while the pool
  is read-only. Each such error is also logged by the kernel, so a caller remembers the volumes that
  it made and does not query them at every boot.
* A layer must never be larger than the device below it: a stack grows from the bottom and shrinks
  from the top.
* A device may have no table or be suspended if a process died between two requests; loading and
  resuming repairs both.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import (
    Host,
    HostError,
    MappedDevice,
    MappedState,
    RequestError,
    Target,
)
from sanstone.kernel.storage import layers
from sanstone.kernel.storage.layers.layer import SECTOR, Layer

MAXIMUM_THIN_ID = 2**24 - 1
"""drivers/md/dm-thin.c, MAX_DEV_ID: a thin volume's number has 24 bits."""
_GOING = "going"
"""In the place of a layer: what shows a volume that is being destroyed."""


class DeviceError(HostError):
    """A device or pool is in an unexpected state; the text says which."""


@dataclass(frozen=True)
class ThinDevice:
    """A desired exported device."""

    uuid: str
    pool: str
    """The device-mapper name of the pool (`names.pool_device`)."""
    thin_id: int
    """0 to MAXIMUM_THIN_ID, never reused within a pool."""
    size: int
    """Bytes, a multiple of the sector and of the `unit` of each layer."""
    layers: tuple[Layer, ...] = ()
    """The layers above the thin target, the lowest first."""


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
    """What a thin volume maps: how many bytes of the pool, and where the last of them ends."""

    occupied: int
    end: int


def volume(host: Host, pool: str, thin_id: int, probe: str) -> Volume | None:
    """Return what a volume maps, whether or not its device is there; None for no such volume.

    There is no message for that, but a table tells that is loaded and never installed. `probe` is
    the UUID for the device that has it; it is gone at the end. Raises HostError.
    """
    name = names.device(probe)
    if host.mapper.state(name) is None:
        host.mapper.create(name, names.device_uuid(probe))
    try:
        host.mapper.load(name, [Target(0, 8, "thin", f"{_number(host, pool)} {thin_id}")])
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
        return int(status.arguments.split()[0]) * SECTOR


@contextmanager
def shown(host: Host, pool: str, thin_id: int, uuid: str, size: int) -> Iterator[Shown]:
    """Show a volume as a device that is not exported, and take that away again.

    `uuid` is for its name. Raises RequestError ENODATA when there is no such volume.
    """
    name = names.layer_device(uuid, _GOING)
    part = _Part(name, names.layer_uuid(uuid, _GOING), None)
    try:
        table = [Target(0, size // SECTOR, "thin", f"{_number(host, pool)} {thin_id}")]
        device, _ = _ensure_mapped(host, part, host.mapper.state(name), table)
        yield Shown(host, name, f"/dev/dm-{device.minor}")
    finally:
        if host.mapper.state(name):
            host.mapper.remove(name)


def _number(host: Host, pool: str) -> str:
    """Return the number of a pool's device, "253:7". Raises DeviceError when it is not active."""
    state = host.mapper.state(pool)
    if state is None or not state.live:
        raise DeviceError("{}: the pool is not active", pool)
    return f"{state.device.major}:{state.device.minor}"


def ensure_device(host: Host, device: ThinDevice) -> Ensured:
    """Activate the device with the desired table and size, and create its node.

    The thin volume must exist (`ensure_thin`). Also grows or shrinks online, and completes what was
    interrupted. Raises DeviceError when something else has the name or the size is impossible,
    RequestError when the kernel refuses (ENODATA: there is no such thin volume).
    """
    pool = _number(host, device.pool)
    for unit in (SECTOR, *(layer.unit for layer in device.layers)):
        if device.size <= 0 or device.size % unit:
            raise DeviceError(
                "{}: {} bytes is no multiple of {}-byte blocks",
                names.device(device.uuid),
                device.size,
                unit,
            )
    exported, done = _ensure_stack(host, device, pool)
    done.append(_ensure_node(host, device.uuid, exported))
    return next((d for d in done if d is not Ensured.UNCHANGED), Ensured.UNCHANGED)


def ensure_no_device(host: Host, uuid: str) -> Ensured:
    """Remove the device and its node; the thin volume stays. EBUSY while anything uses it."""
    done = Ensured.UNCHANGED
    for name in stack(host, uuid):
        host.mapper.remove(name)
        done = Ensured.CHANGED
    if host.files.exists(names.device_node(uuid)):
        host.files.unlink(names.device_node(uuid))
        done = Ensured.CHANGED
    return done


def devices(host: Host) -> set[str]:
    """Return the uuids of exported devices that exist, even in part, in the kernel or /dev."""
    uuids = {names.uuid_of_device(device.uuid) for device in host.mapper.devices()}
    if host.files.is_dir(names.NODES):
        uuids |= set(host.files.listdir(names.NODES))
    return uuids - {""}


def exists(host: Host, uuid: str) -> bool:
    """Return whether an exported device exists, even in part, in the kernel or /dev."""
    has_device = any(host.mapper.state(name) for name in _names(uuid))
    return has_device or host.files.exists(names.device_node(uuid))


def stack(host: Host, uuid: str) -> list[str]:
    """Return the names of the device-mapper devices that an exported device consists of.

    The device that hosts see comes first, the thin target last: a stack is suspended and removed in
    this order, and resumed in the opposite one.
    """
    return [name for name in _names(uuid) if host.mapper.state(name)]


def used(host: Host, uuid: str) -> int:
    """Return the bytes that a device occupies in its pool. Raises DeviceError if it has failed."""
    for name in names.device(uuid), names.layer_device(uuid, names.THIN):
        status = next(iter(_status(host, name)), None)
        if status and status.kind == "thin":
            mapped = status.arguments.split()[0]
            if not mapped.isdigit():
                raise DeviceError(f"{name}: the thin volume answers {mapped!r}")
            return int(mapped) * SECTOR
    raise DeviceError("{}: there is no such device", names.device(uuid))


def _status(host: Host, name: str) -> list[Target]:
    """Return the status of a device's targets, nothing where there is no such device."""
    try:
        return host.mapper.status(name)
    except RequestError as error:
        if error.errno != errno.ENXIO:
            raise
        return []


def _names(uuid: str) -> Iterator[str]:
    """Yield the names that devices of a stack may have, from the one that hosts see."""
    yield names.device(uuid)
    for layer in (*reversed(layers.ORDER), names.THIN):
        yield names.layer_device(uuid, layer)


def _send(host: Host, pool: str, message: str, done: Ensured, done_before: int) -> Ensured:
    try:
        host.mapper.message(pool, message)
    except RequestError as error:
        if error.errno != done_before:
            raise
        return Ensured.UNCHANGED
    return done


class _Part(NamedTuple):
    """One device-mapper device of a stack; the one of the thin target has no layer."""

    name: str
    uuid: str
    layer: Layer | None


def _parts(host: Host, device: ThinDevice) -> list[_Part]:
    """Return the desired parts of a device, from the bottom to the one that hosts see."""
    needed = [layer for layer in device.layers if layer.needed(host)]
    below = names.layer_device(device.uuid, names.THIN)
    # A thin target below others means that they are live.
    if len(needed) < len(device.layers) and host.mapper.state(below):
        needed = list(device.layers)
    parts = [
        _Part(names.layer_device(device.uuid, name), names.layer_uuid(device.uuid, name), layer)
        for name, layer in ((names.THIN, None), *((each.name, each) for each in needed))
    ]
    exported = parts.pop()
    return [
        *parts,
        _Part(names.device(device.uuid), names.device_uuid(device.uuid), exported.layer),
    ]


def _ensure_stack(
    host: Host, device: ThinDevice, pool_number: str
) -> tuple[MappedDevice, list[Ensured]]:
    """Ensure the devices of a stack; return the one that hosts see, and the results."""
    sectors = device.size // SECTOR
    first, *above = _parts(host, device)
    state = host.mapper.state(first.name)
    if _sectors(state) > sectors:
        _shrink_layers(host, (first, *above), sectors)
    thin = Target(0, sectors, "thin", f"{pool_number} {device.thin_id}")
    below, outcome = _ensure_mapped(host, first, state, [thin])
    done = [outcome]
    for part in above:
        table = _table(part, below, sectors)
        below, outcome = _ensure_mapped(host, part, host.mapper.state(part.name), table)
        done.append(outcome)
    return below, done


def _shrink_layers(host: Host, parts: Sequence[_Part], sectors: int) -> None:
    """Shrink the layers of a stack, from the top; missing ones are created later."""
    for lower, part in reversed(list(pairwise(parts))):
        below, state = host.mapper.state(lower.name), host.mapper.state(part.name)
        if below and _sectors(state) > sectors:
            _ensure_mapped(host, part, state, _table(part, below.device, sectors))


def _table(part: _Part, below: MappedDevice, sectors: int) -> list[Target]:
    assert part.layer is not None
    return part.layer.table(below, sectors)


def _size_of(host: Host, number: str) -> int:
    """Return the bytes of the mapped device with this number, "253:1"."""
    [name] = [d.name for d in host.mapper.devices() if f"{d.major}:{d.minor}" == number]
    return _sectors(host.mapper.state(name)) * SECTOR


def _sectors(state: MappedState | None) -> int:
    return sum(target.length for target in state.table) if state else 0


def _ensure_mapped(
    host: Host, part: _Part, state: MappedState | None, table: list[Target]
) -> tuple[MappedDevice, Ensured]:
    """Activate one device-mapper device, of which `state` is known, with a table."""
    if state is None:
        device = host.mapper.create(part.name, part.uuid)
    elif state.device.uuid != part.uuid:
        text = f"{part.name}: belongs to something else, its uuid is {state.device.uuid!r}"
        raise DeviceError(text)
    else:
        device = state.device
        if state.live and not state.suspended and list(state.table) == table:
            return device, Ensured.UNCHANGED
    host.mapper.load(part.name, table)
    host.mapper.resume(part.name)
    return device, Ensured.CHANGED if state and state.live else Ensured.CREATED


def _ensure_node(host: Host, uuid: str, device: MappedDevice) -> Ensured:
    """Create the device's node; replace one with another number, left over from another boot."""
    path = names.device_node(uuid)
    number = (device.major, device.minor)
    if host.files.block_number(path) == number:
        return Ensured.UNCHANGED
    if host.files.exists(path):
        host.files.unlink(path)
    host.files.make_block_node(path, *number)
    return Ensured.CREATED
