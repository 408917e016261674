"""The steps of `make test`."""

from __future__ import annotations

import re

from lab import paths, suites
from run import plan

TESTING = re.compile(
    r"pytest|\$\(PYTEST\)|run\.mjs|npm run --silent (lint|test)|\$\(RUFF\)|lab\.suites"
)
ELSEWHERE = {"orchestrators"}
"""Suites that need programs which the machine does not have."""


def recipes() -> dict[str, str]:
    """Return the recipes of the Makefile by their targets."""
    text = (paths.REPOSITORY / "Makefile").read_text()
    rules = re.findall(r"^([a-z0-9-]+):[^=\n]*\n((?:\t.*\n)+)", text, flags=re.MULTILINE)
    return dict(rules)


def test_each_suite_of_the_makefile_runs() -> None:
    suites_there = {target for target, recipe in recipes().items() if TESTING.search(recipe)}
    suites_run = {step.command[2] for step in plan.steps() if step.command[0] == "make"}
    assert suites_there >= {"unit", "contract", "clients", "browser", "e2e", "lint", "web-lint"}
    assert suites_there - suites_run == ELSEWHERE
    assert "check-image" in suites_run


def test_each_part_of_the_tests_on_machines_runs() -> None:
    machines = [step.name for step in plan.steps() if step.kind is plan.Kind.MACHINES]
    assert machines == list(suites.PARTS)


def test_steps_need_what_comes_before_them() -> None:
    """So nothing waits for ever."""
    before: set[str] = set()
    for step in plan.steps():
        assert before.issuperset((*step.needs, *step.after)), step.name
        before.add(step.name)


def test_no_test_runs_beside_the_installation_of_packages() -> None:
    installing = {"dependencies", "packages"}
    needs = {step.name: set(step.needs) for step in plan.steps()}
    for _ in needs:
        for needed in needs.values():
            needed.update(*(needs[name] for name in set(needed)))
    for step in plan.steps():
        assert not step.tests or installing <= needs[step.name], step.name
