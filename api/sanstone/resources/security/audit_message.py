"""`security/audit/messages`: who requested which change, from where, and with what result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sanstone.core.declaration.resource import Field, Reader, Resource
from sanstone.core.declaration.types import Choice, Integer, Text, Timestamp
from sanstone.core.observed import Observed
from sanstone.model.activity import AuditMessage
from sanstone.rules.cluster.node import node_fields
from sanstone.security import audit


def _unless_empty(name: str) -> Callable[[AuditMessage, Reader], str | None]:
    return lambda row, _reader: getattr(row, name) or None


class AuditMessageResource(Resource[Any]):
    """Records of the audit log, oldest first."""

    path = "security/audit/messages"
    doc = "The audit log: each request for a change, and each that was denied, with its outcome."
    model = Observed
    keys = ("index",)
    order = ("index",)
    methods = frozenset({"GET"})
    fields = (
        Field("index", Integer(), "Number of the record; a later one's is higher."),
        Field("timestamp", Timestamp(), "When it was answered.", always=True),
        *node_fields(),
        Field("application", Text(), "The way it came.", always=True),
        Field("location", Text(), "Address that it came from.", always=True),
        Field(
            "user",
            Text(),
            "Account of the request; none where the name that was given has no account.",
            get=_unless_empty("user"),
            always=True,
        ),
        Field("role", Text(), "Role of the account.", get=_unless_empty("role")),
        Field("svm.name", Text(), "SVM of the account.", get=_unless_empty("svm")),
        Field(
            "scope",
            Choice("cluster", "svm"),
            "Whether the account is the array's or an SVM's.",
            get=lambda row, _: "svm" if row.svm else "cluster",
        ),
        Field(
            "input",
            Text(audit.MOST_CHARACTERS),
            "The request, without secrets.",
            always=True,
        ),
        Field(
            "state",
            Choice(audit.SUCCESS, audit.ERROR),
            "What became of it.",
            always=True,
        ),
        Field(
            "message",
            Text(audit.MOST_CHARACTERS),
            "Why it was refused, or the job that does it.",
            get=_unless_empty("message"),
        ),
    )

    def rows(self, reader: Reader) -> Sequence[AuditMessage]:
        """Return all records, from the database of activities."""
        return audit.messages()
