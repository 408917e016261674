"""Widen an array that runs: md spreads its data over more disks while hosts use it, a reshape.

No backup file is needed: arrays are created with room before the data, by which md shifts it
(mdadm: Grow.c, "data_offset"). The superblocks hold a reshape's position, so that a power cut loses
nothing. But an array that was stopped in it comes up auto-read-only, and stands still until
something is written to it or its state is set to active (md(4), "array_state"). The array gets its
larger size at the end. A reshape cannot be taken back, nor stopped for good.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host
from sanstone.kernel.storage.md.array import RAID_TYPES, Array, ArrayError
from sanstone.kernel.storage.md.running import status


def ensure_width(host: Host, array: Array, width: int) -> Ensured:
    """Have an array be spread over `width` disks, which must be in it already.

    A reshape begins, unless one runs, or the array does something else: md refuses it then, and a
    later call begins it. Raises ArrayError for a RAID type that is not widened, CommandError.
    """
    current = status(host, array.aggregate, array.number)
    if current is None or current.raid_disks >= width or current.state != "clean":
        return Ensured.UNCHANGED
    if not RAID_TYPES[array.raid_type].parity_disks:
        raise ArrayError("{}: {} is not widened", array.name, array.raid_type)
    desired = {PurePosixPath(disk).name for disk in array.disks}
    spares = [m for m in current.members if m.state == "spare" and m.device in desired]
    if current.raid_disks + len(spares) < width:
        return Ensured.UNCHANGED
    # One that nothing was written to since its start refuses (update_raid_disks() in md.c).
    _end_waiting(host, array.device)
    host.commands.run(["mdadm", "--grow", array.device, f"--raid-devices={width}"])
    return Ensured.CHANGED


def ensure_reshaping(host: Host, device: str) -> Ensured:
    """Have a reshape go on that stands still since its array was started. Raises HostError."""
    path = f"/sys/block/{PurePosixPath(device).name}/md/reshape_position"
    if not host.files.exists(path) or host.files.read(path) == "none":
        return Ensured.UNCHANGED
    return _end_waiting(host, device)


def _end_waiting(host: Host, device: str) -> Ensured:
    """Have an array be active that waits for its first write since it was started."""
    path = f"/sys/block/{PurePosixPath(device).name}/md/array_state"
    if host.files.read(path) != "read-auto":
        return Ensured.UNCHANGED
    host.files.write(path, "active")
    return Ensured.CHANGED
