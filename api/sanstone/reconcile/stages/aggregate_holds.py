"""Which node holds an aggregate: has it live, or may have, though the other one owns it.

Two machines that write to one pool destroy it. So the owner starts an aggregate only when nobody
else holds it.
"""

from __future__ import annotations

from collections.abc import Mapping

from sanstone.core.long_jobs import LongJob
from sanstone.core.observed import observers
from sanstone.kernel.host import HostError
from sanstone.model.aggregates import Aggregate
from sanstone.model.observations import AGGREGATES_HELD
from sanstone.reconcile.long_jobs import aggregate_release
from sanstone.reconcile.stages import long_jobs
from sanstone.reconcile.turn import Turn


def require_free(turn: Turn, aggregate: Aggregate) -> None:
    """Raise HostError while another node holds an aggregate, or this one still releases it."""
    holders = turn.once(_holders).get(aggregate.uuid, set())
    if holders - {turn.node_uuid}:
        raise HostError("the other node still releases it")
    if holders:
        # It fell to this node anew before it was released.
        long_jobs.abandon(turn, aggregate_release.uuid_of(aggregate.uuid))


def is_releasing(turn: Turn, aggregate: Aggregate) -> bool:
    """Return whether this node still releases an aggregate that fell to it anew."""
    uuid = aggregate_release.uuid_of(aggregate.uuid)
    is_held = turn.node_uuid in turn.once(_holders).get(aggregate.uuid, set())
    return is_held and uuid not in turn.jobs.ended and turn.session.get(LongJob, uuid) is not None


def _holders(turn: Turn) -> Mapping[str, set[str]]:
    return observers(turn.session, AGGREGATES_HELD)
