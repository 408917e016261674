"""Each checklist of CONTRIBUTING.md names all that one of its kind takes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from checklist import CHECKLISTS, ROOT, Addition, copy_of_tree, run

PAGE = "A page of the web interface"
KINDS = {
    "A resource": "resource",
    "A migration": "migration",
    PAGE: "page",
    "An event": "event",
    "A command of the shell": "command",
    "A stage of a turn": "stage",
    "A task in the background": "task",
    "A layer of the stack": "layer",
    "A transport": "transport",
}
"""By heading: the folder of `contributing/` with one of the kind."""


def test_each_list_is_followed() -> None:
    assert CHECKLISTS.keys() == KINDS.keys()


@pytest.mark.parametrize("heading", KINDS)
def test_the_list_names_what_one_of_the_kind_needs_and_nothing_else(heading: str) -> None:
    checklist, paths = CHECKLISTS[heading], Addition(KINDS[heading]).paths
    assert [path for path in paths if not checklist.names(path)] == []
    assert [p.pattern for p in checklist.places if not any(map(p.fullmatch, paths))] == []


@pytest.mark.parametrize("heading", [heading for heading in KINDS if heading != PAGE])
def test_the_list_is_enough(heading: str, tmp_path: Path) -> None:
    checklist, addition = CHECKLISTS[heading], Addition(KINDS[heading])
    tree = copy_of_tree(tmp_path, addition)
    addition.add(tree, checklist)
    assert checklist.tests
    select = " ".join(addition.lines["select"].split())
    pytest_of_it = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    tests = [name.replace("<name>", addition.lines.get("name", "")) for name in checklist.tests]
    run(tree, *pytest_of_it, *tests, "-k", select)


@pytest.mark.skipif(
    not shutil.which("node") or not (ROOT / "webui/src/generated").is_dir(),
    reason="the web interface was not built here: it needs node and `make webui/dist/index.html`",
)
def test_the_list_of_a_page_is_enough(tmp_path: Path) -> None:
    checklist, addition = CHECKLISTS[PAGE], Addition(KINDS[PAGE])
    tree = copy_of_tree(tmp_path, addition)
    addition.add(tree, checklist)
    assert checklist.web_tests
    run(tree, "npm", "run", "--silent", "check", folder="webui")
    run(tree, "npx", "--no-install", "vitest", "run", *checklist.web_tests, folder="webui")
