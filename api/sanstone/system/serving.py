"""What of the configuration hosts are not served, by what the reconciler saw last.

An update is judged by it: what was served before is to be served after (see `trial`).
"""

from __future__ import annotations

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from sanstone.core.observed import Observed
from sanstone.model.aggregates import Aggregate
from sanstone.model.network import IpInterface

_SERVING = {Aggregate.kind: "online", IpInterface.kind: "up"}
"""State of what serves, by kind. A port without link or a pool that takes no writes is no fault of
its object, and yet no host is served there."""


def lacking(session: Session) -> dict[str, str]:
    """Return by owner why it is not served: its fault, or the state that it is in."""
    query = select(Observed.kind, Observed.key, Observed.error, Observed.data)
    query = query.where(or_(Observed.error != "", Observed.kind.in_(_SERVING)))
    found = {}
    for kind, key, error, data in session.execute(query):
        state = data.get("state", "")
        if error or state != _SERVING[kind]:
            found[f"{kind}:{key}"] = error or f"it is {state or 'not seen'}"
    return found
