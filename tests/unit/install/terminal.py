"""A terminal with a program on it, for a test to read and type on."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import pty
import struct
import sys
import termios
from collections.abc import Callable

import standing_clock

from lab.patience import SECONDS
from lab.screen import Screen

# A process that loads the product anew takes longer than most sessions.
_PROCESSES = multiprocessing.get_context("fork")


class Terminal(Screen):
    """A program on a pseudo terminal, as on a serial line: a vt220.

    The program is a function, which runs in a copy of the test's own process.
    """

    def __init__(self, program: Callable[[], None]) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = _PROCESSES.Process(target=_run, args=(program, self._master, slave))
        self.process.start()
        os.close(slave)
        super().__init__(self._master, self.process.is_alive)

    def end(self) -> int | None:
        """Wait for the program's end, and return its status, None if it does not end."""
        while self.read():
            pass
        os.close(self._master)
        self.process.join(SECONDS)
        return self.process.exitcode


def _run(program: Callable[[], None], master: int, line: int) -> None:
    """Run a program whose terminal is a line."""
    os.setsid()
    # So that it ends with the test's process, even one that was killed.
    os.close(master)
    for descriptor in range(3):
        os.dup2(line, descriptor)
    os.close(line)
    os.environ["TERM"] = "vt220"
    # pytest's replacements would keep the output.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = sys.stderr = os.fdopen(1, "w", buffering=1, closefd=False)
    # An escape key is one when nothing follows for a while.
    standing_clock.go_on()
    program()
