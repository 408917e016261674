"""Each kind of event that the array raises is in the catalog, with its corrective action."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import sanstone
from lab.paths import REPOSITORY
from sanstone.rules.cluster import event_kinds
from sanstone.rules.cluster.event_catalog import CATALOG, kind_of

PAGES = REPOSITORY / "webui/manual/events"
RAISED_BY = {"emit": 2, "Condition": 1}
"""By function: the position of the name of the kind."""


def _raised() -> Iterator[str]:
    """Yield the names in the source; computed parts stand as `x`."""
    for file in sorted(Path(sanstone.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call):
                continue
            function = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if function in RAISED_BY and len(node.args) > RAISED_BY[function]:
                name = node.args[RAISED_BY[function]]
                if isinstance(name, ast.Constant):
                    yield str(name.value)
                elif isinstance(name, ast.JoinedStr):
                    parts = (p.value if isinstance(p, ast.Constant) else "x" for p in name.values)
                    yield "".join(map(str, parts))


RAISED = sorted(set(_raised()))


def test_names_were_found() -> None:
    assert {"raid.degraded", "lif.down", "software.x.failed", "x.fault"} <= set(RAISED)


@pytest.mark.parametrize("name", [n for n in RAISED if n != "pool.x"])
def test_a_kind_is_in_the_catalog(name: str) -> None:
    kind = kind_of(name)
    assert kind is not None
    assert kind.description.endswith(".")
    assert kind.corrective_action.endswith(".")


@pytest.mark.parametrize("name", ["pool.space", "pool.metadata", "logins.failed"])
def test_a_kind_with_a_computed_name_is_in_the_catalog(name: str) -> None:
    assert kind_of(name) is not None


def test_the_end_of_a_condition_is_of_its_kind() -> None:
    assert kind_of("raid.degraded.resolved") == kind_of("raid.degraded") is not None


def test_a_kind_is_of_the_area_that_has_its_page() -> None:
    areas = {file.stem: file.read_text() for file in PAGES.glob("*.md")}
    headings = {area: re.findall("^## (.*)", text, re.MULTILINE) for area, text in areas.items()}
    modules = [import_module(f"{event_kinds.__name__}.{area}") for area in areas]
    kinds = {area: module.KINDS for area, module in zip(areas, modules, strict=True)}
    assert {area: {kind.name for kind in kinds[area]} for area in kinds} == {
        area: set(headings[area]) for area in headings
    }
    assert sorted(CATALOG) == sorted(kind for area in kinds.values() for kind in area)


def test_no_kind_stands_twice() -> None:
    assert len({kind.name for kind in CATALOG}) == len(CATALOG)
