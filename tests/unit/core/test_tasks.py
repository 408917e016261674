"""Whether a task in the background runs when it should."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from sanstone.core import tasks
from sanstone.core.tasks import LATE, NEVER, ON_TIME, Run, Task
from sanstone.reconcile import tasks as modules

TASK = Task("test", "Does nothing.", period=10.0, longest=30.0)


@pytest.mark.parametrize(
    ("run", "state"),
    [
        (None, NEVER),
        (Run(1000.0, 0.0), ON_TIME),
        (Run(950.0, 0.0), ON_TIME),
        (Run(949.0, 0.0), LATE),
        (Run(940.0, 15.0), ON_TIME),
        (Run(1000.0, 0.0, "an error"), ON_TIME),
    ],
)
def test_a_task_is_late_when_it_should_have_ended_once_more(run: Run | None, state: str) -> None:
    assert tasks.state(TASK, run, 1000.0) == state


def test_each_task_that_runs_is_declared_and_each_that_is_declared_runs() -> None:
    declared = {name for name, value in vars(tasks).items() if isinstance(value, Task)}
    assert {vars(tasks)[name] for name in declared} == set(tasks.ALL)
    assert len({task.name for task in tasks.ALL}) == len(tasks.ALL)
    folder = Path(modules.__path__[0])
    sources = [*folder.glob("*.py"), *folder.parent.glob("*.py")]
    names = {
        node.attr
        for source in sources
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "tasks"
    }
    assert declared <= names
