"""The user's side: text on a terminal, page by page, or plain output for another program.

Output goes to standard output. Without a terminal, errors and questions go to standard error, so
that a program that reads the output gets nothing else, and a question without an answer counts as
no.
"""

from __future__ import annotations

import getpass
import os
import select
import shutil
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from sanstone.shell.errors import Idle
from sanstone.shell.session import Settings

MORE = "Press <space> to page down, <return> for next line, or 'q' to quit... "
UNANSWERED = "Nothing is done without an answer. `set -confirmations off` asks for none."
PLAIN_WIDTH = 10_000
"""Columns without a terminal: nothing is wrapped, so that lines can be searched."""
_RED, _YELLOW, _NORMAL = "\x1b[31m", "\x1b[33m", "\x1b[0m"


class Terminal:
    """Output and prompts of a session.

    A prompt of a user's raises Idle where no answer comes for `idle` seconds, if that is not 0.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.idle = 0.0
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self.colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ

    def width(self) -> int:
        """Return the number of columns."""
        return shutil.get_terminal_size().columns if sys.stdout.isatty() else PLAIN_WIDTH

    def write(self, lines: Sequence[str]) -> None:
        """Write lines, with a pause after each page on a terminal."""
        page = self._settings.rows if self.interactive else 0
        room = max(1, page - 1)
        for number, line in enumerate(lines):
            if page and number >= room:
                more = self._more()
                if not more:
                    break
                room = number + (page - 1 if more == "page" else 1)
            print(self._safe(line))
        sys.stdout.flush()

    def complain(self, text: str) -> None:
        """Write an error."""
        text = "\n".join(self._safe(line) for line in text.splitlines())
        if self.colours and self.interactive:
            text = f"{_RED}{text}{_NORMAL}"
        print(text, file=sys.stdout if self.interactive else sys.stderr, flush=True)

    def ask(self, question: str) -> bool:
        """Ask a question and return whether the answer is yes."""
        stream = sys.stdout if self.interactive else sys.stderr
        coloured = self.colours and self.interactive
        while True:
            print(f"{_YELLOW}{question}{_NORMAL}" if coloured else question, end="", file=stream)
            stream.flush()
            with self._user_there():
                line = sys.stdin.readline()
            answer = line.strip().lower()
            if answer in ("y", "yes"):
                return True
            if answer in ("n", "no"):
                return False
            if not line:
                print(file=stream)
                self.complain(UNANSWERED)
                return False

    def ask_within(self, question: str, seconds: float) -> bool:
        """Ask for a `yes`, and return whether it came in time; any other answer is no."""
        stream = sys.stdout if self.interactive else sys.stderr
        coloured = self.colours and self.interactive
        print(f"{_YELLOW}{question}{_NORMAL}" if coloured else question, end="", file=stream)
        stream.flush()
        if self.interactive and not select.select([sys.stdin], [], [], seconds)[0]:
            print(file=stream)
            return False
        return sys.stdin.readline().strip().lower() == "yes"

    def ask_secret(self, question: str) -> str:
        """Prompt for a secret without an echo; another program sends it as a line."""
        if self.interactive:
            with self._user_there():
                return getpass.getpass(question)
        return sys.stdin.readline().rstrip("\n")

    def ask_code(self, why: str) -> str:
        """Prompt for the code of a second factor; `why` is what was wrong with the one before.

        Who gives none is refused. A command by ssh has no terminal here, and yet often a user at
        the other end.
        """
        if why:
            self.complain(why)
        question = "Verification code: "
        if self.interactive:
            try:
                with self._user_there():
                    return getpass.getpass(question).strip()
            except (EOFError, KeyboardInterrupt):
                print()
                return ""
        print(question, end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip()

    @staticmethod
    def _safe(line: str) -> str:
        """Return a line without control characters: a comment must not control the terminal."""
        return "".join(c if c.isprintable() or c == "\t" else "?" for c in line)

    @contextmanager
    def _user_there(self) -> Iterator[None]:
        """Raise Idle where the input of the block does not come in time.

        A signal interrupts what reads, as getpass, which takes no limit of its own.
        """
        if not self.interactive or not self.idle:
            yield
            return
        before = signal.signal(signal.SIGALRM, _leave)
        try:
            signal.setitimer(signal.ITIMER_REAL, self.idle)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _more(self) -> str:
        """Prompt for one key to continue; return page, line, or nothing."""
        print(MORE, end="", flush=True)
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor)
            with self._user_there():
                key = os.read(descriptor, 1)
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
        print("\r" + " " * len(MORE) + "\r", end="")
        return {b" ": "page", b"\n": "line", b"\r": "line"}.get(key, "")


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise Idle
