"""Make arrays of empty disks, and dissolve them."""

from __future__ import annotations

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host
from sanstone.kernel.storage import block
from sanstone.kernel.storage.md.array import (
    CHUNK,
    RAID_TYPES,
    Array,
    ArrayError,
    RaidType,
    require_sectors,
)
from sanstone.kernel.storage.md.assembly import (
    CONFIGURATION,
    ensure_running,
    ensure_stopped,
    stop_claims,
)
from sanstone.kernel.storage.md.running import is_assembled
from sanstone.kernel.storage.md.superblocks import ensure_erased, was_written_to


def ensure_created(host: Host, array: Array) -> Ensured:
    """Create the array from empty disks and start it; redo an interrupted creation.

    Raises ContentError when a disk has foreign content, ArrayError when there are too few disks,
    their sectors differ, or an existing array with this UUID may hold data but cannot be started.
    """
    raid_type = RAID_TYPES[array.raid_type]
    if len(array.disks) < raid_type.minimum_disks:
        raise ArrayError(
            "{}: {} takes at least {} disks, not {}",
            array.name,
            array.raid_type,
            raid_type.minimum_disks,
            len(array.disks),
        )
    if is_assembled(host, array.device):
        return Ensured.UNCHANGED
    carriers = sorted(block.require_empty(host, array.disks, array_uuid=array.uuid))
    if carriers and was_written_to(host, carriers):
        return ensure_running(host, array)
    require_sectors(host, array, array.disks, block.sector_size(host, array.disks[0]))
    stop_claims(host, array.device, array.uuid, array.disks)
    if carriers:
        host.commands.run(["mdadm", "--zero-superblock", *carriers])
    host.commands.run(_create(host, array, raid_type))
    return Ensured.CREATED


def ensure_removed(host: Host, array: Array) -> Ensured:
    """Stop the array and erase its superblocks from those of `array.disks` that carry them."""
    stopped = ensure_stopped(host, array.aggregate, array.number)
    stop_claims(host, array.device, array.uuid, array.disks)
    erased = ensure_erased(host, array.uuid, array.disks)
    return erased if stopped is Ensured.UNCHANGED else stopped


def _create(host: Host, array: Array, raid_type: RaidType) -> list[str]:
    """Return the command that creates the array."""
    argv = ["mdadm", "--create", f"/dev/md/{array.name}", CONFIGURATION, "--run", "--metadata=1.2"]
    argv += [f"--homehost={names.HOME_HOST}", f"--name={array.name}", f"--uuid={array.uuid}"]
    argv += [f"--level={raid_type.level}", f"--raid-devices={len(array.disks)}"]
    if raid_type.level != "1":
        argv.append(f"--chunk={CHUNK // 1024}")
    if raid_type.level != "0":
        argv.append("--bitmap=internal")
    if len(array.disks) == 1:
        argv.append("--force")  # mdadm takes a single disk for a mistake otherwise
    if _clears_disks(host, array):
        argv.append("--write-zeroes")
    return [*argv, *array.disks]


def _clears_disks(host: Host, array: Array) -> bool:
    """Return whether creating the array clears its disks, which takes its time."""
    parity = RAID_TYPES[array.raid_type].level != "0"
    return parity and all(block.zeroes_itself(host, disk) for disk in array.disks)
