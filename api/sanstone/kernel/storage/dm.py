"""Thin devices: what a LUN or namespace is made of.

An aggregate's thin pool belongs to LVM; the thin volumes in it are ours, as they are containerd's
and stratisd's. Two things make one, and they are apart on purpose:

* the volume in the pool, known by its number (`ensure_thin`, `ensure_no_thin`): it holds the data
  and lives as long as the object does. Numbers come from the database before the message is sent
  and are never reused, so "exists already" can only mean "done before";
* the device that the kernel shows for it (`ensure_device`, `ensure_no_device`), which a boot makes
  anew. Its name and uuid come from the object's UUID and never change; its table may.

A device of 512-byte blocks is the thin target itself. For one of 4,096-byte blocks on disks of 512
the thin target is a lower device and a sector adapter lies on it, because nvmet shows the logical
block size of its device and has no setting for another. The adapter is dm-crypt with the null
cipher and `sector_size:4096` (drivers/md/dm-crypt.c, crypt_io_hints: it raises the logical block
size). It copies the data, passes flushes and, with `allow_discards`, discards, and with both
work queues off does so in the context of the caller. The target meant for such work, dm-ebs, would
copy nothing but is missing from Debian's kernels; dm-crypt is in all.

Traps:

* dm-thin answers a message or a table for an unknown number with ENODATA, one for a taken number
  with EEXIST (drivers/md/dm-thin-metadata.c), and refuses messages with EOPNOTSUPP while the pool
  is read-only. Each such refusal is also a line in the kernel's log, so a caller remembers which
  volumes it made and does not ask at every boot.
* An adapter must never be larger than what it lies on: it grows after its lower device and shrinks
  before it.
* A device may be found without a table or suspended where somebody died between two requests;
  loading and resuming mends both.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError, RequestError, Target

SECTOR = 512
"""Bytes of device-mapper's unit of length, whatever the block size."""

MAXIMUM_THIN_ID = 2**24 - 1
"""drivers/md/dm-thin.c, MAX_DEV_ID: a thin volume's number has 24 bits."""


class DeviceError(HostError):
    """A device or pool is not as it must be; the text says what was found."""


@dataclass(frozen=True)
class ThinDevice:
    """A wanted exported device."""

    uuid: str
    pool: str
    """The device-mapper name of the pool (`names.pool_device`)."""
    thin_id: int
    """0 to MAXIMUM_THIN_ID, never reused within a pool."""
    size: int
    """Bytes, a multiple of `block_size`."""
    block_size: int = 512
    """The logical block size that hosts see: 512 or 4096."""


