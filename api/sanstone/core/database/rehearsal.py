"""A change that is tried and never committed, to report its effects.

It runs the same hooks in the same transaction as a change does. Its refusals are collected, as far
as hooks can go on after a refusal (`Change.refuse`), and each row that it adds, changes or deletes
is kept with its name, since the rows themselves are gone after the rollback.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from sanstone.core.database.change import Change, Owned
from sanstone.core.errors import ApiError

CREATE, MODIFY, DELETE = "create", "modify", "delete"
_ACTIONS = {"delete": CREATE, "update": MODIFY, "insert": DELETE}
"""By the inverse that a change records."""


class Effect(NamedTuple):
    """The effect on one row of `model`: `uuid` and `owner` are '' where it has none.

    `whole` is whether the row is its owner, and not just a part of it.
    """

    action: str
    model: type[Any]
    uuid: str
    name: str
    owner: str
    whole: bool


class Rehearsal(Change):
    """The transaction of a request that is only tried. `refusals` are in the order of finding."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.refusals: list[ApiError] = []
        self._effects: dict[tuple[Any, ...], Effect] = {}
        self._refusals_before = 0

    def refuse(self, error: ApiError) -> None:
        """Keep a refusal, and go on."""
        self.refusals.append(error)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Keep a refusal that is raised within."""
        try:
            yield
        except ApiError as error:
            self.refuse(error)

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Keep a refusal that is raised within, and take back what was done before it."""
        self._refusals_before = len(self.refusals)
        with self.collecting(), self.session.begin_nested():
            yield

    def settle(self) -> None:
        """Raise the newest of the refusals that were kept of the object being tried."""
        if len(self.refusals) > self._refusals_before:
            raise self.refusals.pop()

    def effects(self) -> list[Effect]:
        """Return the effect on each row, in the order of the first effect on it."""
        return list(self._effects.values())

    def _record(
        self, action: str, row: Any, values: dict[str, Any], written: dict[str, Any]
    ) -> None:
        super()._record(action, row, values, written)
        uuid, owned = str(getattr(row, "uuid", "")), isinstance(row, Owned)
        effect = Effect(
            action=_ACTIONS[action],
            model=type(row),
            uuid=uuid,
            name=_name(row),
            owner=row.owner if owned else "",
            whole=owned and row.key in (uuid, getattr(row, "name", None)),
        )
        identity = (effect.model, *inspect(row).mapper.primary_key_from_instance(row))
        before = self._effects.get(identity)
        if before is None:
            self._effects[identity] = effect
        elif before.action == CREATE and effect.action == DELETE:
            del self._effects[identity]
        elif before.action == DELETE and effect.action == CREATE:
            self._effects[identity] = effect._replace(action=MODIFY)
        elif before.action != CREATE:
            self._effects[identity] = effect._replace(name=before.name)


def _name(row: Any) -> str:
    """Return a row's name, or those of the objects that it connects, as LUN and igroup."""
    if name := getattr(row, "name", None):
        return str(name)
    ends = (
        getattr(row, relation.key)
        for relation in inspect(row).mapper.relationships
        if relation.direction.name == "MANYTOONE" and relation.key != "svm"
    )
    names = [str(end.name) for end in ends if getattr(end, "name", None)]
    return " - ".join(names)
