"""One scenario in the life of RAID groups for every form of `host.Host`.

It takes five empty disks through a scrub, a reshape that is interrupted, and a start while dirty
and degraded, and yields a line for each outcome; `raid_scenario.txt` holds the lines that it must
print. See `storage_scenario`: `python3 raid_scenario.py /dev/vdb …`.
"""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sanstone.kernel.host import FileError, Host, HostError
from sanstone.kernel.storage import block, md

AGGREGATE = "5c0e0000-2222-4111-8111-111111111111"
PATIENCE = 600
"""Seconds for a resync, a check or a reshape of disks of 2 GiB."""
SLOWLY, FAST = "1000", "system"


def refusal(call: Callable[[], object]) -> str:
    """Return the kind of error that a call is refused with."""
    try:
        call()
    except HostError as error:
        return type(error).__name__
    return "not refused"


def run(host: Host, disks: Sequence[str]) -> Iterator[str]:
    """Go through the scenario."""
    narrow = md.Array(AGGREGATE, 0, "raid_dp", tuple(disks[:4]))
    wide = replace(narrow, disks=tuple(disks[:5]))
    yield f"array made: {md.ensure_created(host, narrow).value}"
    _settle(host, narrow)
    yield from _scrub(host, narrow)
    yield from _growth(host, narrow, wide)
    yield from _dirty(host, wide)
    yield f"array destroyed: {md.ensure_removed(host, wide).value}"
    free = {disk.path for disk in block.disks(host) if not disk.obstacle}
    yield f"all disks are free again: {free >= set(disks)}"


def _scrub(host: Host, array: md.Array) -> Iterator[str]:
    yield f"not scrubbed: {_scrubbed(host, array)}"
    _begin(host, array)
    yield f"begun: {_scrubbed(host, array)}"
    paused = _pause(host, array)
    yield f"paused: {paused}, {_scrubbed(host, array)}"
    yield f"again: {md.pause_scrub(host, array.device)}"
    scrub = md.scrubbed(host, array.device)
    assert scrub is not None
    _go_on(host, array, scrub.sector)
    yield f"goes on: {_scrubbed(host, array)}"
    _pace(host, array, FAST)
    _settle(host, array)
    yield f"at its end: {_scrubbed(host, array)}"
    scrub = md.scrubbed(host, array.device)
    assert scrub is not None
    yield f"mismatches: {scrub.mismatches}, at sector {scrub.sector}"


def _growth(host: Host, narrow: md.Array, wide: md.Array) -> Iterator[str]:
    before = _status(host, narrow)
    _begin(host, narrow)
    yield f"a disk more during a scrub: {md.ensure_members(host, wide).value}"
    yield f"wider during a scrub: {md.ensure_width(host, wide, 5).value}"
    _pause(host, narrow)
    _pace(host, wide, SLOWLY)
    yield f"wider: {md.ensure_width(host, wide, 5).value}"
    yield f"again: {md.ensure_width(host, wide, 5).value}"
    yield f"to be told to go on: {md.ensure_reshaping(host, wide.device).value}"
    reshaping = _status(host, wide)
    yield f"array: {reshaping.state}, {reshaping.raid_disks} disks, {reshaping.missing_disks} away"
    yield f"its size is as before: {reshaping.size == before.size}"
    yield f"stopped: {md.ensure_stopped(host, AGGREGATE, 0).value}"
    yield f"started: {md.ensure_running(host, wide).value}"
    yield f"array: {_status(host, wide).state}"
    _pace(host, wide, FAST)
    # It stands still until something is written to it, which udev's programs may have done.
    md.ensure_reshaping(host, wide.device)
    yield f"to be told to go on: {md.ensure_reshaping(host, wide.device).value}"
    _settle(host, wide)
    after = _status(host, wide)
    yield f"array: {after.state}, larger: {after.size * 2 == before.size * 3}"


def _dirty(host: Host, array: md.Array) -> Iterator[str]:
    fewer = replace(array, disks=array.disks[:4])
    yield f"stopped: {md.ensure_stopped(host, AGGREGATE, 0).value}"
    _make_dirty(host, fewer)
    yield f"dirty and degraded: {refusal(lambda: md.ensure_running(host, fewer))}"
    forced = refusal(lambda: md.ensure_running(host, fewer, degraded=True))
    yield f"although it lacks a disk: {forced}"
    yield f"by order: {md.ensure_running(host, fewer, degraded=True, dirty=True).value}"
    _settle(host, fewer)
    yield f"array: {_status(host, fewer).state}, {_status(host, fewer).missing_disks} away"


def _make_dirty(host: Host, array: md.Array) -> None:
    """Have superblocks say that writes were under way; mdadm refuses to start the array then."""
    argv = ["mdadm", "--assemble", f"/dev/md/{array.name}", md.CONFIGURATION]
    try:
        host.commands.run([*argv, f"--uuid={array.uuid}", "--update=resync", *array.disks])
    except HostError:
        return
    raise AssertionError("it was to be refused")


def _scrubbed(host: Host, array: md.Array) -> str:
    scrub = md.scrubbed(host, array.device)
    assert scrub is not None
    return f"running {scrub.is_running}, complete {scrub.is_complete}"


def _status(host: Host, array: md.Array) -> md.ArrayStatus:
    group = md.status(host, array.aggregate, array.number)
    assert group is not None
    return group


def _pace(host: Host, array: md.Array, speed: str) -> None:
    """Set how fast md works on an array, in KiB/s of each disk."""
    base = f"/sys/block/{array.device.removeprefix('/dev/')}/md"
    if speed != FAST:
        host.files.write(f"{base}/sync_speed_min", speed)
    host.files.write(f"{base}/sync_speed_max", speed)


def _begin(host: Host, array: md.Array, sector: int = 0) -> None:
    """Begin a check, so slow that a busy machine does not see its end before it looks."""
    _pace(host, array, SLOWLY)
    md.begin_scrub(host, array.device, sector)
    _pace(host, array, SLOWLY)


def _pause(host: Host, array: md.Array) -> bool:
    """Have a check pause, as often as it takes, and return whether one ran."""
    ran = md.pause_scrub(host, array.device)
    deadline = time.monotonic() + PATIENCE  # noqa: TID251 - a real machine takes its time
    while _status(host, array).state not in ("clean", "degraded"):
        assert time.monotonic() < deadline, "the check does not pause"  # noqa: TID251 - as above
        time.sleep(0.2)  # noqa: TID251 - as above
        md.pause_scrub(host, array.device)
    return ran


def _go_on(host: Host, array: md.Array, sector: int) -> None:
    """Have a check go on as soon as md has let go of the one that was paused: EBUSY until then."""
    deadline = time.monotonic() + PATIENCE  # noqa: TID251 - a real machine takes its time
    while True:
        try:
            return _begin(host, array, sector)
        except FileError as error:
            if error.errno != errno.EBUSY or time.monotonic() > deadline:  # noqa: TID251 - as above
                raise
        time.sleep(0.2)  # noqa: TID251 - as above


def _settle(host: Host, array: md.Array) -> None:
    """Wait until md does nothing to the array any more."""
    deadline = time.monotonic() + PATIENCE  # noqa: TID251 - a real machine takes its time
    while _status(host, array).state not in ("clean", "degraded"):
        assert time.monotonic() < deadline, "md does not come to an end"  # noqa: TID251 - as above
        time.sleep(0.2)  # noqa: TID251 - as above


if __name__ == "__main__":
    from sanstone.kernel.real import real_host

    for line in run(real_host(), sys.argv[1:]):
        print(line, flush=True)
