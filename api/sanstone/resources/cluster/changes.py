"""`cluster/changes`: which objects changed since a moment, for clients that show what there is.

A client reads the counter, then the collections that it shows, and from then on asks every few
seconds for changes after the counter of the last answer. The counted changes are in
`core.database.tracked`, the numbers in `core.database.last_changes`. Nothing else is read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from sanstone.core.database import last_changes
from sanstone.core.database.last_changes import LastChange
from sanstone.core.declaration.resource import Field, Items, Reader, Resource
from sanstone.core.declaration.types import Boolean, Integer, Text, Uuid
from sanstone.security import accounts, confinement, roles

MOST = 2000
"""Objects that one answer names at most."""


@dataclass(frozen=True)
class Changes:
    """A changed object: see the resource's fields."""

    counter: int
    reset: bool = False
    records: Sequence[LastChange] = ()


class ChangesResource(Resource[Changes]):
    """The last changes."""

    path = "cluster/changes"
    doc = (
        "What changed since a moment. Without `after` it is just the counter. With `after`, the "
        "`counter` of an answer before, it is each object that was created, changed or deleted "
        f"since, or that the array observed in another state: once, oldest first, {MOST} at most; "
        "the next request goes on after the new counter. Where the changes are unknown, `reset` "
        "says so, and everything is to be read anew: `after` is too old (the array keeps the last "
        f"changes of {last_changes.KEPT} objects), or the configuration was restored since, or it "
        "is another array's. With If-None-Match and the ETag of the last answer, the answer is 304 "
        "while nothing changed. Not counted are metrics, statistics, the space in use, free memory "
        "and uptime, failed logins, records of the audit log, and jobs and events that are dropped "
        "for their age. An object that shows something of another does not change with it: a map "
        "changes when a LUN is mapped, not the LUN. A computed object comes up as its parts: "
        "broadcast domains as ports, plexes as aggregates. An account of an SVM sees its "
        "SVM's objects alone, any account those that its role lets it read. A polling client sends "
        "`X-Sanstone-Poll: true`, so that its session ends while nobody uses it."
    )
    model = LastChange
    single = True
    shared = True
    keys = ()
    order = ("counter",)
    methods = frozenset({"GET"})
    etag = "counter"
    options = (
        Field(
            "after",
            Integer(),
            "Number of the last change that the client knows: the counter of an answer before.",
        ),
    )
    fields = (
        Field(
            "counter",
            Integer(),
            "Number of the last change that the answer covers, for the next request's `after`.",
        ),
        Field(
            "reset",
            Boolean(),
            "True where it is not known what changed after `after`: everything is to be read anew.",
            get=lambda row, _: row.reset or None,
        ),
        Items(
            "records",
            (
                Field("index", Integer(), "Number of the object's last change."),
                Field("kind", Text(), "Path of its resource, such as `storage/luns`."),
                Field(
                    "key",
                    Text(),
                    "What follows that in its own path; the name of a port; a UUID where there "
                    "is one object.",
                ),
                Field(
                    "svm.uuid",
                    Uuid(),
                    "The SVM that it belongs to, if that is known.",
                    get=lambda row, _: row.about_svm or None,
                ),
                Field(
                    "deleted",
                    Boolean(),
                    "True where it is known to be gone; where it is not known, it cannot be found.",
                    get=lambda row, _: row.deleted or None,
                ),
            ),
            "Objects that changed, oldest change first.",
            shown_empty=True,
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Changes]:
        """Return the changes after the request's number."""
        session, after = reader.session, reader.options.get("after")
        counter, floor = last_changes.state(session)
        if after is None:
            return [Changes(counter)]
        if not floor <= after <= counter:
            return [Changes(counter, reset=True)]
        changes = last_changes.since(session, after, confinement.confined(session), MOST)
        if len(changes) == MOST:
            counter = changes[-1].index
        return [Changes(counter, records=_readable(session, changes))]


def _readable(session: Session, changes: Sequence[LastChange]) -> Sequence[LastChange]:
    """Return the changes of objects that the sender of the request may read."""
    actor = accounts.actor(session)
    if actor is None:
        return changes
    return [
        row
        for row in changes
        if "GET" in roles.allowed(actor.privileges, f"{roles.ROOT}/{row.kind}/{row.key}")
    ]
