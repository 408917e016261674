"""A run from its first step to its last line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fake_steps import ENDED, START, ended, failed, passed, shell, suite, unsteady_suite

from lab import paths
from run.__main__ import run
from run.plan import Step


def last_screen(steps: list[Step], folder: Path, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """Run `steps`, which must be red, and return the terminal's lines."""
    assert run(steps, folder) == 1
    return capfd.readouterr().out.splitlines()


def test_a_run_without_failures_is_green(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    steps = [
        shell("built", "echo built"),
        suite("one", START, passed("a"), {"test": "b", "outcome": "skipped"}, ENDED),
        suite("two", START, passed("c"), ENDED),
    ]
    assert run(steps, tmp_path) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "2 passed, 0 failed, 1 skipped"
    assert (tmp_path / "test/built.log").read_text() == "built\n"


def test_a_failure_is_named_with_its_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    step = suite("one", START, passed("a"), failed("b"), ended(1), status=1)
    lines = last_screen([step], tmp_path, capfd)
    assert lines[-1] == "1 passed, 1 failed, 0 skipped"
    assert f"one FAILED, see {tmp_path}/test/one.log" in lines
    assert "  b" in lines


def test_a_test_that_passes_alone_is_unsteady(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([unsteady_suite("one", tmp_path / "state", "unit/test_a.py::test_b")], tmp_path) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[-1] == "1 passed, 0 failed, 0 skipped"
    [folder] = (tmp_path / "unsteady").iterdir()
    assert f"  unit/test_a.py::test_b: {folder}" in lines
    assert (folder / "failure").read_text() == "what unit/test_a.py::test_b said"
    assert (folder / "first.log").exists()
    assert (folder / "second.log").exists()
    assert "steps that ran: one" in (folder / "load").read_text()
    selected = json.loads((tmp_path / "test/one.only").read_text())
    assert selected == ["unit/test_a.py::test_b"]


def test_three_unsteady_tests_are_borne_and_four_are_not(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([unsteady_suite("one", tmp_path / "three", *"abc")], tmp_path) == 0
    lines = last_screen([unsteady_suite("one", tmp_path / "four", *"abcd")], tmp_path, capfd)
    assert "More than 3 are unsteady." in lines
    assert lines[-1] == "4 passed, 0 failed, 0 skipped"


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        (suite("one", ENDED), "ran no test"),
        (suite("one", START, ended(5), status=5), "exit status 5; ran no test"),
        (suite("one", START, passed("a")), "did not come to its end"),
        (suite("one", START, passed("a"), ENDED, status=2), "exit status 2"),
        (shell("one", "exit 3"), "exit status 3"),
        (shell("one", "kill -KILL $$"), "exit status 137"),
        (Step("one", shell("", "").kind, ("/nowhere",)), "exit status 127"),
    ],
)
def test_a_fault_beside_tests_is_red(
    step: Step, fault: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = last_screen([step], tmp_path, capfd)
    assert f"one FAILED: {fault}, see {tmp_path}/test/one.log" in lines
    assert lines[-1].endswith(" passed, 1 failed, 0 skipped")


def test_a_suite_that_left_out_tests_is_red(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    early = "stopping after 3 failures"
    first = suite("one", START, failed("a"), ended(1, early), status=1).command[2]
    second = suite("one", START, passed("a"), ENDED).command[2]
    state = tmp_path / "state"
    script = f"if test -e {state}; then {second}\nelse touch {state}; {first}\nfi"
    step = shell("one", script, kind=suite("").kind, tests=True)
    lines = last_screen([step], tmp_path, capfd)
    assert f"one FAILED: ended early: {early}, see {tmp_path}/test/one.log" in lines


def test_a_step_that_needs_a_failed_one_does_not_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    steps = [shell("a", "false"), shell("b", f"touch {tmp_path}/b", "a"), shell("c", "true", "b")]
    lines = last_screen(steps, tmp_path, capfd)
    assert "b FAILED: not run without a" in lines
    assert "c FAILED: not run without b" in lines
    assert not (tmp_path / "b").exists()
    assert lines[-1] == "0 passed, 3 failed, 0 skipped"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_all_that_runs(number: int, tmp_path: Path) -> None:
    """Also processes in a session of their own, and those that ignore TERM."""
    started, never = tmp_path / "begun", tmp_path / "never"
    for pipe in (started, never):
        os.mkfifo(pipe)
    script = f'trap "" TERM; exec 3>{started}; echo begun >&3; cat {never}'
    step = ("sh", "-c", f"setsid sh -c '{script}' & wait")
    program = (
        "import sys; from pathlib import Path; from run.__main__ import run; from run import plan;"
        f"step = plan.Step('one', plan.Kind.PREPARATION, {step!r});"
        f"sys.exit(run([step], Path({str(tmp_path)!r})))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(paths.REPOSITORY / "tests")},
        stderr=subprocess.PIPE,
        text=True,
    )
    with started.open() as reader:
        assert reader.readline() == "begun\n"
        process.send_signal(number)
        _, output = process.communicate()
        if number == signal.SIGKILL:
            assert process.returncode == -number
        else:
            assert process.returncode == 128 + number
            assert "ended by SIG" in output
            # The run outlives its processes.
            os.set_blocking(reader.fileno(), False)
        # Nobody is left who could write.
        assert os.read(reader.fileno(), 1) == b""
