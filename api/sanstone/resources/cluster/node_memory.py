"""The node's memory: how much is left, and when it takes on nothing more.

What hosts can see lives in the kernel's memory: a LUN or namespace with its map takes about 1 MiB
of it, which cannot be swapped out. Where the last of it goes, the kernel ends processes, whichever
it likes; so a request for more is refused before that, while there is enough left to administer the
array and to make room. The reconciler records what is left after each pass. A snapshot takes none
of it: nothing of a snapshot is active.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.observed import load_one
from sanstone.core.session_value import SessionValue
from sanstone.core.types import MIB
from sanstone.resources.cluster.node import the_node

FLOOR: int = 256 * MIB
"""Bytes that are never given to objects: what the API and the reconciler need at their busiest."""
ENOUGH: int = FLOOR + 64 * MIB
"""Bytes left at which a shortage is over: more than `FLOOR`, or it would come and go."""
PER_OBJECT = MIB
"""Bytes for a LUN or namespace, and for a map: measured for both together, with thousands."""

_taken = SessionValue(lambda _: 0)
"""Objects for which a session has asked so far."""


def is_short(left: int, before: bool) -> bool:
    """Return whether memory is short with so many bytes left, and a shortage `before` or none."""
    return left < (ENOUGH if before else FLOOR)


def require(session: Session, objects: int = 1) -> None:
    """Raise ApiError unless there is memory for as many more LUNs, namespaces or maps.

    What the same transaction took before counts too, since it shows nowhere yet.
    """
    node = the_node(session)
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
