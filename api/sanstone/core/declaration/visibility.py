"""Limit the rows of a session to those that its user may see.

References in a request are resolved in `core`; which rows its sender may see is decided by the code
that opens the session (`security.confinement`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from sanstone.core.database.session_value import SessionValue

Narrowing = Callable[[Session, Any, Select[Any]], Select[Any]]
"""Narrows a query for rows of a table, by its class, to those that the session may see."""
_narrowing: SessionValue[Narrowing | None] = SessionValue(lambda _: None)


def narrow_by(session: Session, narrowing: Narrowing) -> None:
    """Narrow every look-up of the session."""
    _narrowing.set(session, narrowing)


def visible(session: Session, model: Any, query: Select[Any]) -> Select[Any]:
    """Return a query for the rows of `model` that the session may see."""
    narrowing = _narrowing.of(session)
    return narrowing(session, model, query) if narrowing else query
