"""Have disks erased that are ordered to be, by a long job for each."""

from __future__ import annotations

from sanstone.core.change import Removal
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.host import HostError
from sanstone.reconcile.long_jobs import disk_erasure
from sanstone.reconcile.stages import disks, long_jobs
from sanstone.reconcile.turn import Turn


def erase(turn: Turn, removal: Removal) -> bool:
    """Have a disk erased; return whether it is. Raises HostError."""
    [[uid]], method, content = (removal.data[key] for key in ("groups", "method", "content"))
    if not disks.path(turn, uid):
        raise HostError("the disk is not there")
    order = LongJob(
        uuid=removal.uuid,
        kind=disk_erasure.KIND,
        owner=removal.owner,
        message="The disk is erased",
        data=disk_erasure.order(uid, method, content),
        cancelable=True,
    )
    if not long_jobs.ensure_done(turn, order):
        return False
    turn.did(f"disk {disks.path(turn, uid)}: erased")
    turn.disks_changed = True
    return True
