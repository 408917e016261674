"""Orders to restart the node or to shut it down: done by a process that may do so."""

from __future__ import annotations

from sanstone.core.long_jobs import of_kinds
from sanstone.reconcile.results import Everything, PowerOrdered
from sanstone.reconcile.stages import long_jobs
from sanstone.reconcile.turn import Turn
from sanstone.rules.cluster.node import POWER


def reconcile(turn: Turn, _all: Everything) -> PowerOrdered:
    """Run the orders, last of all: what else the turn is about is done by then."""
    for order in of_kinds(turn.session, [POWER]):
        with turn.attempt(order.owner):
            long_jobs.ensure_done(turn, order)
    return PowerOrdered(turn.outcomes)
