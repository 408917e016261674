"""Have disks erased that are ordered to be, by a long job for each."""

from __future__ import annotations

from sanstone.core.database.change import Removal
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import sanitization
from sanstone.reconcile.long_jobs import disk_erasure
from sanstone.reconcile.stages import disks, long_jobs
from sanstone.reconcile.stages.disks import DisksMemory
from sanstone.reconcile.tasks.disk_reader import Readings
from sanstone.reconcile.turn import Turn


def erase(turn: Turn, removal: Removal) -> bool:
    """Have a disk erased; return whether it is. Raises HostError.

    One that is not there may be at sanitizing itself: until that is done some do not show their
    size after a boot, and the kernel lists no disk without one. So it is waited for.
    """
    [[uid]], method, content = (removal.data[key] for key in ("groups", "method", "content"))
    is_there = bool(disks.path(turn, uid))
    if not is_there and method not in sanitization.METHODS:
        raise HostError("the disk is not there")
    order = LongJob(
        uuid=removal.uuid,
        kind=disk_erasure.KIND,
        owner=removal.owner,
        message="The disk is erased",
        data=disk_erasure.order(uid, method, content),
        cancelable=True,
    )
    try:
        if not long_jobs.ensure_done(turn, order, start=is_there):
            return False
    except long_jobs.Failed:
        # It may be without its labels, or go on with sanitizing itself.
        turn.memory.of(DisksMemory).changed = True
        raise
    sanitization_report = turn.memory.of(Readings).sanitizations.get(uid)
    if sanitization_report and sanitization_report.state:
        # The report is older than the end, and a new one follows soon.
        del turn.memory.of(Readings).sanitizations[uid]
    turn.did(f"disk {disks.path(turn, uid)}: erased")
    turn.memory.of(DisksMemory).changed = True
    return True
