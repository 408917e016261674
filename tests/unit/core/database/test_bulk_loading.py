"""Facts of rows are loaded for all of them at once, and equal those loaded for each alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, event, select
from toy import Box, Shelf, ToySvm

from sanstone.core.database.store import reading, writing


@pytest.fixture
def statements(toys: Engine) -> Iterator[list[str]]:
    """The statements to a database with shelves of three owners, with boxes or without."""
    with writing(toys) as session:
        for number in range(3):
            svm = ToySvm(name=f"svm{number}")
            session.add(svm)
            session.flush()
            for part in range(4):
                shelf = Shelf(name=f"s{number}{part}", svm_uuid=svm.uuid)
                session.add(shelf)
                session.flush()
                for box in range(part):
                    session.add(Box(name=f"b{part - box}", shelf_uuid=shelf.uuid))
    log: list[str] = []

    def note(_c: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        log.append(statement)

    event.listen(toys, "before_cursor_execute", note)
    yield log
    event.remove(toys, "before_cursor_execute", note)


def test_lists_and_owners_of_all_rows_take_two_statements_each(
    toys: Engine, statements: list[str]
) -> None:
    with reading(toys) as session:
        shelves = session.scalars(select(Shelf).order_by(Shelf.name)).all()
        statements.clear()
        boxes = {shelf.name: [box.name for box in shelf.boxes] for shelf in shelves}
        owners = {shelf.name: shelf.svm.name for shelf in shelves}
        assert len(statements) <= 4
    assert boxes["s13"] == ["b1", "b2", "b3"]
    assert boxes["s10"] == []
    assert owners["s21"] == "svm2"


def test_one_row_takes_one_statement(toys: Engine, statements: list[str]) -> None:
    with reading(toys) as session:
        shelf = session.scalars(select(Shelf).filter_by(name="s02")).one()
        statements.clear()
        assert [box.name for box in shelf.boxes] == ["b1", "b2"]
        assert len(statements) == 1


def test_a_writer_sees_rows_added_since(toys: Engine, statements: list[str]) -> None:
    with writing(toys) as session:
        one, other = session.scalars(select(Shelf).where(Shelf.name.in_(["s01", "s02"]))).all()
        assert one.boxes
        session.add(Box(name="late", shelf_uuid=other.uuid))
        session.flush()
        assert "late" in [box.name for box in other.boxes]
