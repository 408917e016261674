"""Changes on condition: they pause in effect, and are kept or taken back."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select
from standing_clock import Clock
from toy import ToySvm

from sanstone.core import confirmations, events, jobs
from sanstone.core.database.change import Change
from sanstone.core.database.store import reading, writing
from sanstone.core.errors import ApiError, Cause
from sanstone.core.jobs import FAILURE, PAUSED, SUCCESS, Job

SVM = "00000000-0000-4000-8000-000000000001"
OWNER = f"svm/svms:{SVM}"


@pytest.fixture
def renamed(toys: Engine, clock: Clock) -> Engine:
    """An owner that was svm1, and is svm2 on condition that this is confirmed within 60 s."""
    with writing(toys) as session:
        session.add(ToySvm(uuid=SVM, name="svm1"))
    with writing(toys) as session:
        change = Change(session)
        session.get_one(ToySvm, SVM).name = "svm2"
        jobs.queue(change, "PATCH /api/something", confirm_within=60)
    return toys


def _finish(database: Engine, failures: dict[str, Cause] | None = None) -> Job:
    with writing(database) as session:
        jobs.finish(session, jobs.waiting(session), failures or {}, frozenset())
    return _job(database)


def _job(database: Engine) -> Job:
    with reading(database) as session:
        job = session.scalars(select(Job)).one()
        session.expunge(job)
        return job


def _name(database: Engine) -> str:
    with reading(database) as session:
        return session.get_one(ToySvm, SVM).name


def _take_back(database: Engine) -> set[str]:
    with writing(database) as session:
        return confirmations.take_back_due(session)


def test_a_change_in_effect_pauses_and_keeps_its_inverse(renamed: Engine, clock: Clock) -> None:
    job = _finish(renamed)
    assert (job.state, job.confirm_until, job.end_time) == (PAUSED, clock.now + 60, None)
    assert job.undo
    assert _name(renamed) == "svm2"


def test_a_change_that_fails_is_taken_back_at_once(renamed: Engine) -> None:
    job = _finish(renamed, {OWNER: Cause("4", "no such port")})
    assert (job.state, job.message, _name(renamed)) == (FAILURE, "no such port", "svm1")


def test_until_its_time_is_over_a_change_stays(renamed: Engine, clock: Clock) -> None:
    _finish(renamed)
    clock.now += 59
    assert _take_back(renamed) == set()
    assert (_name(renamed), _job(renamed).state) == ("svm2", PAUSED)


def test_an_unconfirmed_change_is_undone_with_an_event(renamed: Engine, clock: Clock) -> None:
    _finish(renamed)
    clock.now += 60
    assert _take_back(renamed) == {OWNER}
    job = _job(renamed)
    assert (job.state, job.end_time, job.undo) == (FAILURE, clock.now, [])
    assert job.message == "The change was not confirmed within 60 s and is taken back."
    assert job.arguments == ["60"]
    assert _name(renamed) == "svm1"
    with reading(renamed) as session:
        assert [e.name for e in session.scalars(select(events.Event))] == ["job.unconfirmed"]


def test_a_confirmed_change_stays(renamed: Engine, clock: Clock) -> None:
    _finish(renamed)
    with writing(renamed) as session:
        confirmations.confirm(session.scalars(select(Job)).one())
    clock.now += 3600
    assert _take_back(renamed) == set()
    job = _job(renamed)
    assert (job.state, job.undo, _name(renamed)) == (SUCCESS, [], "svm2")


def test_a_change_given_up_is_taken_back_at_once_and_no_event(renamed: Engine) -> None:
    _finish(renamed)
    with writing(renamed) as session:
        confirmations.give_up(session.scalars(select(Job)).one())
    assert _take_back(renamed) == {OWNER}
    assert _name(renamed) == "svm1"
    assert _job(renamed).message == "The change was given up and is taken back."
    with reading(renamed) as session:
        assert not session.scalars(select(events.Event)).all()


def test_a_clock_that_is_set_back_does_not_keep_a_change(renamed: Engine, clock: Clock) -> None:
    _finish(renamed)
    clock.now -= 3600
    assert _take_back(renamed) == {OWNER}


def test_no_other_change_of_the_area_is_allowed_meanwhile(renamed: Engine) -> None:
    _finish(renamed)
    with pytest.raises(ApiError, match="must be confirmed") as error, writing(renamed) as session:
        change = Change(session)
        change.touch("svm/peers:1")
        confirmations.refuse_meanwhile(change)
    assert error.value.status == 409
    with writing(renamed) as session:
        change = Change(session)
        change.touch("storage/volumes:1")
        confirmations.refuse_meanwhile(change)
