"""Aggregates: an LVM volume group with one thin pool and one small volume for the configuration.

LVM creates, grows, checks and repairs the pool; the thin volumes in it are ours (`dm`). A pool with
transaction id 0 and no volumes of LVM's own is left to an external user: LVM neither compares ids
nor sends messages then (lvm2: libdm/libdm-deptree.c, _thin_pool_node_send_messages) and shows it
under its plain name.

Every command names its devices, so that LVM sees our arrays and nothing else: not the system disk,
and never a volume group that a host created inside a LUN. Each takes 0.2 to 3 s under emulation, so
a group that is known to be active costs none.

Layout of the space. A pool's metadata take 32.5 bytes per chunk that is mapped once
(thin_metadata_size: 126 mappings in a half full block of 4 KiB); LVM allots 64, so that every chunk
can also be mapped by one snapshot, and so do we, with 64 MiB at least and the kernel's 15.9 GiB at
most. A chunk has 64 KiB, or more if needed for the pool to double before its metadata reach that
limit: 64 KiB up to 7.9 TiB, 1 MiB beyond 64 TiB. Three times the metadata's size is set aside: in
use, LVM's spare for a repair, and one more because a repair keeps the damaged copy.

Choices:

* New chunks are zeroed (`--zero y`): otherwise a LUN would show another one's old data, unless a
  write covers the whole chunk.
* `error_when_full`: when the pool is full, writes that need space fail at once. Queueing them, the
  default, blocks for a minute and then fails as well, and until then hosts abort commands and fail
  over between paths in vain. (An option of lvcreate too, but 2.03.31 refuses it for new pools.)
* Discards are passed down if the arrays support them; the space returns to the pool in any case.
* Two copies of LVM's metadata per array, at its two ends.
* `--setautoactivation n`: neither udev nor a boot activates the group, only we do.

Traps: a new array may contain an old one's signatures, so `ensure_created` erases them first. It is
for a group that is being created or grown; to activate a complete one, call `ensure_active`, which
never creates anything.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError

EXTENT = 4 * 1024**2
"""Bytes of an extent, LVM's unit of allocation (vgcreate(8), the default)."""

CONFIGURATION_SIZE = 64 * 1024**2
"""Bytes of the volume that holds the copy of the array's configuration."""

_MINIMUM_CHUNK, _MAXIMUM_CHUNK = 64 * 1024, 1024**2
_BYTES_PER_CHUNK = 64
_MINIMUM_METADATA = 64 * 1024**2
_MAXIMUM_METADATA = 255 * (2**14 - 64) * 4096 // EXTENT * EXTENT
"""drivers/md/dm-thin-metadata.h, THIN_METADATA_MAX_SECTORS, in whole extents."""


class GroupError(HostError):
    """A volume group is in an unexpected state; the text says which."""


@dataclass(frozen=True)
class PhysicalVolume:
    """A desired array in a volume group. The data is aligned to `full_stripe`, in bytes."""

    device: str
    full_stripe: int


@dataclass(frozen=True)
class Group:
    """A desired volume group."""

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
    devices: tuple[str, ...]
    missing_devices: int
    volumes: dict[str, str]
    """Its logical volumes, hidden ones in brackets, with their segment type (linear, thin-pool)."""
    pool_size: int
    pool_metadata_size: int
    pool_chunk_size: int
    pool_transaction_id: int


@dataclass(frozen=True)
class Layout:
    """The layout of a group's space, in bytes."""

    pool: int
    metadata: int
    chunk: int


def layout(size: int, chunk: int = 0) -> Layout:
    """Lay out a group of `size` bytes; `chunk` is that of an existing pool, which cannot change.

    Raises GroupError when the group is too small for a pool, or too large for one of such chunks.
    """
    chunk = chunk or chunk_size(size)
    metadata = metadata_size(size, chunk)
    pool = (size - CONFIGURATION_SIZE - 3 * metadata) // EXTENT * EXTENT
    if pool < EXTENT:
        raise GroupError("{} bytes are too few for a pool", size)
    if pool * _BYTES_PER_CHUNK // chunk > _MAXIMUM_METADATA:
        raise GroupError("{} bytes are too many for a pool with chunks of {} bytes", pool, chunk)
    return Layout(pool, metadata, chunk)


def chunk_size(pool_size: int) -> int:
    """Return the bytes of a chunk for a new pool of this many bytes: 64 KiB to 1 MiB."""
    chunk = _MINIMUM_CHUNK
    while chunk < _MAXIMUM_CHUNK and 2 * pool_size // chunk * _BYTES_PER_CHUNK > _MAXIMUM_METADATA:
        chunk *= 2
    return chunk


