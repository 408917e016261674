"""A terminal of 80 by 24 characters with a program on it, for a test to read and type on."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

SECONDS = 120.0
_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])|\r|\x1b\][^\x07]*\x07")
UP, DOWN, ENTER, ESCAPE, SPACE, CTRL_C = "\x1b[A", "\x1b[B", "\r", "\x1b", " ", "\x03"


class Terminal:
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
        self.shown = ""

    def see(self, *texts: str) -> None:
        """Wait until all texts were shown since the last keys; spaces may be cursor movements."""
        deadline = time.monotonic() + SECONDS
        while not all(_squeezed(text) in _squeezed(self.shown) for text in texts):
            assert time.monotonic() < deadline, f"{texts} in:\n{self.shown}"
            assert self._read(), f"the program ended before {texts}:\n{self.shown}"

    def type(self, keys: str) -> None:
        """Press keys; what was shown until now is forgotten."""
        self.shown = ""
        os.write(self._master, keys.encode())

    def end(self) -> int:
        """Wait for the program's end, and return its status."""
        while self._read():
            pass
        os.close(self._master)
        return self.process.wait(SECONDS)

    def _read(self) -> bool:
        """Read what there is for a moment; return whether the program may still write."""
        if not select.select([self._master], [], [], 0.2)[0]:
            return self.process.poll() is None
        try:
            piece = os.read(self._master, 65536)
        except OSError:  # EIO: the last program that had it open has ended.
            return False
        self.shown += _SEQUENCE.sub("", piece.decode(errors="replace"))
        return bool(piece)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)
