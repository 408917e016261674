"""The objects that the caller's role may read.

A privilege may be for one object (`/api/storage/luns/<uuid>`), and the longest path takes
precedence. So an object that a role hides is shown neither by its own path nor in its collection,
and does not count there. Conversely, a role that shows an object does not open its collection, as
in ONTAP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from flask import g
from sqlalchemy import ColumnElement

from sanstone.core.declaration.filters import Condition
from sanstone.core.declaration.resource import Reader, Resource
from sanstone.http.answers import location
from sanstone.security import roles
from sanstone.security.roles import Privileges


@dataclass(frozen=True)
class _Shown:
    """The condition that privileges allow GET of an object."""

    resource: Resource[Any]
    privileges: Privileges

    def matches(self, row: Any, reader: Reader) -> bool:
        return "GET" in roles.allowed(self.privileges, own_path(self.resource, row, reader))

    def clause(self, model: Any) -> ColumnElement[bool] | None:
        return None


def conditions(resource: Resource[Any], place: str) -> list[Condition]:
    """Return the conditions that the caller's role puts on rows of the collection at a place."""
    privileges: Privileges = g.actor.privileges
    if not roles.hides_beneath(privileges, place):
        return []
    return [_Shown(resource, privileges)]


def own_path(resource: Resource[Any], row: Any, reader: Reader) -> str:
    """Return the path of an object in the form that privileges use."""
    return unquote(location(resource, row, reader))