@dataclass(frozen=True)
class PoolStatus:
    """A thin pool; sizes in bytes. What a failed one uses is not known and given as 0."""

    mode: str
    """rw, ro, out_of_data_space or failed. In every other than rw, writes may be refused."""
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

    Raises DeviceError when the device of this name is no pool.
    """
    state = host.mapper.state(pool)
    if state is None or not state.live:
        return None
    table, status = host.mapper.table(pool)[0], host.mapper.status(pool)[0]
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
    """Make a thin volume in the pool; one that exists already is taken for done.

    Raises RequestError: ENXIO when the pool is not active, EOPNOTSUPP when it is read-only.
    """
    return _send(host, pool, f"create_thin {thin_id}", Ensured.CREATED, errno.EEXIST)


def ensure_no_thin(host: Host, pool: str, thin_id: int) -> Ensured:
    """Delete a thin volume with its data. Raises RequestError EBUSY while its device exists."""
    return _send(host, pool, f"delete {thin_id}", Ensured.CHANGED, errno.ENODATA)


def ensure_device(host: Host, wanted: ThinDevice) -> Ensured:
    """Make the device live with the wanted table and size, and give it its node.

    The thin volume must exist (`ensure_thin`). Also grows or shrinks, online, and finishes what was
    cut short. Raises DeviceError when something else has the name or the size is impossible,
    RequestError for what the kernel refuses (ENODATA: there is no such thin volume).
    """
    pool = host.mapper.state(wanted.pool)
    if pool is None or not pool.live:
        raise DeviceError(f"{wanted.pool}: the pool is not active")
    if wanted.size <= 0 or wanted.size % wanted.block_size:
        raise DeviceError(
            f"{names.device(wanted.uuid)}: {wanted.size} bytes is no multiple of "
            f"{wanted.block_size}-byte blocks"
        )
    done = [_ensure_thin_target(host, wanted, f"{pool.device.major}:{pool.device.minor}")]
    done.append(_ensure_node(host, wanted.uuid))
    return next((d for d in done if d is not Ensured.UNCHANGED), Ensured.UNCHANGED)


def ensure_no_device(host: Host, uuid: str) -> Ensured:
    """Take the device and its node away; the thin volume stays. EBUSY while anything uses it."""
    done = Ensured.UNCHANGED
    for name in (names.device(uuid), names.lower_device(uuid)):
        if host.mapper.state(name):
            host.mapper.remove(name)
            done = Ensured.CHANGED
    if host.files.exists(names.device_node(uuid)):
        host.files.unlink(names.device_node(uuid))
        done = Ensured.CHANGED
    return done


def devices(host: Host) -> set[str]:
    """Return the uuids of all exported devices of which the kernel or /dev has any part."""
    found = {names.uuid_of_device(device.uuid) for device in host.mapper.devices()}
    if host.files.is_dir(names.NODES):
        found |= set(host.files.listdir(names.NODES))
    return found - {""}


def exists(host: Host, uuid: str) -> bool:
    """Return whether the kernel or /dev has any part of an exported device."""
    parts = names.device(uuid), names.lower_device(uuid)
    node = names.device_node(uuid)
    return any(host.mapper.state(name) for name in parts) or host.files.exists(node)


def used(host: Host, uuid: str) -> int:
    """Return the bytes that a device occupies in its pool. Raises DeviceError if it has failed."""
    for name in (names.lower_device(uuid), names.device(uuid)):
        if host.mapper.state(name):
            mapped = host.mapper.status(name)[0].arguments.split()[0]
            if not mapped.isdigit():
                raise DeviceError(f"{name}: the thin volume answers {mapped!r}")
            return int(mapped) * SECTOR
    raise DeviceError(f"{names.device(uuid)}: there is no such device")


def _send(host: Host, pool: str, message: str, done: Ensured, done_before: int) -> Ensured:
    try:
        host.mapper.message(pool, message)
    except RequestError as error:
        if error.errno != done_before:
            raise
        return Ensured.UNCHANGED
    return done


def _ensure_thin_target(host: Host, wanted: ThinDevice, pool_number: str) -> Ensured:
    """Make the device-mapper devices of an exported device: one, or two with an adapter."""
    upper, uuid = names.device(wanted.uuid), names.device_uuid(wanted.uuid)
    sectors = wanted.size // SECTOR
    thin = Target(0, sectors, "thin", f"{pool_number} {wanted.thin_id}")
    if wanted.block_size == SECTOR:
        return _ensure_mapped(host, upper, uuid, thin)
    lower, lower_uuid = names.lower_device(wanted.uuid), names.lower_device_uuid(wanted.uuid)
    shrinking = _sectors(host, lower) > sectors
    if not shrinking:
        done = _ensure_mapped(host, lower, lower_uuid, thin)
    below = host.mapper.state(lower)
    assert below is not None
    adapter = Target(
        0,
        sectors,
        "crypt",
        f"cipher_null-ecb - 0 {below.device.major}:{below.device.minor} 0 4 allow_discards "
        f"no_read_workqueue no_write_workqueue sector_size:{wanted.block_size}",
    )
    above = _ensure_mapped(host, upper, uuid, adapter)
    if shrinking:
        done = _ensure_mapped(host, lower, lower_uuid, thin)
    return above if done is Ensured.UNCHANGED else done


def _size_of(host: Host, number: str) -> int:
    """Return the bytes of the mapped device with this number, "253:1"."""
    [name] = [d.name for d in host.mapper.devices() if f"{d.major}:{d.minor}" == number]
    return _sectors(host, name) * SECTOR


def _sectors(host: Host, name: str) -> int:
    state = host.mapper.state(name)
    return sum(target.length for target in host.mapper.table(name)) if state else 0


def _ensure_mapped(host: Host, name: str, uuid: str, target: Target) -> Ensured:
    """Make one device-mapper device live with a table of one target."""
    state = host.mapper.state(name)
    if state is None:
        host.mapper.create(name, uuid)
    elif state.device.uuid != uuid:
        raise DeviceError(f"{name}: belongs to something else, its uuid is {state.device.uuid!r}")
    elif state.live and not state.suspended and host.mapper.table(name) == [target]:
        return Ensured.UNCHANGED
    host.mapper.load(name, [target])
    host.mapper.resume(name)
    return Ensured.CHANGED if state and state.live else Ensured.CREATED


def _ensure_node(host: Host, uuid: str) -> Ensured:
    """Give the device its node; one with another number is left over from another boot."""
    path = names.device_node(uuid)
    state = host.mapper.state(names.device(uuid))
    assert state is not None
    number = (state.device.major, state.device.minor)
    if host.files.block_number(path) == number:
        return Ensured.UNCHANGED
    if host.files.exists(path):
        host.files.unlink(path)
    host.files.make_block_node(path, *number)
    return Ensured.CREATED
