"""Jobs end in success, or fail and take their change back."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select
from toy import NODE, Box, Shelf, ShelfResource, ToySvm

from sanstone.core import events, job_ends, jobs
from sanstone.core.database.change import Change, Removal
from sanstone.core.database.store import reading, writing
from sanstone.core.errors import Cause
from sanstone.core.jobs import FAILURE, QUEUED, SUCCESS, Job
from sanstone.kernel.real.files import RealFiles

SVM = "00000000-0000-4000-8000-000000000001"
OWNER = f"svm/svms:{SVM}"
PARTNER = "20000000-0000-4000-8000-000000000000"
NOTHING: frozenset[str] = frozenset()


@pytest.fixture
def world(toys: Engine) -> Engine:
    """An owner, named svm1."""
    with writing(toys) as session:
        session.add(ToySvm(uuid=SVM, name="svm1"))
    return toys


def _queue(database: Engine, hook: Any) -> int:
    with writing(database) as session:
        change = Change(session)
        hook(change)
        return jobs.queue(change, "PATCH /api/something").id


def _rename(name: str) -> Any:
    def hook(change: Change) -> None:
        change.session.get_one(ToySvm, SVM).name = name

    return hook


def _add_shelf(uuid: str) -> Any:
    return lambda change: change.add(Shelf(uuid=uuid, name=uuid, svm_uuid=SVM))


def _finish(
    database: Engine,
    failures: dict[str, Cause] | None = None,
    destroyed: frozenset[str] = NOTHING,
) -> bool:
    with writing(database) as session:
        return bool(jobs.finish(session, jobs.waiting(session), failures or {}, destroyed))


def _job(database: Engine, number: int) -> Job:
    with reading(database) as session:
        job = session.get_one(Job, number)
        session.expunge(job)
        return job


def _name(database: Engine) -> str:
    with reading(database) as session:
        return session.get_one(ToySvm, SVM).name


def _events(database: Engine) -> list[str]:
    with reading(database) as session:
        return [row.name for row in session.scalars(select(events.Event))]


def test_a_job_is_queued_in_the_transaction_of_its_change(world: Engine) -> None:
    def broken() -> None:
        with writing(world) as session:
            change = Change(session)
            _rename("x")(change)
            jobs.queue(change, "PATCH /api/something")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    with reading(world) as session:
        assert jobs.waiting(session) == []
    job = _job(world, _queue(world, _rename("x")))
    assert (job.state, job.touched, job.code) == (QUEUED, [OWNER], 0)


def test_jobs_wait_oldest_first(world: Engine) -> None:
    numbers = [_queue(world, _rename(name)) for name in ("x", "y", "z")]
    with reading(world) as session:
        assert [job.id for job in jobs.waiting(session)] == numbers


def test_a_job_without_failures_succeeds_and_keeps_nothing_to_undo(world: Engine) -> None:
    number = _queue(world, _rename("x"))
    assert not _finish(world, {"svm/svms:another": Cause("1", "no")})
    job = _job(world, number)
    assert (job.state, job.message, job.code, job.undo) == (SUCCESS, "", 0, [])
    assert job.end_time
    assert job.end_time >= job.start_time
    assert _name(world) == "x"


def test_a_failed_job_has_its_reason_and_the_old_state_stays(world: Engine) -> None:
    number = _queue(world, _rename("x"))
    assert _finish(world, {OWNER: Cause("917536", "the pool is full")})
    job = _job(world, number)
    assert (job.state, job.code, job.message) == (FAILURE, 917536, "the pool is full")
    assert job.undo == []
    assert _name(world) == "svm1"
    assert _events(world) == []


def test_failed_jobs_are_taken_back_newest_first(world: Engine) -> None:
    for name in ("x", "y", "z"):
        _queue(world, _rename(name))
    assert _finish(world, {OWNER: Cause("1", "no")})
    assert _name(world) == "svm1"


def test_jobs_that_did_not_touch_what_failed_succeed(world: Engine) -> None:
    failing, well = _queue(world, _add_shelf("a")), _queue(world, _add_shelf("b"))
    assert _finish(world, {"toys/shelves:a": Cause("1", "no")})
    assert (_job(world, failing).state, _job(world, well).state) == (FAILURE, SUCCESS)
    with reading(world) as session:
        assert [shelf.name for shelf in session.scalars(select(Shelf))] == ["b"]
        removals = list(session.scalars(select(Removal)))
        assert [(row.kind, row.owner) for row in removals] == [("thin", "toys/shelves:a")]


def test_a_change_is_not_taken_back_when_data_was_destroyed(world: Engine) -> None:
    _queue(world, _add_shelf("a"))
    _finish(world)

    def delete(change: Change) -> None:
        shelf = change.session.get_one(Shelf, "a")
        ShelfResource().delete(change, shelf, {"force": False})

    number = _queue(world, delete)
    owner = "toys/shelves:a"
    assert not _finish(world, {owner: Cause("1", "half done")}, frozenset({owner}))
    assert _job(world, number).state == FAILURE
    with reading(world) as session:
        assert session.get(Shelf, "a") is None
        assert session.scalars(select(Removal)).one().owner == owner
    assert _events(world) == ["job.revert.failed"]


def test_a_change_is_not_taken_back_when_a_finished_one_builds_on_it(world: Engine) -> None:
    failing = _queue(world, _add_shelf("a"))
    well = _queue(world, lambda change: change.add(Box(shelf_uuid="a", name="x")))
    assert not _finish(world, {"toys/shelves:a": Cause("1", "no")})
    assert (_job(world, failing).state, _job(world, well).state) == (FAILURE, SUCCESS)
    with reading(world) as session:
        assert session.get(Shelf, "a")
        assert session.scalar(select(Removal)) is None
    assert _events(world) == ["job.revert.failed"]


def test_only_the_newest_finished_jobs_are_kept(
    world: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "KEPT", 3)
    first = _queue(world, _rename("unfinished"))
    numbers = [_queue(world, _rename(f"n{number}")) for number in range(6)]
    with writing(world) as session:
        jobs.finish(session, jobs.waiting(session)[1:], {}, NOTHING)
        jobs.prune(session)
    with reading(world) as session:
        assert list(session.scalars(select(Job.id).order_by(Job.id))) == [first, *numbers[3:]]


def test_numbers_of_pruned_jobs_are_not_used_again(
    world: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "KEPT", 0)
    number = _queue(world, _rename("x"))
    _finish(world)
    with writing(world) as session:
        jobs.prune(session)
    assert _queue(world, _rename("y")) > number


def test_waiting_without_patience_returns_the_job_as_it_is(world: Engine) -> None:
    number = _queue(world, _rename("x"))
    assert jobs.wait(world, number, 0).state == QUEUED


def test_waiting_ends_with_the_job(world: Engine) -> None:
    number = _queue(world, _rename("x"))
    reconciler = threading.Timer(0.02, _finish, [world, {OWNER: Cause("1", "no")}])
    reconciler.start()
    job = jobs.wait(world, number, 60)
    reconciler.join()
    assert (job.state, job.message) == (FAILURE, "no")


def test_a_failed_job_as_an_error(world: Engine) -> None:
    number = _queue(world, _rename("x"))
    _finish(world, {OWNER: Cause("917536", "the pool aggr1 is full", ("aggr1",))})
    error = jobs.failure(_job(world, number))
    assert error.status == 500
    assert error.body()["error"] == {
        "code": "917536",
        "message": "the pool aggr1 is full",
        "arguments": [{"code": "0", "message": "aggr1"}],
    }


def test_waking_sends_one_datagram(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SANSTONE_RUN", str(tmp_path))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as reconciler:
        reconciler.bind(str(tmp_path / "wake.sock"))
        jobs.wake()
        assert reconciler.recv(16) == b"w"


def test_waking_a_reconciler_that_is_absent_gone_or_busy_is_no_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SANSTONE_RUN", str(tmp_path))
    jobs.wake()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as reconciler:
        reconciler.bind(str(tmp_path / "wake.sock"))
        for _ in range(3000):
            jobs.wake()
    jobs.wake()


def _teller() -> job_ends.Teller:
    listener = RealFiles().bind_socket(str(job_ends.path()), socket.SOCK_STREAM, os.getgid())
    return job_ends.Teller(listener)


def test_a_waiting_request_wakes_at_the_end(world: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a message it would look again after an hour."""
    monkeypatch.setattr(job_ends, "LONGEST_PAUSE", 3600.0)
    teller = _teller()
    monkeypatch.setattr(jobs, "_tellers", [teller])
    number = _queue(world, _rename("svm2"))
    ended: list[str] = []
    waiting = threading.Thread(target=lambda: ended.append(jobs.wait(world, number, 3600).state))
    waiting.start()
    _finish(world)
    jobs.tell_ended()
    waiting.join(30)
    assert ended == [SUCCESS]
    teller.close()


