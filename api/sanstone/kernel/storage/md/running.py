"""Arrays that run, as sysfs shows them."""

from __future__ import annotations

import errno
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from sanstone.kernel import names
from sanstone.kernel.host import FileError, Host
from sanstone.kernel.storage import block
from sanstone.kernel.storage.md.array import CHUNK, RAID_TYPES


@dataclass(frozen=True)
class Member:
    """A disk in a running array, or the layer on it that md has.

    `state`: in_sync; replacing (in sync, being copied to another); rebuilding; spare; faulty; gone
    (its disk is not there any more, which md has not noticed).
    """

    device: str
    """The kernel's name, "sda" or "dm-3"."""
    state: str
    slot: int | None


@dataclass(frozen=True)
class ArrayStatus:
    """A running array."""

    device: str
    level: str
    """The kernel's: raid6, raid4, raid5, raid10, raid1, raid0."""
    size: int
    """Bytes."""
    raid_disks: int
    missing_disks: int
    state: str
    """clean, degraded, resyncing, rebuilding, checking, reshaping, failed or inactive."""
    percent: float | None
    """How far a resync, rebuild or check has come; None when there is none."""
    seconds_left: int | None
    """How long that takes yet, if it goes on as now; None for unknown."""
    members: tuple[Member, ...]
    full_stripe: int
    """Bytes of data in one stripe over all data disks."""
    sector_size: int
    """Bytes of its logical sector."""


FAILED = "failed"
"""The state of an array that lost too many disks to be read any more."""
NOT_RUNNING = ("clear", "inactive", "readonly")
"""The kernel's names. A killed reader leaves a read-only array, see `readable`."""
_ACTIVITIES = {
    "recover": "rebuilding",
    "resync": "resyncing",
    "check": "checking",
    "repair": "checking",
    "reshape": "reshaping",
}


def status(host: Host, aggregate: str, number: int) -> ArrayStatus | None:
    """Return the kernel's status of an array (md(4), "SYSFS INTERFACE"); None if not assembled."""
    device = names.array_device(aggregate, number)
    base = f"/sys/block/{PurePosixPath(device).name}"
    kernel_state = array_state(host, PurePosixPath(device).name)
    if kernel_state is None:
        return None

    def attribute(name: str) -> str:
        path = f"{base}/md/{name}"
        return host.files.read(path) if host.files.exists(path) else ""

    level = attribute("level")
    raid_type = next((t for t in RAID_TYPES.values() if level == f"raid{t.level}"), None)
    # Empty while mdadm, in another process, is still creating it (drivers/md/md.c,
    # raid_disks_show).
    raid_disks = int((attribute("raid_disks").split() or ["0"])[0])
    current = members(host, device)
    missing = raid_disks - len({m.slot for m in current if m.state in ("in_sync", "replacing")})
    activity = attribute("sync_action")
    if kernel_state in NOT_RUNNING or raid_type is None:
        state = "inactive"
    elif kernel_state == "broken" or missing > raid_type.survives(raid_disks):
        state = FAILED
    elif attribute("reshape_position") not in ("", "none"):
        # It may stand still, see `growth`.
        state = "reshaping"
    else:
        state = _ACTIVITIES.get(activity, "degraded" if missing else "clean")
    done, _, total = attribute("sync_completed").partition(" / ")
    return ArrayStatus(
        device=device,
        level=level,
        size=int(host.files.read(f"{base}/size")) * 512,
        raid_disks=raid_disks,
        missing_disks=missing,
        state=state,
        percent=100 * int(done) / int(total) if total else None,
        seconds_left=_seconds_left(done, total, attribute("sync_speed")),
        members=current,
        full_stripe=CHUNK * (raid_type.data_disks(raid_disks) if raid_type else 1),
        sector_size=block.sector_size(host, device),
    )


def _seconds_left(done: str, total: str, speed: str) -> int | None:
    """Return how long the rest of some sectors takes; `speed` is in KiB/s."""
    if not total or not speed.isdigit() or not int(speed):
        return None
    return (int(total) - int(done)) // 2 // int(speed)


def array_state(host: Host, name: str) -> str | None:
    """Return an array's state as the kernel calls it; None where there is no array of this name.

    One that was just stopped has its files for a moment yet, and none of them can be read (EBUSY:
    md_attr_show, mddev_get in drivers/md/md.c).
    """
    path = f"/sys/block/{name}/md/array_state"
    if not host.files.exists(path):
        return None
    try:
        return host.files.read(path)
    except FileError as error:
        if error.errno in (errno.EBUSY, errno.ENODEV, errno.ENOENT):
            return None
        raise


def is_assembled(host: Host, device: str) -> bool:
    """Return whether an array runs; one that is partly assembled does not."""
    return array_state(host, PurePosixPath(device).name) not in (None, *NOT_RUNNING)


def members(host: Host, device: str) -> tuple[Member, ...]:
    """Return the members of a running array, in the kernel's order. Raises FileError."""
    base = f"/sys/block/{PurePosixPath(device).name}/md"
    entries = [entry for entry in host.files.listdir(base) if entry.startswith("dev-")]

    def attribute(entry: str, name: str) -> str:
        path = f"{base}/{entry}/{name}"
        return host.files.read(path) if host.files.exists(path) else ""

    listed = (
        _member(entry.removeprefix("dev-"), attribute(entry, "state"), attribute(entry, "slot"))
        for entry in entries
    )
    return tuple(
        member
        if member.state == "faulty" or _is_there(host, member.device)
        else replace(member, state="gone")
        for member in listed
    )


def _member(device: str, state: str, slot: str) -> Member:
    flags = state.split(",")
    number = int(slot) if slot.isdigit() else None
    if "faulty" in flags:
        word = "faulty"
    elif "in_sync" in flags:
        word = "replacing" if "want_replacement" in flags else "in_sync"
    else:
        word = "spare" if number is None else "rebuilding"
    return Member(device, word, number)


def _is_there(host: Host, device: str) -> bool:
    """Return whether the disk of a member is there; a layer on it would stay without it."""
    base = "/sys/class/block"
    if not host.files.exists(f"{base}/{device}"):
        return False
    disk = block.disk_under(host, device)
    return bool(disk) and host.files.exists(f"{base}/{disk}")
