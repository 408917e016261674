"""A gap in the tables of examples is reported with the lines to write, and their place."""

from __future__ import annotations

from dataclasses import replace

import lacking
import pytest
from action_examples import ACTION_EXAMPLES
from examples import BY_PATH

from sanstone.resources.declared import RESOURCES

ROUTES = "network/ip/routes"


def test_a_missing_example_is_reported_with_the_lines_to_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(BY_PATH, ROUTES)
    (text,) = lacking.lacking()
    assert "tests/contract/examples/" in text
    assert f'Example("{ROUTES}", objects=({{…}},), another={{…}}, exists_code=' in text
    assert "changes" not in text, "a route cannot be changed"


def test_an_unfinished_example_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BY_PATH, ROUTES, replace(BY_PATH[ROUTES], another={}))
    (text,) = lacking.lacking()
    assert ROUTES in text and "lacks another={…}" in text


def test_an_example_of_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lacking, "ACTION_EXAMPLES", ACTION_EXAMPLES * 2)
    assert all("has two examples" in text for text in lacking.lacking())
    others = tuple(each for each in RESOURCES if each.path != ROUTES)
    monkeypatch.setattr(lacking, "RESOURCES", others)
    assert any(text.startswith(f"{ROUTES} is not declared") for text in lacking.lacking())
