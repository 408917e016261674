"""The integration targets of the collection, as far as they are to be played in this process.

A target is a role: its `tasks/main.yml` creates the objects that its examples need, plays those and
clears up. The tasks that differ between targets are played here, module by module; the role that
plays examples is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from collection import SOURCE

INTEGRATION = SOURCE / "tests" / "integration"
TARGETS = INTEGRATION / "targets"
AREAS = sorted(path.parents[1].name for path in TARGETS.glob("*/vars/main.yml"))
"""The targets that have examples."""
PLAY = "play_examples"
OURS = "sanstone.array."


@dataclass(frozen=True)
class Step:
    """A task of a target; an example is tried, done and done again, other tasks are done."""

    name: str
    module: str
    options: dict[str, Any]
    example: bool


def steps(target: str, variables: dict[str, Any]) -> Iterator[Step]:
    """Yield the tasks of a target in their order, with values for their variables."""
    variables = _read(TARGETS / PLAY / "defaults/main.yml") | variables
    for task, example in _tasks(target, "main", target):
        [module] = (key.removeprefix(OURS) for key in task if key.startswith(OURS))
        yield Step(task["name"], module, _filled(task[OURS + module], variables), example)


def _tasks(target: str, file: str, examples_of: str) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the tasks of a file of a role and of those that it includes, and which are examples."""
    for task in _read(TARGETS / target / "tasks" / f"{file}.yml"):
        for part in [*task["block"], *task["always"]] if "block" in task else [task]:
            included = part.get("ansible.builtin.include_role")
            if included is None:
                yield part, False
            elif included["name"] == PLAY:
                for example in _read(TARGETS / examples_of / "vars/main.yml")["examples"]:
                    yield example, True
            else:
                yield from _tasks(included["name"], included.get("tasks_from", "main"), "")


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def _filled(value: Any, variables: dict[str, Any]) -> Any:
    """Return a value with values for its variables."""
    if isinstance(value, dict):
        return {name: _filled(part, variables) for name, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, variables) for part in value]
    if isinstance(value, str) and value.startswith("{{"):
        return variables[value.strip("{} ")]
    return value