def test_a_wait_goes_on_when_the_reconciler_ends(world: Engine) -> None:
    teller = _teller()
    number = _queue(world, _rename("svm2"))
    ended: list[str] = []
    waiting = threading.Thread(target=lambda: ended.append(jobs.wait(world, number, 60).state))
    waiting.start()
    teller.close()
    _finish(world)
    waiting.join(30)
    assert ended == [SUCCESS]


def test_tellers_outlive_waiters_that_have_gone(world: Engine) -> None:
    teller = _teller()
    for _ in range(3):
        with job_ends.waiter(job_ends.path()):
            teller.tell()
    with job_ends.waiter(job_ends.path()) as last:
        teller.tell()
        last.wait(3600)
    teller.close()


def test_a_job_waits_for_each_node_that_takes_part(world: Engine) -> None:
    number = _queue(world, _rename("x"))
    with writing(world) as session:
        job = session.get_one(Job, number)
        assert not jobs.note_done(job, NODE, [], [NODE, PARTNER])
        assert not jobs.note_done(job, PARTNER, [OWNER], [NODE, PARTNER])
    with writing(world) as session:
        job = session.get_one(Job, number)
        assert job.done == [[OWNER, NODE]]
        assert jobs.note_done(job, PARTNER, [], [NODE, PARTNER])


def test_a_job_does_not_wait_for_a_node_that_was_taken_over(world: Engine) -> None:
    number = _queue(world, _rename("x"))
    with writing(world) as session:
        job = session.get_one(Job, number)
        assert not jobs.note_done(job, NODE, [], [NODE, PARTNER])
        assert jobs.note_done(job, NODE, [], [NODE])


def test_a_job_that_touches_nothing_waits_for_each_node_too(world: Engine) -> None:
    number = _queue(world, lambda _change: None)
    with writing(world) as session:
        job = session.get_one(Job, number)
        assert not jobs.note_done(job, NODE, [], [NODE, PARTNER])
        assert jobs.note_done(job, PARTNER, [], [NODE, PARTNER])


def test_a_node_learns_once_of_another_nodes_undo(world: Engine) -> None:
    with writing(world) as session:
        for _ in range(2):
            jobs.tell_others(session, [PARTNER], [OWNER, "a:1", ""])
        assert jobs.due(session, NODE) == set()
        assert jobs.due(session, PARTNER) == {OWNER, "a:1"}
        jobs.looked_at(session, PARTNER, [OWNER])
        assert jobs.due(session, PARTNER) == {"a:1"}
