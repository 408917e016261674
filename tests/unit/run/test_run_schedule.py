"""When steps start: programs wait at pipes until the test lets them go."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fake_steps import shell

from run.execution import Done
from run.load import History
from run.plan import Kind, Step
from run.schedule import Schedule


class Log:
    """Begins and ends of steps, in order; when `free_after` begins, all waiting steps go on."""

    def __init__(self, folder: Path, free_after: str) -> None:
        self.events: list[str] = []
        self.gate = folder / "gate"
        os.mkfifo(self.gate)
        # Open at both ends, so that neither waits for the other.
        self._held = os.open(self.gate, os.O_RDWR)
        self._free_after = free_after

    def began(self, step: Step) -> None:
        """Note it, and let all go at `free_after`."""
        self.events.append(f"+{step.name}")
        if step.name == self._free_after:
            os.write(self._held, b"go\n" * 100)

    def ended(self, done: Done) -> None:
        """Note it."""
        self.events.append(f"-{done.step.name}")


def run(steps: Sequence[Step], log: Log, folder: Path) -> list[Done]:
    """Run steps and return them."""
    return Schedule(folder, History(), log.began, log.ended).run(steps)


def test_a_step_starts_once_what_it_needs_is_there(tmp_path: Path) -> None:
    log = Log(tmp_path, free_after="b")
    steps = [
        shell("last", "true", "first", "b"),
        shell("first", f"read go < {log.gate}"),
        shell("b", "true"),
    ]
    results = run(steps, log, tmp_path)
    assert [each.step.name for each in results] == ["last", "first", "b"]
    assert log.events[:2] == ["+first", "+b"]
    assert log.events[-2:] == ["+last", "-last"]


def test_a_step_comes_after_another_that_failed(tmp_path: Path) -> None:
    log = Log(tmp_path, free_after="")
    steps = [shell("first", "false"), replace(shell("second", "true"), after=("first",))]
    results = run(steps, log, tmp_path)
    assert log.events == ["+first", "-first", "+second", "-second"]
    assert [each.passed for each in results] == [False, True]


def test_a_step_that_waits_for_none_of_these_is_refused(tmp_path: Path) -> None:
    steps = [shell("one", "true", "missing"), shell("two", "true")]
    with pytest.raises(LookupError, match="missing"):
        run(steps, Log(tmp_path, free_after=""), tmp_path)


def test_of_each_kind_only_some_run_at_once(tmp_path: Path) -> None:
    log = Log(tmp_path, free_after="machine")
    waits = f"read go < {log.gate}"
    steps = [shell(name, waits, kind=Kind.IN_PROCESS) for name in "abc"]
    steps.append(shell("machine", waits, kind=Kind.MACHINES))
    run(steps, log, tmp_path)
    assert log.events[:3] == ["+a", "+b", "+machine"]
    assert log.events.index("+c") > min(log.events.index("-a"), log.events.index("-b"))


def test_a_step_has_the_weight_of_its_kind(tmp_path: Path) -> None:
    log = Log(tmp_path, free_after="")
    script = "cut -d' ' -f19 /proc/self/stat"
    before = os.nice(0)
    steps = [shell("m", script, kind=Kind.MACHINES), shell("p", script, kind=Kind.IN_PROCESS)]
    machines, in_process = (int(each.log.read_text()) for each in run(steps, log, tmp_path))
    assert machines == before
    assert in_process == min(before + Kind.IN_PROCESS.nice, 19)


def test_processor_time_of_what_goes_on_in_a_session_of_its_own_is_counted(tmp_path: Path) -> None:
    log = Log(tmp_path, free_after="")
    busy = "i=0; while test $i -lt 200000; do i=$((i+1)); done"
    [result] = run([shell("one", f"setsid sh -c '{busy}' & wait")], log, tmp_path)
    [idle] = run([shell("two", "true")], log, tmp_path)
    assert result.processor > idle.processor
