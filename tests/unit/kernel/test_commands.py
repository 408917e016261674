"""The behaviour of every form of `host.Commands`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fakes import FakeKernel
from sanstone.kernel.host import CommandError, Commands, MissingPrograms
from sanstone.kernel.real.commands import RealCommands


def fake_sh(argv: Sequence[str], stdin: str) -> str:
    """Answer as the shell does to the scripts in these tests."""
    if argv[2] == "cat":
        return stdin
    if argv[2] == "echo no >&2; exit 3":
        raise CommandError(argv, 3, "no\n")
    return "" if argv[2] == "true" else "C.UTF-8\n"


@pytest.fixture(params=["real", "fake"])
def commands(request: pytest.FixtureRequest) -> Commands:
    """Return commands among which there is sh."""
    if request.param == "real":
        return RealCommands()
    kernel = FakeKernel()
    kernel.commands.register("sh", fake_sh)
    return kernel.host.commands


def test_input_goes_in_and_output_comes_out(commands: Commands) -> None:
    assert commands.run(["sh", "-c", "cat"], stdin="a secret\n") == "a secret\n"
    assert commands.run(["sh", "-c", "true"]) == ""


def test_bytes_that_are_no_text_come_out_as_text() -> None:
    output = RealCommands().run(["sh", "-c", r"printf 'disk \377\303\244'"])
    assert output == r"disk \xffä"
    with pytest.raises(CommandError) as caught:
        RealCommands().run(["sh", "-c", r"printf 'no \377' >&2; exit 3"])
    assert caught.value.stderr == r"no \xff"


def test_an_error_has_the_command_and_its_output(commands: Commands) -> None:
    with pytest.raises(CommandError) as caught:
        commands.run(["sh", "-c", "echo no >&2; exit 3"])
    assert (caught.value.status, caught.value.stderr) == (3, "no\n")
    assert str(caught.value) == "sh -c echo no >&2; exit 3: exit status 3: no"


def test_a_missing_program_is_a_failure_too(commands: Commands) -> None:
    with pytest.raises(CommandError) as caught:
        commands.run(["no-such-program", "x"])
    assert caught.value.status == 127


def test_programs_speak_english(commands: Commands) -> None:
    assert commands.run(["sh", "-c", 'echo "$LC_ALL"']) == "C.UTF-8\n"


def test_all_missing_programs_are_named(commands: Commands) -> None:
    commands.require(["sh"])
    with pytest.raises(MissingPrograms, match="no-such-program, nor-this-one"):
        commands.require(["nor-this-one", "sh", "no-such-program"])


def test_an_administrator_gets_the_terminal_and_a_missing_program_is_an_error(
    commands: Commands,
) -> None:
    commands.run_on_terminal(["sh", "-c", "true"])
    commands.run_on_terminal(["sh", "-c", "echo no >&2; exit 3"])
    with pytest.raises(CommandError):
        commands.run_on_terminal(["no-such-program"])
