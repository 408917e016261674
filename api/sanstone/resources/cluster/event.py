"""`support/ems/events`: the array's events, in the vocabulary of ONTAP's event management."""

from __future__ import annotations

import time
from typing import Any

from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Resource
from sanstone.core.events import Event
from sanstone.rules.cluster.event_record import EVENT_FIELDS
from sanstone.security import accounts


class EventResource(Resource[Any]):
    """Events, oldest first; `order_by=index desc` gives the newest first.

    Those of `active=true` report conditions that last: these are the array's alerts.
    """

    path = "support/ems/events"
    doc = "Events tell what an administrator should know; one that lasts has an event at its end."
    model = Event
    keys = ("index",)
    order = ("index",)
    methods = frozenset({"GET", "PATCH"})
    fields = EVENT_FIELDS

    def update(self, change: Change, row: Event, values: dict[str, Any]) -> None:
        """Acknowledge an event for the account that asks, or take that back."""
        if values.get("acknowledged.state", bool(row.acknowledged_by)) == bool(row.acknowledged_by):
            return
        actor = accounts.actor(change.session)
        by = "" if row.acknowledged_by else actor.name if actor else "sanstone"
        row.acknowledged_by, row.acknowledged_time = by, time.time() if by else None
