"""The prompt, with keys as a terminal sends them."""

from __future__ import annotations

import pytest
from console import Console
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from sanstone.shell import interactive

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
    assert any("[-rows] <integer>" in line for line in unplugged.said)
    assert "sanstone::> rows ?" in capsys.readouterr().out
    assert unplugged.session.history[0] == "rows 5"


def test_a_question_mark_within_a_quotation_is_text(unplugged: Console) -> None:
    typed(unplugged, f'set -showseparator "?"{ENTER}exit{ENTER}')
    assert unplugged.session.settings.separator == "?"
