"""A program that goes on in the background after its starter has ended.

It is known by a file with its process id. Ids are used again by the system, so the process counts
as ours only while its command line contains a mark that no other program's has.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from lab import commands, paths, patience

END_SECONDS = 30
PROCESSES = Path("/proc")


def tied(argv: list[str]) -> list[str]:
    """Return `argv` so that the kernel kills the program when the thread that started it ends.

    A process that a signal ended can do nothing about its children (PR_SET_PDEATHSIG in prctl(2)).
    """
    return ["setpriv", "--pdeathsig", "KILL", *argv]


class StartFailed(Exception):
    """A background program ended, or was never ready; has the program's output."""


class Background:
    """The program whose files are `<stem>.pid` and `<stem>.log`, with `mark` in its arguments."""

    def __init__(self, stem: Path, mark: str) -> None:
        self._file = stem.with_suffix(".pid")
        self._log = stem.with_suffix(".log")
        self._mark = mark.encode()

    @property
    def identity(self) -> int | None:
        """The process id, or None while it does not run."""
        if not self._file.exists():
            return None
        process = int(self._file.read_text())
        try:
            arguments = Path(f"/proc/{process}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            return None
        if not arguments:
            _wait_for_end(process)
            return None
        return process if self._mark in arguments else None

    @property
    def starved(self) -> float:
        """For how many seconds it could have run and got no processor; of its threads the most.

        0 while it does not run, and where the kernel does not count it (Documentation/scheduler/
        sched-stats.rst, /proc/<pid>/schedstat).
        """
        waits = [0]
        for thread in (PROCESSES / str(self.identity) / "task").glob("*/schedstat"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                waits.append(int(thread.read_text().split()[1]))
        return max(waits) / 1e9

    def start(self, argv: list[str], ready: Callable[[], bool]) -> None:
        """Start it and wait until `ready()`. Raises StartFailed."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        added = {"PATH": commands.SEARCH_PATH, "PYTHONPATH": str(paths.LAB_SOURCE.parent)}
        with self._log.open("w") as log:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, **added},
            )
        self._file.write_text(str(process.pid))
        deadline = patience.now() + patience.SECONDS
        while not ready():
            if process.poll() is not None or patience.now() > deadline:
                raise StartFailed(f"{argv[0]} did not start: {self._log.read_text()}")
            time.sleep(0.05)

    def kill(self) -> None:
        """End it at once and wait until it is gone."""
        process = self.identity
        if process is None:
            return
        os.kill(process, signal.SIGKILL)
        while self.identity is not None:
            time.sleep(0.02)


def _wait_for_end(process: int) -> None:
    """Wait until `process` has ended. Its arguments are gone already.

    These go first, with its memory; sockets that the next one needs are closed after it (do_exit()
    in kernel/exit.c). Kernel threads have no arguments either, hence no longer than END_SECONDS.
    """
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    try:
        select.select([handle], [], [], END_SECONDS)
    finally:
        os.close(handle)
