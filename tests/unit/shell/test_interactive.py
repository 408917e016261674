"""The prompt, with keys as a terminal sends them."""

from __future__ import annotations

import asyncio

import pytest
from console import Console
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from standing_clock import Clock

from sanstone.shell import interactive
from sanstone.shell.errors import AWAY, Idle

TAB, ENTER, CONTROL_C, CONTROL_D = "\t", "\r", "\x03", "\x04"


def typed(console: Console, keys: str) -> int:
    """Type keys at a new prompt; the last ones must leave it."""
    with create_pipe_input() as pipe:
        pipe.send_text(keys)
        with create_app_session(input=pipe, output=DummyOutput()):
            return interactive.run(console.session)


def test_lines_are_run_until_the_user_leaves(unplugged: Console) -> None:
    assert typed(unplugged, f"rows 5{ENTER}{ENTER}exit{ENTER}") == 0
    assert unplugged.session.settings.rows == 5


def test_the_end_of_input_leaves(unplugged: Console) -> None:
    assert typed(unplugged, CONTROL_D) == 0


def test_an_abandoned_line_is_not_run(unplugged: Console) -> None:
    typed(unplugged, f"rows 5{CONTROL_C}rows 6{ENTER}exit{ENTER}")
    assert unplugged.session.history == ["rows 6", "exit"]


def test_tab_completes(unplugged: Console) -> None:
    typed(unplugged, f"ro{TAB}5{ENTER}exit{ENTER}")
    assert unplugged.session.history[0] == "rows 5"


def test_a_question_is_answered_at_once_and_the_line_stays(
    unplugged: Console, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(unplugged, f"rows ?5{ENTER}exit{ENTER}")
    assert any("[-rows] <integer>" in line for line in unplugged.output)
    assert "sanstone::> rows ?" in capsys.readouterr().out
    assert unplugged.session.history[0] == "rows 5"


def test_a_question_mark_within_a_quotation_is_text(unplugged: Console) -> None:
    typed(unplugged, f'set -showseparator "?"{ENTER}exit{ENTER}')
    assert unplugged.session.settings.separator == "?"


def test_a_prompt_at_which_nobody_types_ends(
    unplugged: Console, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    unplugged.session.idle = 1800

    with create_pipe_input() as pipe:

        async def pass_by(seconds: float) -> None:
            """Have time go by, at first with a key in between."""
            pauses.append(seconds)
            if len(pauses) == 1:
                clock.now += 600
                pipe.send_text("x")
                for _ in range(50):
                    await asyncio.sleep(0)
                seconds -= 600
            clock.now += seconds + 1

        monkeypatch.setattr(interactive, "sleep", pass_by)
        with create_app_session(input=pipe, output=DummyOutput()):
            assert interactive.run(unplugged.session) == 0
    assert pauses == pytest.approx([1800, 599])
    assert unplugged.output == [AWAY]


def test_a_shell_that_stays_for_ever_has_no_limit(
    unplugged: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interactive, "get_app", lambda: pytest.fail("it is watched"))
    assert typed(unplugged, CONTROL_D) == 0


def test_a_question_that_nobody_answers_ends_the_shell(
    unplugged: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(_question: str) -> bool:
        raise Idle

    monkeypatch.setattr(unplugged.session, "ask", nobody)
    assert typed(unplugged, f"set -privilege advanced{ENTER}") == 0
    assert unplugged.output[-1] == AWAY
