"""The number of a list's statements depends on its fields, not on its number of rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import more_rows
import pytest
from furnished_array import FurnishedArray
from sqlalchemy import event

from sanstone.core.declaration.resource import Resource
from sanstone.core.history import metrics_file
from sanstone.core.observed import Observed
from sanstone.resources.declared import RESOURCES

LISTS = [resource for resource in RESOURCES if not resource.single]
OF_TABLES = [
    resource
    for resource in LISTS
    if type(resource).rows is Resource.rows and resource.model is not Observed
]
BELOW = [resource for resource in LISTS if "{" in resource.path]


@pytest.fixture
def queries(array: FurnishedArray, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The queries to the databases, as they happen: each statement, each look at the metrics."""
    engine = array.simulator.client.application.extensions["sanstone"]
    statements: list[str] = []
    connect = sqlite3.connect

    def note(_c: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        statements.append(statement)

    def connected(*place: Any, **options: Any) -> Any:
        statements.append("metrics")
        return connect(*place, **options)

    monkeypatch.setattr(metrics_file, "sqlite3", _Counted(connected))
    event.listen(engine, "before_cursor_execute", note)
    yield statements
    event.remove(engine, "before_cursor_execute", note)


class _Counted:
    """The module sqlite3 with another `connect`."""

    def __init__(self, connect: Any) -> None:
        self.connect = connect

    def __getattr__(self, name: str) -> Any:
        return getattr(sqlite3, name)


def _statements(
    array: FurnishedArray, queries: list[str], resource: Resource[Any]
) -> tuple[int, list[str]]:
    """Return the number of rows of a list, and its queries."""
    queries.clear()
    rows = len(array.records(resource.path))
    return rows, list(queries)


def _surpluses(
    array: FurnishedArray,
    queries: list[str],
    resources: list[Resource[Any]],
    add: Callable[[], None],
) -> list[str]:
    """Return a message for each list with more queries after `add` has added rows."""
    before = {r.path: _statements(array, queries, r) for r in resources}
    add()
    wrong = []
    for resource in resources:
        (fewer, few), (more, many) = before[resource.path], _statements(array, queries, resource)
        assert more > fewer or resource not in OF_TABLES or resource in BELOW
        if len(many) > len(few):
            extra = next(text for text in many if many.count(text) > few.count(text))
            counts = f"{len(few)} for {fewer} rows, {len(many)} for {more}"
            wrong.append(f"{resource.path}: {counts}, as {extra}")
    return wrong


def test_a_list_of_twice_as_many_rows_takes_as_many_statements(
    array: FurnishedArray, queries: list[str]
) -> None:
    for resource in LISTS:
        array.collection(resource.path)
    more_rows.copy_everything(1)
    wrong = _surpluses(array, queries, LISTS, partial(more_rows.copy_everything, 2))
    assert not wrong, "\n".join(wrong)


def test_a_list_below_an_object_takes_as_many_statements_for_more_rows(
    array: FurnishedArray, queries: list[str]
) -> None:
    wrong = []
    for resource in BELOW:
        array.collection(resource.path)
        table: Any = resource.model.__table__
        if resource in OF_TABLES:
            more_rows.copy_table(table, 1)
            wrong += _surpluses(array, queries, [resource], partial(more_rows.copy_table, table, 2))
    assert not wrong, "\n".join(wrong)
