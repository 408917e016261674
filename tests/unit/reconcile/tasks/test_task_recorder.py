"""Records of the runs of tasks."""

from __future__ import annotations

import pytest
from standing_clock import Clock

from fakes import FakeKernel
from sanstone.core import tasks
from sanstone.core.tasks import Run, Task
from sanstone.kernel.host import HostError
from sanstone.reconcile.tasks.recorder import LONGEST_ERROR, SELDOM, Recorder

TASK = Task("test", "Does nothing.")


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine."""
    return FakeKernel()


def recorded(kernel: FakeKernel) -> str:
    """Return the record of the task's last run."""
    return kernel.host.files.read(str(tasks.file(TASK)))


def test_a_run_is_recorded_with_its_duration(kernel: FakeKernel, clock: Clock) -> None:
    start = clock.now

    def work() -> None:
        clock.now += 2

    Recorder(kernel.host.files).run(TASK, work)
    assert recorded(kernel) == tasks.packed(Run(start, 2.0)).decode()


def test_a_failed_run_is_recorded(kernel: FakeKernel, clock: Clock) -> None:
    Recorder(kernel.host.files).run(TASK, lambda: "why " * LONGEST_ERROR)
    assert (
        recorded(kernel)
        == tasks.packed(Run(clock.now, 0.0, ("why " * LONGEST_ERROR)[:LONGEST_ERROR])).decode()
    )


def test_a_fault_is_recorded_and_raised_again(kernel: FakeKernel) -> None:
    def work() -> None:
        raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"):
        Recorder(kernel.host.files).run(TASK, work)
    assert '"ValueError: a fault"' in recorded(kernel)


def test_runs_that_go_alike_are_recorded_once_in_a_while(kernel: FakeKernel, clock: Clock) -> None:
    recorder, texts = Recorder(kernel.host.files), []
    for error, passed in (("", 0.1), ("", 0.1), ("wrong", 0.1), ("wrong", SELDOM), ("wrong", 0)):
        recorder.run(TASK, lambda error=error: error)  # type: ignore[misc]
        texts.append(recorded(kernel))
        clock.now += passed
    first, second, third, fourth, fifth = texts
    assert first == second != third == fourth != fifth


def test_a_task_does_its_work_where_nothing_can_be_recorded(kernel: FakeKernel) -> None:
    runs: list[str] = []
    kernel.fail_when(lambda step: "test.json" in step, HostError("no space"))
    Recorder(kernel.host.files).run(TASK, lambda: runs.append("work"))
    assert runs == ["work"]
    assert not kernel.host.files.exists(str(tasks.file(TASK)))
