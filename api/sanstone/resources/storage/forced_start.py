"""The order to start RAID groups of an aggregate that are dirty and degraded.

md does not start them by itself: what was written when the power was cut may be lost with the disks
that are missing. Who orders it types the name of the aggregate, and so has read what that means.
"""

from __future__ import annotations

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Reader, constant
from sanstone.core.declaration.types import Text
from sanstone.model.aggregates import Aggregate

FORCED_START = "forced_start.name"
FIELD = Field(
    FORCED_START,
    Text(255),
    "Starts RAID groups that lack disks and were written to when the power was cut: the name of "
    "the aggregate. What hosts wrote in that moment may be lost, or damage what lies beside it. "
    "Never shown.",
    access=MODIFY,
    get=constant(None),
)


def order(change: Change, row: Aggregate, name: str) -> None:
    """Have an aggregate's RAID groups start. Raises ApiError where that is not what keeps them."""
    if not row.facts(Reader(change.session)).get("dirty"):
        text = f'Aggregate "{row.name}" has no RAID group that is dirty and degraded.'
        raise errors.conflict(text, FORCED_START)
    if name != row.name:
        text = f'To start it all the same, give the name of the aggregate: "{row.name}".'
        raise errors.conflict(text, FORCED_START)
    row.forced_starts += 1
    change.touch(row.owner)
