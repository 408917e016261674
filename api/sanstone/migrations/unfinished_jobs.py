"""Jobs that have not ended when a release takes over: what they can take back is in its form."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import sqlalchemy as sa

Part = dict[str, Any]
"""A change that takes one row back, as `core.database.change` stores it."""


def rewrite(connection: sa.Connection, new: Callable[[Part], Iterable[Part]]) -> None:
    """Have each change that an unfinished job would take back be `new`, in the same order."""
    query = "SELECT id, undo FROM job WHERE state IN ('queued', 'running', 'paused')"
    for job in connection.execute(sa.text(query)).mappings().all():
        undo = [part for old in json.loads(job["undo"]) for part in new(old)]
        connection.execute(
            sa.text("UPDATE job SET undo = :undo WHERE id = :id"),
            {"undo": json.dumps(undo), "id": job["id"]},
        )
