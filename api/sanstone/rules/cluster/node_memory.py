"""The node's memory: how much is left, and when new objects are refused.

Exported objects use the kernel's memory: a LUN or namespace with its map takes about 1 MiB, which
cannot be swapped out. When memory runs out, the kernel kills processes of its choice; so new
objects are refused before that, while there is enough left to administer the array and to free
memory. The reconciler records the free memory after each turn. A snapshot takes none: no part of it
is active.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.session_value import SessionValue
from sanstone.core.declaration.types import MIB
from sanstone.core.observed import load_one
from sanstone.model.nodes import this_node

FLOOR: int = 256 * MIB
"""Bytes reserved from objects: the peak need of the API and the reconciler."""
ENOUGH: int = FLOOR + 64 * MIB
"""Free bytes at which a shortage ends: more than `FLOOR`, so that it does not flap."""
PER_OBJECT = MIB
"""Bytes for a LUN or namespace, and for a map: measured for both together, for thousands."""

_taken = SessionValue(lambda _: 0)
"""Objects that a session has requested so far."""


def is_short(available: int, before: bool) -> bool:
    """Return whether memory is short with so many bytes left; `before` is the previous result."""
    return available < (ENOUGH if before else FLOOR)


def require(session: Session, objects: int = 1) -> None:
    """Raise ApiError unless there is memory for so many more LUNs, namespaces or maps.

    Earlier requests of the same transaction count too, since they are not visible yet.
    """
    node = this_node(session)
    seen = load_one(session, node.uuid, node.kind, node.uuid)
    facts: dict[str, Any] = seen.data if seen else {}
    taken = _taken.of(session) + objects
    _taken.set(session, taken)
    lacking = FLOOR + taken * PER_OBJECT - facts.get("memory_available", float("inf"))
    if objects > 0 and lacking > 0:
        text = (
            f'Node "{node.name}" is short of memory: {facts["memory_available"]} bytes are left, '
            f"{lacking} too few for this. Delete LUNs, namespaces or maps that nobody uses, or "
            "give the machine more memory."
        )
        raise errors.conflict(text)
