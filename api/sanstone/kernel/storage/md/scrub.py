"""Scrub a RAID group: read all of its disks, and compare the data with parity or copies.

That is md's check (md(4), "SCRUBBING AND MISMATCHES"). A sector that a disk cannot read is written
anew from the others. What does not agree is counted and stays as it is: md's repair would compute
parity anew out of the data, and make what rotted the truth.

md forgets at a stop of the array how far it was; a check that was interrupted goes on at the sector
that `begin` takes. While one runs or is interrupted, `sync_max` is `MARK`, which no array reaches;
md sets it to "max" when a check comes to its end (md_do_sync() in drivers/md/md.c). So an end
differs from an interruption.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from sanstone.kernel.host import Host, HostError

RATE = 51200
"""KiB/s that a scrub reads of each disk at most: a fifth of what a hard disk reads in sequence, so
that hosts keep the rest, and enough for 20 TB in five days, within the week of the schedule. md
goes down to `sync_speed_min` while hosts use the disks."""
MARK = 1 << 62
"""A sector behind all arrays, and a multiple of any chunk, as md demands."""


@dataclass(frozen=True)
class Scrub:
    """The state of md's last check. `sector` is how far it is, of `sectors`, 0 for unknown."""

    is_running: bool
    is_complete: bool
    """Whether it came to its end, and was not interrupted."""
    sector: int
    sectors: int
    mismatches: int
    """Sectors that did not agree, since it began or went on."""


def scrubbed(host: Host, device: str) -> Scrub | None:
    """Return the state of a running array's last check; None for one without redundancy."""
    base = _base(device)
    if not host.files.exists(f"{base}/sync_action"):
        return None
    is_running = host.files.read(f"{base}/sync_action") == "check"
    last = host.files.read(f"{base}/last_sync_action")
    done, _, total = host.files.read(f"{base}/sync_completed").partition(" / ")
    is_counted = is_running and bool(total)
    return Scrub(
        is_running=is_running,
        is_complete=last == "check" and host.files.read(f"{base}/sync_max") == "max",
        sector=int(done if is_counted else host.files.read(f"{base}/sync_min")),
        sectors=int(total) if is_counted else 0,
        mismatches=int(host.files.read(f"{base}/mismatch_cnt")),
    )


def begin_scrub(host: Host, device: str, sector: int = 0) -> None:
    """Have an array that runs check itself from a sector on, unless it does. Raises HostError.

    The array must be whole and do nothing else.
    """
    base = _base(device)
    if host.files.read(f"{base}/sync_action") == "check":
        return
    try:
        host.files.write(f"{base}/sync_speed_max", str(RATE))
        host.files.write(f"{base}/sync_max", str(MARK))
        host.files.write(f"{base}/sync_min", str(sector))
        host.files.write(f"{base}/sync_action", "check")
    except HostError:
        # Or a rebuild would keep to the rate of a check that never began.
        host.files.write(f"{base}/sync_max", "max")
        host.files.write(f"{base}/sync_speed_max", "system")
        raise


def pause_scrub(host: Host, device: str) -> bool:
    """Interrupt a check, and give what else md does its own rate again. Return whether one ran.

    `scrubbed` tells where it goes on. md loses the order while the check has not started yet
    (stop_sync_thread() in drivers/md/md.c), so a caller looks whether it ended. Raises HostError.
    """
    base = _base(device)
    if not host.files.exists(f"{base}/sync_action"):
        return False
    ran = host.files.read(f"{base}/sync_action") == "check"
    if ran:
        host.files.write(f"{base}/sync_action", "idle")
    if host.files.read(f"{base}/sync_speed_max").endswith("(local)"):
        host.files.write(f"{base}/sync_speed_max", "system")
    return ran


def _base(device: str) -> str:
    return f"/sys/block/{PurePosixPath(device).name}/md"
