"""`security/login/messages`: the messages shown before and after login.

There is one for the array, and one for each SVM. Accounts of an SVM see the SVM's message and,
while `show_cluster_message` is true, the array's before it. SSH shows the array's banner to
everybody before authentication.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Reader, Reference, Resource
from sanstone.core.declaration.types import Boolean, Choice, Uuid
from sanstone.model.security import LoginMessage
from sanstone.model.svm import Svm
from sanstone.resources.cluster.svm import WITH_SVM
from sanstone.resources.security.owner import array_owner
from sanstone.rules.security.logins import BANNER


class _SvmMessage:
    """Deletes an SVM's messages with it."""

    table = LoginMessage.__tablename__

    def created(self, change: Change, svm: Svm) -> None:
        """Do nothing: a new SVM has no messages."""

    def deleted(self, change: Change, svm: Svm) -> None:
        """Delete the messages."""
        row = change.session.get(LoginMessage, svm.uuid)
        if row:
            change.delete(row)


WITH_SVM.append(_SvmMessage())


@dataclass(frozen=True)
class Shown:
    """Messages and their owner."""

    uuid: str
    svm: Svm | None
    stored: LoginMessage


class LoginMessageResource(Resource[Shown]):
    """Login messages."""

    path = "security/login/messages"
    doc = "Messages that are shown before and after logging in."
    model = LoginMessage
    order = ("uuid",)
    methods = frozenset({"GET", "PATCH"})
    fields = (
        Field("uuid", Uuid(), "UUID of the SVM or of the array."),
        Field(
            "banner",
            BANNER,
            "Shown before logging in.",
            access=MODIFY,
            get=lambda row, _: row.stored.banner or None,
        ),
        Field(
            "message",
            BANNER,
            "Shown after logging in.",
            access=MODIFY,
            get=lambda row, _: row.stored.message or None,
        ),
        Field(
            "show_cluster_message",
            Boolean(),
            "Whether the array's message is shown before the SVM's.",
            access=MODIFY,
            get=lambda row, _: row.stored.show_cluster_message,
        ),
        Field(
            "scope",
            Choice("cluster", "svm"),
            "Whether they are the array's or an SVM's.",
            get=lambda row, _: "svm" if row.svm else "cluster",
            always=True,
        ),
        Reference("svm", Svm, "The SVM of the messages."),
    )

    def rows(self, reader: Reader) -> Sequence[Shown]:
        """Return the messages of the array and of all SVMs."""
        session = reader.session
        stored = {row.owner_uuid: row for row in session.scalars(select(LoginMessage))}
        svms = session.scalars(select(Svm)).all()
        array = Shown(array_owner(session).uuid, None, stored.get("") or _empty(""))
        return [array, *(Shown(s.uuid, s, stored.get(s.uuid) or _empty(s.uuid)) for s in svms)]

    def update(self, change: Change, row: Shown, values: dict[str, Any]) -> None:
        """Change messages; an empty one is not shown."""
        for name in ("banner", "message", "show_cluster_message"):
            if name in values:
                setattr(row.stored, name, values[name])
        change.add(row.stored)


def _empty(owner_uuid: str) -> LoginMessage:
    return LoginMessage(owner_uuid=owner_uuid, banner="", message="", show_cluster_message=True)
