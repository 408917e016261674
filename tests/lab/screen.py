"""A screen of 80 by 24 characters and its keys, to be read and typed on."""

from __future__ import annotations

import os
import re
import select
from collections.abc import Callable

from lab import patience

UP, DOWN, ENTER, ESCAPE, SPACE, CTRL_C = "\x1b[A", "\x1b[B", "\r", "\x1b", " ", "\x03"
_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])|\r|\x1b\][^\x07]*\x07")


class Screen:
    """What comes over the file descriptor `line`, for as long as `goes_on()`."""

    def __init__(self, line: int, goes_on: Callable[[], bool]) -> None:
        self._line = line
        self._goes_on = goes_on
        self.shown = ""

    def see(self, *texts: str, seconds: float = patience.SECONDS) -> None:
        """Wait until all texts were shown since the last keys; spaces may be cursor movements.

        Raises AssertionError with the text on the screen.
        """
        deadline = patience.now() + seconds
        while not all(_squeezed(text) in _squeezed(self.shown) for text in texts):
            assert patience.now() < deadline, f"{texts} in:\n{self.shown}"
            assert self.read(), f"it ended before {texts}:\n{self.shown}"

    def type(self, keys: str) -> None:
        """Press keys, and forget the text that was shown until now."""
        self.shown = ""
        os.write(self._line, keys.encode())

    def read(self) -> bool:
        """Read for a moment; return whether more may come."""
        if not select.select([self._line], [], [], 0.2)[0]:
            return self._goes_on()
        try:
            piece = os.read(self._line, 65536)
        except OSError:  # EIO: the last program that had the terminal open has ended.
            return False
        self.shown += _SEQUENCE.sub("", piece.decode(errors="replace"))
        return bool(piece)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)
