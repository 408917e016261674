"""`sanstone-task <uuid>`: does one long job, and notes how far it is and how it ended.

systemd runs it as `sanstone-task@<uuid>.service`, or in other bounds (`kinds`), started by the
reconciler for as long as the job is open. Killed anywhere, it is started again and begins again.
Asked to stop, by a cancellation or a shutdown, it ends at once and leaves the job open, or it
finishes what must not be left half-way.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
from typing import Any

from sqlalchemy import Engine

from sanstone.core import jobs, store
from sanstone.core.jobs import FAILURE, RUNNING, SUCCESS
from sanstone.core.long_jobs import LongJob
from sanstone.core.store import reading, writing
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.real import real_host
from sanstone.reconcile.long_jobs.kinds import KINDS, Kinds
from sanstone.reconcile.long_jobs.work import Work

PERIOD = 2.0
"""Seconds between two looks at how far it is."""
log = logging.getLogger("sanstone.task")


class Task:
    """One long job, in the process that does it."""

    def __init__(self, host: Host, database: Engine, uuid: str, kinds: Kinds = KINDS) -> None:
        self._host, self._database, self._uuid, self._kinds = host, database, uuid, kinds
        self._ended = threading.Event()
        self._stoppable = True

    def run(self) -> None:
        """Do it, unless it has ended or shall end."""
        with reading(self._database) as session:
            row = session.get(LongJob, self._uuid)
            if row is None or not row.is_open or row.cancel:
                return
            kind, data = row.kind, row.data
        self._note(state=RUNNING)
        try:
            if kind not in self._kinds:
                raise HostError(f"there is no kind {kind!r} of long jobs")
            self._work(self._kinds[kind].begin(self._host, self._database, data))
        except HostError as error:
            log.error("%s failed: %s", kind, error)
            self._note(state=FAILURE, message=str(error))
        else:
            self._note(state=SUCCESS, percent=100)
        jobs.wake()

    def stop(self) -> None:
        """End the process, unless that must not be. The row stays as it is."""
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
                self._note(percent=percent, **({"message": message} if message else {}))
            except HostError as error:
                # The work does not depend on it being told.
                log.info("how far it is cannot be told: %s", error)

    def _note(self, **values: Any) -> None:
        """Set columns of the row, unless it has been deleted meanwhile."""
        with writing(self._database) as session:
            row = session.get(LongJob, self._uuid)
            if row is not None:
                for name, value in values.items():
                    setattr(row, name, value)


def main() -> None:
    """Do the long job that is named by the only argument."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    task = Task(real_host(), store.distrusted(store.engine(store.path())), sys.argv[1])
    # By an exception, which ends the command that is under way, too (subprocess.run).
    signal.signal(signal.SIGTERM, lambda _signal, _frame: task.stop())
    task.run()
