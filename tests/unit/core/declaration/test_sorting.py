"""SQLite sorts as Python does, and begins a page where Python would."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from sqlalchemy import Engine, event
from toy import Shelf, ShelfResource, ToySvm

from sanstone.core.database.store import reading, writing
from sanstone.core.declaration import query
from sanstone.core.declaration.resource import Reader
from sanstone.core.errors import ApiError

RESOURCE = ShelfResource()


@pytest.fixture
def shelves(toys: Engine) -> Engine:
    """Shelves alike in some columns, some without a comment."""
    with writing(toys) as session:
        svm = ToySvm(name="svm1")
        session.add(svm)
        session.flush()
        for number in range(12):
            session.add(
                Shelf(
                    name=f"s{number:02}",
                    svm_uuid=svm.uuid,
                    size=number % 3,
                    enabled=bool(number % 2),
                    comment=(None, "", "é", "z")[number % 4],
                )
            )
    return toys


def _page(database: Engine, order: str, maximum: int, start: str = "") -> query.Page:
    with reading(database) as session:
        ordering = query.ordering(RESOURCE, [order])
        page = query.page(RESOURCE, Reader(session), (), ordering, maximum, start)
        session.expunge_all()
        return page


@pytest.mark.parametrize(
    "order",
    [
        *("space.size desc", "comment", "comment desc,enabled", "create_time,name desc"),
        *("svm.name desc,comment", "svm,svm.uuid desc"),
    ],
)
def test_only_the_rows_of_the_page_are_read(shelves: Engine, order: str) -> None:
    loaded: list[str] = []

    def note(row: Shelf, _context: Any) -> None:
        loaded.append(row.name)

    start = _page(shelves, order, 4).start
    event.listen(Shelf, "load", note)
    try:
        rows = _page(shelves, order, 3, start).rows
    finally:
        event.remove(Shelf, "load", note)
    assert len(loaded) == 4
    assert loaded[:3] == [row.name for row in rows]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("comment", ["s00", "s04", "s08", "s01", "s05", "s09", "s03", "s07", "s11", "s02"]),
        ("comment desc", ["s02", "s06", "s10", "s03", "s07", "s11", "s01", "s05", "s09", "s00"]),
        ("enabled desc,space.size", ["s03", "s09", "s01", "s07", "s05", "s11", "s00", "s06"]),
    ],
)
def test_rows_without_a_value_come_first_and_text_by_code_points(
    shelves: Engine, order: str, expected: list[str]
) -> None:
    names = [row.name for row in _page(shelves, order, 12).rows]
    assert names[: len(expected)] == expected


@pytest.mark.parametrize("rank", [[1, 7], [2, "\ud800"], [1, None], [1, True]])
def test_a_start_that_is_none_of_the_order_is_refused(shelves: Engine, rank: list[Any]) -> None:
    place = base64.urlsafe_b64encode(json.dumps([rank, "s01", "x"]).encode()).decode()
    with pytest.raises(ApiError, match="start"):
        _page(shelves, "comment", 3, place)
