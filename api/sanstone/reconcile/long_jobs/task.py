"""`sanstone-task <uuid>`: run one long job, and record its progress and outcome.

The reconciler starts it as the systemd service `sanstone-task@<uuid>.service`, or from another
template (`kinds`), for as long as the job is open. Killed anywhere, it is started again and begins
anew. On a stop signal, of a cancellation or a shutdown, it ends at once and leaves the job open, or
finishes work that must not be interrupted.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
from typing import Any

from sqlalchemy import Engine

from sanstone.core import jobs
from sanstone.core.database import store
from sanstone.core.database.store import reading, writing
from sanstone.core.jobs import FAILURE, RUNNING, SUCCESS
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.real import real_host
from sanstone.reconcile.long_jobs.kinds import KINDS, Kinds
from sanstone.reconcile.long_jobs.work import Work

PERIOD = 2.0
"""Seconds between two records of progress."""
log = logging.getLogger("sanstone.task")


class Task:
    """One long job, in the process that runs it."""

    def __init__(self, host: Host, database: Engine, uuid: str, kinds: Kinds = KINDS) -> None:
        self._host, self._database, self._uuid, self._kinds = host, database, uuid, kinds
        self._ended = threading.Event()
        self._stoppable = True

    def run(self) -> None:
        """Do the work, unless the job has ended or was cancelled."""
        with reading(self._database) as session:
            row = session.get(LongJob, self._uuid)
            if row is None or not row.is_open or row.cancel:
                return
            kind, data = row.kind, row.data
        self._record(state=RUNNING)
        try:
            if kind not in self._kinds:
                raise HostError(f"there is no kind {kind!r} of long jobs")
            self._work(self._kinds[kind].begin(self._host, self._database, data))
        except HostError as error:
            log.error("%s failed: %s", kind, error)
            self._record(state=FAILURE, message=str(error), arguments=list(error.arguments))
        else:
            self._record(state=SUCCESS, percent=100)
        jobs.wake()

    def stop(self) -> None:
        """End the process if the work may be interrupted. The job stays open."""
        if self._stoppable:
            sys.exit()

    def _work(self, work: Work) -> None:
        self._stoppable = work.stoppable
        watcher = threading.Thread(target=self._watch, args=[work], daemon=True)
        watcher.start()
        try:
            work.run()
        finally:
            self._ended.set()
            watcher.join()

    def _watch(self, work: Work) -> None:
        while not self._ended.wait(PERIOD):
            try:
                percent, message = work.progress()
                self._record(percent=percent, **({"message": message} if message else {}))
            except HostError as error:
                # The work goes on without it.
                log.info("progress is unknown: %s", error)

    def _record(self, **values: Any) -> None:
        """Set columns of the job, unless it has been deleted meanwhile."""
        with writing(self._database) as session:
            row = session.get(LongJob, self._uuid)
            if row is not None:
                for name, value in values.items():
                    setattr(row, name, value)


def main(kinds: Kinds = KINDS) -> None:
    """Run the long job that the only argument names, which is of one of these kinds."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    database = store.distrusted(store.engine(store.path()))
    task = Task(real_host(), database, sys.argv[1], kinds)
    # SystemExit also kills the command that is running (subprocess.run).
    signal.signal(signal.SIGTERM, lambda _signal, _frame: task.stop())
    task.run()
