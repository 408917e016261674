"""Common part of downloads, validations and updates: an order about software.

The order is a row of its own, `SoftwareTask`, which serves as history after the long job is gone;
both have the same UUID. Success, and the orders that follow from it, are recorded here. Failure and
cancellation are recorded by the reconciler, which sees both.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any

from sqlalchemy import Engine

from sanstone.core.database.store import reading, writing
from sanstone.kernel.host import Host, HostError
from sanstone.model.software import OPEN, SUCCESS, SoftwareTask
from sanstone.reconcile.long_jobs.work import Progress


def order(task: SoftwareTask) -> dict[str, Any]:
    """Return the data of an order. The rest, such as a password, stays in the task's row."""
    return {"task": task.uuid}


class SoftwareWork(ABC):
    """An order about software. A restart begins it anew."""

    stoppable = True

    def __init__(self, host: Host, database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when its task does not exist."""
        self.host, self.database = host, database
        with reading(database) as session:
            task = session.get(SoftwareTask, str(data.get("task")))
            if task is None:
                raise HostError(f"there is no order about software {data.get('task')!r}")
            session.expunge(task)
        self.task = task

    def run(self) -> None:
        """Do the work, unless it has ended or a boot has recorded its outcome. Raises HostError."""
        if self.task.state not in OPEN:
            return
        try:
            self.work()
        except OSError as error:
            raise HostError(str(error)) from error

    @abstractmethod
    def work(self) -> None:
        """Do the work. Raises HostError, OSError."""

    def progress(self) -> Progress:
        """Return unknown progress."""
        return Progress()

    def record(self, *orders: SoftwareTask, **values: Any) -> None:
        """Set columns of the task, and add orders that follow from it."""
        with writing(self.database) as session:
            session.add_all(orders)
            row = session.get_one(SoftwareTask, self.task.uuid)
            for name, value in values.items():
                setattr(row, name, value)

    def succeed(self, message: str, *orders: SoftwareTask, **values: Any) -> None:
        """Record that the work has succeeded."""
        ended = {"state": SUCCESS, "message": message, "end_time": time.time(), "password": ""}
        self.record(*orders, **ended, **values)
