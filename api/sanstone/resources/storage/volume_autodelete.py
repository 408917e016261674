"""Fields of a volume that say which of its snapshots go when space is short.

See `rules.storage.autodelete`.
"""

from __future__ import annotations

from typing import Any

from sanstone.core.declaration.resource import WRITE, Field
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text
from sanstone.model.volumes import Volume
from sanstone.rules.storage.autodelete import (
    COMMITMENTS,
    DEFERRED,
    GROW_FIRST,
    OLDEST_FIRST,
    ON_VOLUME,
    ORDERS,
    TRIGGERS,
    TRY,
    TRY_FIRST,
    USER_CREATED,
)

AUTODELETE = "space.snapshot.autodelete"


def _field(name: str, kind: Any, doc: str, default: Any) -> Field:
    return Field(
        f"{AUTODELETE}.{name}",
        kind,
        doc,
        access=WRITE,
        default=default,
        attribute=f"autodelete_{name}",
    )


FIELDS = (
    _field(
        "enabled",
        Boolean(),
        "Whether the array deletes snapshots of the volume by itself when space is short. It looks "
        "every 5 seconds.",
        False,
    ),
    _field(
        "trigger",
        Choice(*TRIGGERS),
        "When: volume, where more than `autosize.grow_threshold` percent of `space.afs_total` are "
        "in use; snap_reserve, where snapshots hold more than that of the share that is kept for "
        "them.",
        ON_VOLUME,
    ),
    _field(
        "target_free_space",
        Integer(0, 100),
        "Percent of what the trigger looks at that are free when no more goes.",
        20,
    ),
    _field("delete_order", Choice(*ORDERS), "Which go first.", OLDEST_FIRST),
    _field(
        "defer_delete",
        Choice(*DEFERRED),
        "Which go last: those of schedules, those that somebody took, those whose names begin with "
        "the prefix, or none.",
        USER_CREATED,
    ),
    _field(
        "commitment",
        Choice(*COMMITMENTS),
        "Which may go: try, those that nobody needs; disrupt, those of consistency groups, too; "
        "destroy, those that volumes are clones of, too, which are split off first. None goes that "
        "has not reached its time of expiry.",
        TRY,
    ),
    _field("prefix", Text(15), "What the names begin with of those that go last.", ""),
    Field(
        "space.mgmt_try_first",
        Choice(*TRY_FIRST),
        "Which comes first where a volume grows by itself and its snapshots go by themselves.",
        access=WRITE,
        default=GROW_FIRST,
        attribute="space_mgmt_try_first",
    ),
)
_COLUMNS = {field.name: field.attribute or field.name for field in FIELDS}


def columns(values: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a volume that a request gives."""
    return {column: values[name] for name, column in _COLUMNS.items() if name in values}


def change(row: Volume, values: dict[str, Any]) -> None:
    """Change which snapshots of a volume go by themselves."""
    for column, value in columns(values).items():
        setattr(row, column, value)
