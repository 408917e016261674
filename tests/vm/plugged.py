"""Disks that are plugged into a running array, as into a drive bay."""

from __future__ import annotations

from pathlib import Path

from lab.health import Inspector
from lab.patience import eventually
from lab.station import Array

HEAR_NEIGHBOURS = """
for disk in $(lsblk --nodeps --noheadings --output PATH --include 8,11); do
    dd if=$disk of=/dev/null bs=2048 count=1 iflag=direct status=none
done
"""
"""Each SCSI device reports to its next reader that another one came or went. This reads all, so
that none reports it later."""


def plug_in_disk(array: Array, file: Path, serial: str) -> None:
    """Plug a disk in that is backed by a file."""
    array.machine.plug_in_disk(file, serial)
    array.run(HEAR_NEIGHBOURS)


def plug_into_bay(array: Array, file: Path, serial: str, bay: str) -> None:
    """Plug an NVMe disk in that is backed by a file, and wait until the kernel has found it."""
    array.machine.plug_into_bay(file, serial, bay)
    eventually(lambda: is_there(array, serial))


def pull_out_of_bay(array: Array, serial: str, inspector: Inspector) -> None:
    """Pull an NVMe disk out of its bay, whatever it is used for, and wait until it is gone."""
    inspector.expect_removal(array.machine, device(array, serial))
    array.machine.pull_disk(serial)
    eventually(lambda: not is_there(array, serial))


def is_there(array: Array, serial: str) -> bool:
    """Return whether the kernel knows a disk."""
    return serial in array.run("lsblk --nodeps --noheadings --output SERIAL").split()


def device(array: Array, serial: str) -> str:
    """Return the kernel's name of a disk, such as nvme0n1."""
    listed = array.run("lsblk --nodeps --noheadings --output NAME,SERIAL").splitlines()
    return next(line.split()[0] for line in listed if line.split()[1:] == [serial])


def unplug_disk(array: Array, serial: str, inspector: Inspector) -> None:
    """Pull a disk that was plugged in; its file keeps its data.

    Not while udev reads the disk after the last write: it would complain. The array may be reading
    it all the same: it looks at all disks from time to time.
    """
    array.run("udevadm settle")
    inspector.expect_removal(array.machine, device(array, serial))
    array.machine.pull_disk(serial)
    eventually(lambda: not is_there(array, serial))
    array.run(HEAR_NEIGHBOURS)


def wait_until_spare(array: Array, *serials: str) -> None:
    """Wait until the array offers these disks, or all of the lab's, after some were wiped.

    The kernel does not report that a disk was wiped, and the array looks at all disks seldom: so
    the disks are announced, as if they had been plugged in.
    """
    array.run(
        "shopt -s nullglob; for disk in /sys/block/{vd,ubd}*; do echo add > $disk/uevent; done"
    )
    wiped = "|".join(serials) or "LAB-DISK-*"
    unwanted = {"serial_number": wiped, "container_type": "!spare"}
    eventually(lambda: not array.api.get("storage/disks", **unwanted)["records"])


def sparse_file(path: Path, size: int) -> Path:
    """Create a file of this size that takes no space yet."""
    with path.open("wb") as empty:
        empty.truncate(size)
    return path
