"""Objects that hosts are not served by this node, according to the reconciler's last observations.

An update is judged by this: objects served before must be served after (see `trial`).
"""

from __future__ import annotations

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from sanstone.core import own_node
from sanstone.core.observed import Observed
from sanstone.model.aggregates import Aggregate
from sanstone.model.network import IpInterface

_SERVING = {Aggregate.kind: "online", IpInterface.kind: "up"}
"""States in which an object serves, by kind. A port without link or a pool that refuses writes is
not a fault of its object, and yet it serves no host."""


def lacking(session: Session) -> dict[str, str]:
    """Return, by owner, why it is not served: its fault, or its state."""
    query = select(Observed.kind, Observed.key, Observed.error, Observed.data)
    query = query.where(Observed.node_uuid == own_node.uuid())
    query = query.where(or_(Observed.error != "", Observed.kind.in_(_SERVING)))
    reasons = {}
    for kind, key, error, data in session.execute(query):
        state = data.get("state", "")
        if error or state != _SERVING[kind]:
            reasons[f"{kind}:{key}"] = error or f"it is {state or 'not seen'}"
    return reasons
