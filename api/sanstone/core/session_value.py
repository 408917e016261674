"""What a session of the database remembers for as long as it lives, which in the API is a request.

SQLAlchemy's `Session.info` is a dictionary of anything. Here each thing is declared once, with its
type and how it comes to be:

    _node = SessionValue(lambda session: Node(session.scalars(select(Cluster)).one()))

    def the_node(session: Session) -> Node:
        return _node.of(session)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from sqlalchemy.orm import Session

Value = TypeVar("Value")


class SessionValue(Generic[Value]):
    """A value that each session has for itself, made when it is first asked for."""

    def __init__(self, make: Callable[[Session], Value]) -> None:
        self._make = make

    def of(self, session: Session) -> Value:
        """Return the session's value."""
        if self not in session.info:
            session.info[self] = self._make(session)
        return cast(Value, session.info[self])

    def set(self, session: Session, value: Value) -> None:
        """Give the session another value."""
        session.info[self] = value
