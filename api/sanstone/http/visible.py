"""Which objects a role lets whoever calls look at.

A privilege may be about one object (`/api/storage/luns/<uuid>`), and the longest path counts. So an
object that a role hides is neither shown by its own path nor among its collection, in which it is
not even counted. The other way round a role that shows an object does not open its collection, as
in ONTAP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from flask import g, request
from sqlalchemy import Select

from sanstone.core.filters import Condition
from sanstone.core.resource import Reader, Resource
from sanstone.http.answers import location
from sanstone.security import roles
from sanstone.security.roles import Privileges


@dataclass(frozen=True)
class _Shown:
    """That privileges allow GET of an object."""

    resource: Resource[Any]
    privileges: Privileges

    def matches(self, row: Any, reader: Reader) -> bool:
        return "GET" in roles.allowed(self.privileges, own_path(self.resource, row, reader))

    def narrow(self, model: Any, statement: Select[Any]) -> Select[Any]:
        return statement


def conditions(resource: Resource[Any]) -> list[Condition]:
    """Return what the role of whoever calls asks of rows of the collection that is read."""
    privileges: Privileges = g.actor.privileges
    if not roles.hides_beneath(privileges, request.path):
        return []
    return [_Shown(resource, privileges)]


def own_path(resource: Resource[Any], row: Any, reader: Reader) -> str:
    """Return the path of an object as privileges name it."""
    return unquote(location(resource, row, reader))
