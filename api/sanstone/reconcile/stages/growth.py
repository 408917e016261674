"""Widen RAID groups by disks that their aggregate gained, while hosts use them.

md works a reshape off by itself. It needs an order to go on after each start of the array. The pool
takes the new space in when the reshape is done (`pools`).
"""

from __future__ import annotations

from uuid import UUID, uuid5

from sanstone.core.long_jobs import LongJob
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.storage import md
from sanstone.model.aggregates import Aggregate
from sanstone.reconcile.stages import long_jobs
from sanstone.reconcile.turn import Turn

RESHAPE = "raid.reshape"
"""A long job that md works off. It cannot be cancelled."""


def ensure(turn: Turn, aggregate: Aggregate, array: md.Array, width: int) -> bool:
    """Have a RAID group that runs be spread over `width` disks; return whether that is under way.

    Jobs of the API wait for it, and tell how far it is. Raises HostError.
    """
    uuid = str(uuid5(UUID(array.uuid), RESHAPE))
    status = md.status(turn.host, array.aggregate, array.number)
    if status is None:
        return False
    if status.raid_disks < width:
        if len(array.disks) < width:
            raise md.ArrayError("{}: a disk by which it grows is not there", array.name)
        if md.ensure_width(turn.host, array, width) is not Ensured.UNCHANGED:
            turn.did(f"raid group {array.device}: is widened to {width} disks")
            status = md.status(turn.host, array.aggregate, array.number) or status
    if md.ensure_reshaping(turn.host, array.device) is not Ensured.UNCHANGED:
        turn.did(f"raid group {array.device}: its reshape goes on")
    is_reshaping = status.state == "reshaping"
    if is_reshaping or (status.raid_disks >= width and long_jobs.is_followed(turn, uuid)):
        # md moves data already, and nothing takes that back.
        turn.irreversible.add(aggregate.owner)
    if not is_reshaping and status.raid_disks >= width:
        if long_jobs.is_followed(turn, uuid):
            long_jobs.end(turn, uuid)
        return False
    order = LongJob(
        uuid=uuid,
        kind=RESHAPE,
        owner=aggregate.owner,
        message=f"RAID group {array.number} is widened",
    )
    percent = int(status.percent) if is_reshaping and status.percent is not None else None
    long_jobs.follow(turn, order, percent)
    return True
