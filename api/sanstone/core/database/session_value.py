"""Values that a session of the database keeps while it lives, which in the API is a request.

SQLAlchemy's `Session.info` is an untyped dictionary. Here each value is declared once, with its
type and the function that makes it:

    _cluster = SessionValue(lambda session: session.scalars(select(Cluster)).one())

    def the_cluster(session: Session) -> Cluster:
        return _cluster.of(session)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from sqlalchemy.orm import Session

Value = TypeVar("Value")


class SessionValue(Generic[Value]):
    """A value that each session has for itself, created on its first use."""

    def __init__(self, make: Callable[[Session], Value]) -> None:
        self._make = make

    def of(self, session: Session) -> Value:
        """Return the session's value."""
        if self not in session.info:
            session.info[self] = self._make(session)
        return cast(Value, session.info[self])

    def set(self, session: Session, value: Value) -> None:
        """Set the session's value."""
        session.info[self] = value
