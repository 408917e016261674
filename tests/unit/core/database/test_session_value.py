"""A session computes a value once, and shares it with no other."""

from __future__ import annotations

from sqlalchemy.orm import Session

from sanstone.core.database.session_value import SessionValue


def test_a_value_is_computed_once_for_each_session() -> None:
    sessions: list[Session] = []

    def make(session: Session) -> list[str]:
        sessions.append(session)
        return []

    names, others = SessionValue(make), SessionValue(make)
    one, two = Session(), Session()
    names.of(one).append("x")
    assert names.of(one) == ["x"]
    assert (names.of(two), others.of(one)) == ([], [])
    assert sessions == [one, two, one]


def test_a_value_that_was_set_is_not_computed() -> None:
    actor: SessionValue[str | None] = SessionValue(lambda _: None)
    session = Session()
    assert actor.of(session) is None
    actor.set(session, "admin")
    assert actor.of(session) == "admin"
    actor.set(session, None)
    assert actor.of(session) is None
