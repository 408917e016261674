"""Tells of aggregates that keep promises by refusing others, or cannot keep them."""

from __future__ import annotations

from sqlalchemy import func, select

from sanstone.core import events
from sanstone.core.events import Condition
from sanstone.core.observed import Observed, shown
from sanstone.kernel.storage.thin import PoolStatus
from sanstone.model.aggregates import Aggregate
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.volumes import Volume
from sanstone.reconcile.turn import Turn
from sanstone.rules.storage.reserved_space import GUARANTEED

NAMED = 3
"""How many of those that take most of the space are named."""


def has_only_promised(status: PoolStatus) -> bool:
    """Return whether a pool has no more free space than it promised: others get no new block."""
    return bool(status.reserved) and status.size - status.used <= (status.reserved or 0)


def space(status: PoolStatus) -> dict[str, int | bool]:
    """Return the observed space of an aggregate, in bytes."""
    return {
        "size": status.size,
        "used": status.used,
        "available": status.size - status.used,
        "set_aside": status.reserved or 0,
        "overcommitted_full": has_only_promised(status),
    }


def warn(turn: Turn, aggregate: Aggregate, status: PoolStatus) -> None:
    """Report an aggregate that refuses the overcommitted, and one on a kernel that cannot."""
    if has_only_promised(status):
        key = f"pool.overcommitted:{aggregate.uuid}"
        text = (
            f'Aggregate "{aggregate.name}" has no more space left than volumes with a guarantee '
            f"have to themselves. Writes of others that need new space are refused."
        )
        reported = events.open_message(turn.session, turn.node_uuid, key)
        # A text that changed would be another event, and another mail.
        text = reported if reported.startswith(text) else text + _takers(turn, aggregate)
        turn.conditions[key] = Condition(
            events.EMERGENCY, "pool.overcommitted", text, aggregate.owner
        )
    if status.reserved is None and _promises(turn, aggregate):
        text = (
            f'Volumes on aggregate "{aggregate.name}" have a guarantee, and the kernel that runs '
            f"keeps no space free for them: others may fill the aggregate."
        )
        turn.conditions[f"pool.unguarded:{aggregate.uuid}"] = Condition(
            events.NOTICE, "pool.unguarded", text, aggregate.owner
        )


def _promises(turn: Turn, aggregate: Aggregate) -> bool:
    """Return whether a volume on an aggregate has a guarantee."""
    query = select(Volume.uuid).filter_by(aggregate_uuid=aggregate.uuid, guarantee=GUARANTEED)
    return turn.session.scalar(query.limit(1)) is not None


def _takers(turn: Turn, aggregate: Aggregate) -> str:
    """Return a sentence that names those without a promise that take most now; '' for none."""
    takers: list[tuple[int, str]] = []
    for kind in (Lun, Namespace):
        used = func.json_extract(Observed.data, "$.used")
        query = (
            select(used, kind.name)
            .join(Volume, Volume.uuid == kind.volume_uuid)
            .join(Observed, shown(kind.kind) & (Observed.key == kind.uuid))
            .where(
                Volume.aggregate_uuid == aggregate.uuid, Volume.guarantee != GUARANTEED, used > 0
            )
            .order_by(used.desc())
            .limit(NAMED)
        )
        takers += [(taken, name) for taken, name in turn.session.execute(query)]
    largest = [f'"{name}"' for _, name in sorted(takers, reverse=True)[:NAMED]]
    return f" Of these, {', '.join(largest)} take most." if largest else ""
