"""A program gets its arguments and its files, and nothing else that is open."""

from __future__ import annotations

import os

import pytest

from sanstone.kernel import processes
from sanstone.kernel.host import CommandEndless, CommandError, CommandTimeout


def test_a_program_reads_files_that_are_on_no_disk() -> None:
    script = 'cat "$1" "$2"; stat -Lc %h "$1"'
    files = {"key": "a key\n", "text": "ä\n"}
    output = processes.run(["sh", "-c", script, "sh", "{key}", "{text}"], files=files)
    assert output == "a key\nä\n0\n", "a file with no name anywhere"


def test_only_a_whole_argument_stands_for_a_file() -> None:
    assert processes.run(["echo", "{a}b", "{c}"], files={"a": "secret"}) == "{a}b {c}\n"


def test_nothing_else_that_is_open_goes_to_a_program() -> None:
    with processes.in_memory("kept", "a secret") as path:
        with pytest.raises(CommandError):
            processes.run(["cat", path])
        with open(path) as file:  # noqa: PTH123
            assert file.read() == "a secret"
    assert not os.path.exists(path)  # noqa: PTH110


def test_output_before_a_failure_is_kept() -> None:
    with pytest.raises(CommandError) as caught:
        processes.run(["sh", "-c", "echo an answer; echo a complaint >&2; exit 8"])
    error = caught.value
    assert (error.status, error.stdout) == (8, "an answer\n")
    assert error.stderr == "a complaint\n"


def test_a_program_that_takes_too_long_is_stopped_with_an_error() -> None:
    with pytest.raises(CommandTimeout, match="sleep infinity: no answer within 0 s"):
        processes.run(["sleep", "infinity"], time_limit=0)


BOUNDS = processes.Bounds(printed=64 * 1024, memory=64 * 1024 * 1024)


def test_a_program_within_its_bounds_is_as_any_other() -> None:
    script = "cat; echo a complaint >&2; exit 3"
    with pytest.raises(CommandError) as caught:
        processes.run(["sh", "-c", script], stdin="ä\n", bounds=BOUNDS)
    error = caught.value
    assert (error.status, error.stdout, error.stderr) == (3, "ä\n", "a complaint\n")


@pytest.mark.parametrize("script", ["yes", "yes >&2"])
def test_a_program_that_prints_without_end_is_stopped(script: str) -> None:
    with pytest.raises(CommandEndless, match=r"exec yes.*: it printed more than 65536 bytes"):
        processes.run(["sh", "-c", f"exec {script}"], bounds=BOUNDS)


def test_a_program_that_wants_too_much_memory_fails() -> None:
    # tail keeps the last line, which is without end.
    script = "head -c 200M /dev/zero | tail -n 1 | wc -c"
    with pytest.raises(CommandError, match="memory"):
        processes.run(["sh", "-c", f"read wait; {script}; exit 1"], stdin="\n", bounds=BOUNDS)
