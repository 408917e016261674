"""`cluster/software/history`: the updates that ended."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select

from sanstone.core.declaration.resource import Field, Resource
from sanstone.core.declaration.types import Choice, Text, Timestamp, Uuid
from sanstone.model.software import FAILURE, SUCCESS, UPDATE, SoftwareTask
from sanstone.rules.cluster.node import node_fields

SUCCESSFUL, CANCELED = "successful", "canceled"


class SoftwareHistoryResource(Resource[SoftwareTask]):
    """Updates that ended."""

    path = "cluster/software/history"
    doc = "Updates that ended, oldest first."
    model = SoftwareTask
    order = ("start_time", "uuid")
    methods = frozenset({"GET"})
    fields = (
        Field("uuid", Uuid(), "Identity of the update."),
        *node_fields(),
        Field("from_version", Text(), "Release before."),
        Field("to_version", Text(), "Release that was installed.", attribute="version"),
        Field("start_time", Timestamp(), "Time of the request."),
        Field("end_time", Timestamp(), "When it ended: that the new release served, or failed to."),
        Field(
            "state",
            Choice(SUCCESSFUL, CANCELED, "skip_upgrade"),
            "Canceled: it failed, and the array runs the release before.",
            get=lambda row, _: SUCCESSFUL if row.state == SUCCESS else CANCELED,
        ),
        Field("message", Text(), "What happened."),
    )

    def select(self) -> Select[Any]:
        """Return the statement that yields the updates."""
        ended = SoftwareTask.state.in_((SUCCESS, FAILURE))
        return select(SoftwareTask).where(SoftwareTask.action == UPDATE, ended)
