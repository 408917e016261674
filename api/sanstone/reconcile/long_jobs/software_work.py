"""What downloads, validations and updates have in common: an order about software.

The order is a row of its own, `SoftwareTask`, which tells of it long after the long job is gone;
both have one UUID. What succeeded is noted in it here, with what follows from it. That one failed
or was cancelled is noted by the reconciler, which knows of both.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Engine

from sanstone.core.store import reading, writing
from sanstone.kernel.host import Host, HostError
from sanstone.model.software import OPEN, SUCCESS, SoftwareTask
from sanstone.reconcile.long_jobs.work import Progress


def order(task: SoftwareTask) -> dict[str, Any]:
    """Return what the process has to know. The rest, as a password, stays in the task's row."""
    return {"task": task.uuid}


class SoftwareWork:
    """An order about software. All that one left half-way is done afresh."""

    stoppable = True

    def __init__(self, host: Host, database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when there is none."""
        self.host, self.database = host, database
        with reading(database) as session:
            task = session.get(SoftwareTask, str(data.get("task")))
            if task is None:
                raise HostError(f"there is no order about software {data.get('task')!r}")
            session.expunge(task)
        self.task = task

    def run(self) -> None:
        """Do it, unless that was done, or a boot has judged it. Raises HostError."""
        if self.task.state not in OPEN:
            return
        try:
            self.work()
        except OSError as error:
            raise HostError(str(error)) from error

    def work(self) -> None:
        """Do it. Raises HostError, OSError."""
        raise NotImplementedError

    def progress(self) -> Progress:
        """Return that nobody can tell."""
        return Progress()

    def note(self, *orders: SoftwareTask, **values: Any) -> None:
        """Set what is known of the order, and give those that follow from it."""
        with writing(self.database) as session:
            session.add_all(orders)
            row = session.get_one(SoftwareTask, self.task.uuid)
            for name, value in values.items():
                setattr(row, name, value)

    def succeed(self, message: str, *orders: SoftwareTask, **values: Any) -> None:
        """Note that it is done."""
        ended = {"state": SUCCESS, "message": message, "end_time": time.time(), "password": ""}
        self.note(*orders, **ended, **values)
