"""Aggregates: whether the pool of each can be used."""

from __future__ import annotations

from sanstone.core.declaration.resource import Reader
from sanstone.model.aggregates import Aggregate

STATES = ("online", "offline", "restricted", "unknown")


def state(row: Aggregate, reader: Reader) -> str:
    """Return online, offline, restricted (writes fail), or unknown."""
    seen = str(row.facts(reader).get("state", "unknown"))
    return seen if seen in STATES else "unknown"
