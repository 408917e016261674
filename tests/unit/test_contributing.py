"""Each checklist of CONTRIBUTING.md names all that one of its kind takes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checklist import CHECKLISTS, Addition, copy_of_tree, run

KINDS = {
    "A resource": "resource",
    "A migration": "migration",
    "An event": "event",
    "A command of the shell": "command",
    "A stage of a turn": "stage",
    "A task in the background": "task",
}
"""By heading: the folder of `contributing/` with one of the kind."""


def test_each_list_is_followed() -> None:
    assert CHECKLISTS.keys() == KINDS.keys()


@pytest.mark.parametrize("heading", KINDS)
def test_the_list_names_what_one_of_the_kind_needs_and_nothing_else(heading: str) -> None:
    checklist, paths = CHECKLISTS[heading], Addition(KINDS[heading]).paths
    assert [path for path in paths if not checklist.names(path)] == []
    assert [p.pattern for p in checklist.places if not any(map(p.fullmatch, paths))] == []


@pytest.mark.parametrize("heading", KINDS)
def test_the_list_is_enough(heading: str, tmp_path: Path) -> None:
    checklist, addition = CHECKLISTS[heading], Addition(KINDS[heading])
    tree = copy_of_tree(tmp_path, addition)
    addition.add(tree, checklist)
    assert checklist.tests
    select = " ".join(addition.lines["select"].split())
    pytest_of_it = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    tests = [name.replace("<name>", addition.lines.get("name", "")) for name in checklist.tests]
    run(tree, *pytest_of_it, *tests, "-k", select)
