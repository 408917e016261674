"""Which rows a session finds where a request refers to them.

References in a request are looked for here in `core`; whose rows its sender may know of is for
whoever opens the session to say (`security.confinement`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from sanstone.core.session_value import SessionValue

Narrowing = Callable[[Session, Any, Select[Any]], Select[Any]]
"""Narrows a query for rows of a table, by its class, to those that the session may find."""
_narrowing: SessionValue[Narrowing | None] = SessionValue(lambda _: None)


def narrow_by(session: Session, narrowing: Narrowing) -> None:
    """Have every search of the session narrowed."""
    _narrowing.set(session, narrowing)


def visible(session: Session, model: Any, query: Select[Any]) -> Select[Any]:
    """Return a query for the rows of `model` that the session may find."""
    narrowing = _narrowing.of(session)
    return narrowing(session, model, query) if narrowing else query
