"""A terminal with a program on it, for a test to read and type on."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

from lab.screen import SECONDS, Screen


class Terminal(Screen):
    """A Python program on a pseudo terminal, as on a serial line: a vt220."""

    def __init__(self, program: Path, *arguments: str | Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, program, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "vt220", "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,
        )
        os.close(slave)
        super().__init__(self._master, lambda: self.process.poll() is None)

    def end(self) -> int:
        """Wait for the program's end, and return its status."""
        while self.read():
            pass
        os.close(self._master)
        return self.process.wait(SECONDS)
