"""Output to a user's terminal, and to another program."""

from __future__ import annotations

import getpass
import io
import os
import signal
import sys
from collections.abc import Iterator
from typing import TextIO

import pytest

from sanstone.shell import terminal
from sanstone.shell.errors import Idle
from sanstone.shell.session import Settings
from sanstone.shell.terminal import Terminal

LINES = [str(number) for number in range(1, 8)]


def test_another_program_gets_lines_and_errors_apart(capsys: pytest.CaptureFixture[str]) -> None:
    plain = Terminal(Settings(rows=3))
    plain.write(LINES)
    plain.complain("Error: no")
    printed = capsys.readouterr()
    assert printed.out.split() == LINES and printed.err == "Error: no\n"
    assert plain.width() == terminal.PLAIN_WIDTH


@pytest.mark.parametrize(
    ("typed", "agreed"), [("y\n", True), ("maybe\nYES\n", True), ("n\n", False), ("", False)]
)
def test_questions(
    typed: str,
    agreed: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert Terminal(Settings()).ask("Really? {y|n}: ") is agreed
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith("Really? {y|n}: ")
    assert ("set -confirmations off" in printed.err) is (not typed), "nobody is there to answer"


def test_a_command_by_ssh_prompts_for_a_code_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("123456\nlun show\n"))
    asking = Terminal(Settings())
    assert asking.ask_code("The code is wrong.") == "123456"
    assert sys.stdin.readline() == "lun show\n"
    assert asking.ask_code("") == ""
    assert capsys.readouterr() == ("", "The code is wrong.\n" + 2 * "Verification code: ")


@pytest.mark.parametrize("reason", [EOFError, KeyboardInterrupt])
def test_a_user_who_leaves_at_the_prompt_gives_no_code(
    reason: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(_question: str) -> str:
        raise reason

    asking = Terminal(Settings())
    asking.interactive = True
    monkeypatch.setattr(getpass, "getpass", leave)
    assert asking.ask_code("") == ""


@pytest.mark.parametrize(
    ("typed", "agreed"), [("yes\n", True), (" YES \n", True), ("y\n", False), ("", False)]
)
def test_another_program_answers_in_its_own_time_with_the_whole_word(
    typed: str,
    agreed: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert Terminal(Settings()).ask_within("Keep it? ", 0.0) is agreed
    assert capsys.readouterr() == ("", "Keep it? ")


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """A file: bytes written to it are typed at the terminal."""
    reads, writes = os.pipe()
    with os.fdopen(reads) as stdin, os.fdopen(writes, "w") as typed:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield typed


@pytest.mark.parametrize(("typed", "agreed"), [("yes\n", True), ("no\n", False), ("\n", False)])
def test_a_user_answers_in_time(
    typed: str, agreed: bool, keyboard: TextIO, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal(Settings())
    terminal.interactive = True
    print(typed, end="", file=keyboard, flush=True)
    assert terminal.ask_within("Keep it? ", 60.0) is agreed
    assert capsys.readouterr().out == "Keep it? "


def test_no_answer_in_time_is_no_and_what_follows_begins_a_line(
    keyboard: TextIO, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal(Settings())
    terminal.interactive = True
    assert terminal.ask_within("Keep it? ", 0.0) is False
    print("yes", file=keyboard, flush=True)
    assert capsys.readouterr().out == "Keep it? \n"


def test_no_text_drives_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(Settings()).write(["a\x1b[2Jb\rc\td"])
    Terminal(Settings()).complain("x\x07y\nz")
    printed = capsys.readouterr()
    assert printed.out == "a?[2Jb?c\td\n" and printed.err == "x?y\nz\n"


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Terminal, list[str]]]:
    """A terminal of three lines, and the keys that its user will press."""
    keys: list[str] = []
    terminal = Terminal(Settings(rows=3))
    terminal.interactive = True
    monkeypatch.setattr(Terminal, "_more", staticmethod(lambda: keys.pop(0)))
    yield terminal, keys


@pytest.mark.parametrize(
    ("keys", "last"),
    [
        (["page", "page", "page"], "7"),
        (["line", "line", ""], "4"),
        (["page", ""], "4"),
        ([""], "2"),
    ],
)
def test_pages(
    screen: tuple[Terminal, list[str]],
    keys: list[str],
    last: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    terminal, pressed = screen
    pressed += keys
    terminal.write(LINES)
    assert capsys.readouterr().out.split()[-1] == last


def test_no_pages(screen: tuple[Terminal, list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    terminal, _ = screen
    terminal._settings.rows = 0
    terminal.write(LINES)
    assert capsys.readouterr().out.split() == LINES


@pytest.fixture
def deserted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    """A terminal whose user goes away; its time limit for input is over at once."""

    def over(_timer: int, seconds: float) -> None:
        if seconds:
            signal.raise_signal(signal.SIGALRM)

    terminal = Terminal(Settings())
    terminal.interactive, terminal.idle = True, 300.0
    monkeypatch.setattr(signal, "setitimer", over)
    before = signal.getsignal(signal.SIGALRM)
    yield terminal
    assert signal.getsignal(signal.SIGALRM) is before


def test_a_question_without_a_user_ends_the_shell(deserted: Terminal) -> None:
    for question in (deserted.ask, deserted.ask_secret, deserted.ask_code):
        with pytest.raises(Idle):
            question("Really? ")


@pytest.mark.usefixtures("keyboard")
def test_programs_and_users_without_a_limit_have_all_the_time(
    deserted: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
    deserted.interactive = False
    assert deserted.ask("Really? ")
    deserted.interactive, deserted.idle = True, 0.0
    assert deserted.ask("Really? ")
