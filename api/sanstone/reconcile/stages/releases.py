"""Release the pools and RAID groups that are live here and that the partner owns.

That is so after a giveback. By then their LUNs and namespaces are served here no more, and their
devices are gone. Until they are released this node holds them (`aggregate_holds`).
"""

from __future__ import annotations

from sanstone.core.database.statements import every
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.storage import md
from sanstone.model.aggregates import Aggregate
from sanstone.model.observations import AGGREGATES_HELD
from sanstone.reconcile.long_jobs import aggregate_release
from sanstone.reconcile.results import PartnersReleased, StaleDevicesRemoved
from sanstone.reconcile.stages import aggregate_holds, long_jobs, raid
from sanstone.reconcile.stages.disks import DisksMemory
from sanstone.reconcile.turn import Turn


def reconcile(turn: Turn, _devices: StaleDevicesRemoved) -> PartnersReleased:
    """Release the partner's aggregates, by a long job for each, and report those that are held."""
    own = raid.aggregates(turn)
    held = [aggregate for aggregate in own if aggregate_holds.is_releasing(turn, aggregate)]
    for aggregate in turn.rows(every(Aggregate, Aggregate.name)):
        if aggregate not in own and not _is_released(turn, aggregate):
            held.append(aggregate)
    turn.seen[AGGREGATES_HELD] = {aggregate.uuid: {} for aggregate in held}
    return PartnersReleased(turn.outcomes)


def _is_released(turn: Turn, aggregate: Aggregate) -> bool:
    """Release an aggregate; return whether nothing of it is live."""
    with turn.attempt(aggregate.owner, raid.FAILED, f'Aggregate "{aggregate.name}"'):
        return _release(turn, aggregate)
    return False


def _release(turn: Turn, aggregate: Aggregate) -> bool:
    """Do so. Raises HostError."""
    numbers = raid.numbers(aggregate)
    order = LongJob(
        uuid=aggregate_release.uuid_of(aggregate.uuid),
        kind=aggregate_release.KIND,
        owner=aggregate.owner,
        message="The aggregate is released",
        data=aggregate_release.order(aggregate.uuid, numbers),
    )
    is_live = any(md.status(turn.host, aggregate.uuid, number) for number in numbers)
    if not is_live and turn.session.get(LongJob, order.uuid) is None:
        return True
    if not long_jobs.ensure_done(turn, order):
        return False
    turn.did(f"aggregate {aggregate.name}: released", aggregate.owner)
    turn.memory.of(DisksMemory).changed = True
    return True