def metadata_size(pool_size: int, chunk: int) -> int:
    """Return the bytes of metadata for a pool: whole extents, 64 MiB to 15.9 GiB."""
    needed = math.ceil(pool_size / chunk) * _BYTES_PER_CHUNK
    return min(max(math.ceil(needed / EXTENT) * EXTENT, _MINIMUM_METADATA), _MAXIMUM_METADATA)


def report(host: Host, devices: Sequence[str]) -> list[GroupReport]:
    """Return the volume groups on the given arrays, with one command."""
    columns = {
        "vg": "vg_name,vg_size,vg_free,vg_missing_pv_count",
        "pv": "pv_name,pv_missing",
        "lv": "lv_name",
        "pvseg": "pvseg_start",
        "seg": "lv_name,segtype,seg_size,chunk_size,transaction_id",
    }
    options = ["--all", "--reportformat", "json", "--units", "b", "--nosuffix"]
    for kind, names_of_columns in columns.items():
        options += ["--configreport", kind, "--options", names_of_columns]
    answer = json.loads(_lvm(host, "fullreport", devices, *options))
    return [_group(part) for part in answer["report"] if part.get("vg")]


def ensure_created(host: Host, group: Group) -> Ensured:
    """Create the group with its pool and configuration volume, or grow it; leave them active.

    For an aggregate that is being created or gets more arrays. The remains of an interrupted
    creation are removed and created again; they lack a thin pool, which is created last, and a
    group with one is never removed. Raises GroupError when the arrays are too small or too large,
    or one that the group had before is missing.
    """
    existing = {part.name: part for part in report(host, group.devices)}.get(group.name)
    if existing and existing.volumes.get(names.POOL) == "thin-pool":
        done = ensure_active(host, group)
        grown = _grow(host, group, existing)
        return done if grown is Ensured.UNCHANGED else grown
    devices = group.devices
    if existing:
        _lvm(host, "vgremove", devices, "--force", "--yes", group.name)
    _erase(host, devices)
    options = [*_volume_options(group), "--setautoactivation", "n", group.name, *devices]
    _lvm(host, "vgcreate", devices, "--yes", "--physicalextentsize", f"{EXTENT}b", *options)
    options = ["--size", f"{CONFIGURATION_SIZE}b", "--wipesignatures", "y", "--zero", "y"]
    options += ["--name", names.CONFIGURATION, group.name]
    _lvm(host, "lvcreate", devices, "--yes", "--type", "linear", *options)
    [group_report] = report(host, devices)
    space = layout(group_report.size)
    options = ["--extents", str(space.pool // EXTENT), "--chunksize", f"{space.chunk}b"]
    options += ["--poolmetadatasize", f"{space.metadata}b", "--poolmetadataspare", "y"]
    options += ["--zero", "y", "--discards", "passdown", "--name", names.POOL, group.name]
    when_full = ["--config", "activation/error_when_full=1"]
    _lvm(host, "lvcreate", devices, *when_full, "--yes", "--type", "thin-pool", *options)
    return Ensured.CREATED


def ensure_active(host: Host, group: Group) -> Ensured:
    """Activate pool (after thin_check) and configuration volume. Never creates.

    Raises GroupError when an array is missing, CommandError when the pool's metadata are damaged
    (then see `repair`).
    """
    if is_active(host, group):
        return Ensured.UNCHANGED
    absent = [device for device in group.devices if not host.files.exists(device)]
    if absent:
        raise GroupError("{}: not there: {}", group.name, ", ".join(absent))
    _lvm(host, "vgchange", group.devices, "--activate", "y", group.name)
    return Ensured.CHANGED


def is_active(host: Host, group: Group) -> bool:
    """Return whether pool and configuration volume are active."""
    return all(_live(host, device) for device in _mapped(group))


@contextmanager
def readable(host: Host, group: Group) -> Iterator[None]:
    """Activate the configuration volume, and nothing else, for the duration of a block.

    Read-only, as read-only arrays need it (lvm.conf(5), `read_only_volume_list`). Raises
    CommandError.
    """
    if _live(host, names.configuration_device(group.aggregate)):
        yield
        return
    volume = f"{group.name}/{names.CONFIGURATION}"
    read_only = ["--config", f'activation/read_only_volume_list=["{volume}"]']
    _lvm(host, "lvchange", group.devices, *read_only, "--activate", "y", volume)
    try:
        yield
    finally:
        _lvm(host, "lvchange", group.devices, "--activate", "n", volume)


def ensure_inactive(host: Host, group: Group) -> Ensured:
    """Deactivate pool and configuration volume. Raises CommandError while thin devices exist."""
    if not any(host.mapper.state(device) for device in _mapped(group)):
        return Ensured.UNCHANGED
    _lvm(host, "vgchange", group.devices, "--activate", "n", group.name)
    return Ensured.CHANGED


def ensure_removed(host: Host, group: Group) -> Ensured:
    """Destroy the group with its content, and LVM's labels on its arrays.

    Raises CommandError while thin devices exist.
    """
    devices = [device for device in group.devices if host.files.exists(device)]
    if not devices:
        return Ensured.UNCHANGED
    done = Ensured.UNCHANGED
    if any(part.name == group.name for part in report(host, devices)):
        _lvm(host, "vgremove", devices, "--force", "--yes", group.name)
        done = Ensured.CHANGED
    _erase(host, devices)
    return done


def repair(host: Host, group: Group) -> None:
    """Rebuild the metadata of an inactive pool; the damaged ones are kept as `pool_meta0`."""
    pool = f"{group.name}/{names.POOL}"
    _lvm(host, "lvconvert", group.devices, "--yes", "--repair", pool)


def _lvm(host: Host, command: str, devices: Sequence[str], *options: str) -> str:
    return host.commands.run(["lvm", command, "--devices", ",".join(devices), *options])


def _volume_options(group: Group) -> list[str]:
    """Return the options of new physical volumes: data is aligned to the arrays' full stripes."""
    stripe = math.lcm(*(volume.full_stripe for volume in group.volumes))
    return ["--pvmetadatacopies", "2", "--dataalignment", f"{stripe}b"]


def _erase(host: Host, devices: Sequence[str]) -> None:
    """Erase all signatures on the arrays, such as an old array's LVM label."""
    host.commands.run(["wipefs", "--all", "--quiet", *devices])


def _grow(host: Host, group: Group, existing: GroupReport) -> Ensured:
    """Add arrays that the group lacks, take in what others grew, grow the pool over it, online."""
    if existing.missing_devices:
        raise GroupError("{}: {} of its arrays are missing", group.name, existing.missing_devices)
    done = Ensured.UNCHANGED
    size = existing.size
    # It changes nothing where an array is as large as LVM knows it.
    _lvm(host, "pvresize", group.devices, *existing.devices)
    new = [device for device in group.devices if device not in existing.devices]
    if new:
        _erase(host, new)
        options = [*_volume_options(group), group.name, *new]
        _lvm(host, "vgextend", group.devices, "--yes", *options)
    [existing] = [part for part in report(host, group.devices) if part.name == group.name]
    if new or existing.size != size:
        done = Ensured.CHANGED
    space = layout(existing.size, existing.pool_chunk_size)
    grow: list[str] = []
    if space.metadata > existing.pool_metadata_size:
        grow += ["--poolmetadatasize", f"{space.metadata}b"]
    if space.pool > existing.pool_size:
        grow += ["--extents", str(space.pool // EXTENT)]
    if grow:
        pool = f"{group.name}/{names.POOL}"
        _lvm(host, "lvextend", group.devices, "--yes", *grow, pool)
        done = Ensured.CHANGED
    return done


def _mapped(group: Group) -> tuple[str, str]:
    return names.pool_device(group.aggregate), names.configuration_device(group.aggregate)


def _live(host: Host, device: str) -> bool:
    state = host.mapper.state(device)
    return state is not None and state.live


def _group(part: dict[str, list[dict[str, str]]]) -> GroupReport:
    [group] = part["vg"]
    segments = part.get("seg", [])
    pool = next((row for row in segments if row["lv_name"] == names.POOL), {})
    metadata = f"[{names.POOL}_tmeta]"
    return GroupReport(
        name=group["vg_name"],
        size=int(group["vg_size"]),
        free=int(group["vg_free"]),
        devices=tuple(row["pv_name"] for row in part["pv"] if not row["pv_missing"]),
        missing_devices=int(group["vg_missing_pv_count"]),
        volumes={row["lv_name"]: row["segtype"] for row in segments},
        pool_size=int(pool.get("seg_size") or 0),
        pool_metadata_size=sum(int(s["seg_size"]) for s in segments if s["lv_name"] == metadata),
        pool_chunk_size=int(pool.get("chunk_size") or 0),
        pool_transaction_id=int(pool.get("transaction_id") or 0),
    )
