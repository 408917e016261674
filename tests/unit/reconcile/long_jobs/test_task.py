"""The process of one long job."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from simulator import Simulator
from sqlalchemy import Engine
from toy import NODE

from fakes import Killed
from sanstone.core.database.store import reading, writing
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.long_jobs import task as module
from sanstone.reconcile.long_jobs.kinds import STORAGE, Kind
from sanstone.reconcile.long_jobs.task import Task
from sanstone.reconcile.long_jobs.work import Progress

UUID = "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"


class Counting:
    """Work that waits until somebody reads its progress."""

    task: Task

    def __init__(self, _host: Host, _database: Engine, data: dict[str, Any]) -> None:
        self._data, self._progress_read = data, threading.Event()
        self.stoppable = data.get("stoppable", True)

    def run(self) -> None:
        """Do it, or fail or die as the order says."""
        assert self._progress_read.wait()
        if "why" in self._data:
            raise HostError(self._data["why"])
        if "stoppable" in self._data:
            self.task.stop()
        if "dies" in self._data:
            raise Killed("power cut")

    def progress(self) -> Progress:
        """Return a half."""
        self._progress_read.set()
        return Progress(50, self._data.get("says", ""))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the progress all the time."""
    monkeypatch.setattr(module, "PERIOD", 0.01)


def order(array: Simulator, kind: str = "counting", **columns: Any) -> Task:
    """Write an order and return the process that does it."""
    with writing(array.database) as session:
        session.add(
            LongJob(
                uuid=UUID,
                kind=kind,
                owner="a:1",
                node_uuid=NODE,
                message="It is counted",
                **columns,
            )
        )
    Counting.task = Task(
        array.kernel.host, array.database, UUID, {"counting": Kind(STORAGE, Counting)}
    )
    return Counting.task


def row(array: Simulator) -> LongJob:
    with reading(array.database) as session:
        record = session.get_one(LongJob, UUID)
        session.expunge(record)
    return record


def test_a_task_records_its_success(array: Simulator) -> None:
    order(array).run()
    assert (row(array).state, row(array).percent) == ("success", 100)


def test_a_task_records_its_failure_and_progress(array: Simulator) -> None:
    order(array, data={"why": "it would not"}).run()
    assert (row(array).state, row(array).message) == ("failure", "it would not")
    assert row(array).percent == 50


def test_a_task_records_the_works_message(array: Simulator) -> None:
    order(array, data={"says": "It is counted up"}).run()
    assert row(array).message == "It is counted up"


def test_a_killed_task_stays_pending(array: Simulator) -> None:
    with pytest.raises(Killed):
        order(array, data={"dies": True}).run()
    assert row(array).is_open


def test_a_stopped_task_stays_pending(array: Simulator) -> None:
    with pytest.raises(SystemExit):
        order(array, data={"stoppable": True}).run()
    assert row(array).is_open


def test_work_that_cannot_stop_half_way_is_finished(array: Simulator) -> None:
    order(array, data={"stoppable": False}).run()
    assert row(array).state == "success"


def test_a_kind_that_there_is_not_fails(array: Simulator) -> None:
    order(array, kind="evil").run()
    assert row(array).state == "failure" and "'evil'" in row(array).message


@pytest.mark.parametrize("columns", [{"cancel": True}, {"state": "failure"}])
def test_an_ended_or_cancelled_task_does_not_run(array: Simulator, columns: dict[str, Any]) -> None:
    before = columns.get("state", "queued")
    order(array, **columns).run()
    assert (row(array).state, row(array).percent) == (before, None)


def test_an_order_that_was_deleted_is_none(array: Simulator) -> None:
    Task(array.kernel.host, array.database, UUID).run()
