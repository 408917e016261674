"""SQLite knows a field's value as JSON shows it, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine, select
from toy import NODE, Box, Shelf, ShelfResource, ToySvm

from sanstone.core.database.store import reading, writing
from sanstone.core.declaration.expressions import expression
from sanstone.core.declaration.fields import values_of
from sanstone.core.declaration.getters import Observation, Sole, Unempty
from sanstone.core.declaration.resource import Field, Reader, References
from sanstone.core.declaration.types import Integer, Text, Timestamp
from sanstone.core.observed import Observed

OBSERVED = Field("seen", Integer(), "Seen.", get=Observation("used", int, 0))
OTHER = Field("other", Integer(), "Seen.", get=Observation("other", int))
NOTE = Field("note", Text(), "Note.", get=Unempty("color"))
OWNERS = References("owners", ToySvm, "Owners.", get=Sole("svm"))
OWN = (OBSERVED, OTHER, NOTE, OWNERS)
COMPUTABLE = {
    *(
        "uuid",
        "name",
        "svm.name",
        "svm.uuid",
        "space.size",
        "enabled",
        "color",
        "comment",
    ),
    *("create_time", "tall"),
}
"""The leaves of a shelf that SQLite knows."""


@pytest.fixture
def shelves(toys: Engine) -> Engine:
    """Two shelves; one of them was observed."""
    with writing(toys) as session:
        svms = [ToySvm(name=name) for name in ("svm1", "svm2")]
        session.add_all(svms)
        session.flush()
        for number, svm in enumerate(svms):
            moment = 1_000_000_000.75 + number
            columns = {"uuid": f"id-{number}", "create_time": moment, "svm_uuid": svm.uuid}
            color = ("", "red")[number]
            session.add(Shelf(name=f"s{number}", size=number, color=color, **columns))
        data = {"used": 7, "other": 1}
        session.add(Observed(kind=Shelf.kind, key="id-1", node_uuid=NODE, data=data))
    return toys


def _computed(session: Any, node: Any, leaf: str) -> list[Any] | None:
    """Return SQLite's values of two shelves, None where it cannot compute them."""
    computed = expression(Shelf, node, leaf)
    if computed is None:
        return None
    statement = computed.join(select(Shelf)).with_only_columns(
        computed.value, maintain_column_froms=True
    )
    return list(session.scalars(statement.order_by(Shelf.name)))


@pytest.mark.parametrize("node", [*ShelfResource.fields, *OWN], ids=lambda node: node.name)
def test_values_of_sqlite_are_those_of_json(shelves: Engine, node: Any) -> None:
    with reading(shelves) as session:
        reader = Reader(session)
        rows = session.scalars(select(Shelf).order_by(Shelf.name)).all()
        for leaf in node.leaves:
            values = _computed(session, node, leaf)
            assert (values is not None) == (leaf in COMPUTABLE or node in OWN), leaf
            if values is not None:
                expected = [values_of(node, leaf, row, reader) for row in rows]
                assert [_json_values(node, value) for value in values] == expected


def _json_values(node: Any, value: Any) -> list[Any]:
    if value is None:
        return []
    return [node.type.format(value) if isinstance(node, Field) else value]


def test_moments_of_one_second_are_alike(shelves: Engine) -> None:
    with reading(shelves) as session:
        moments = _computed(session, Field("create_time", Timestamp(), "When."), "create_time")
    assert moments == [1_000_000_000, 1_000_000_001]


def test_fields_with_several_values_have_no_expression() -> None:
    boxes = References("boxes", Box, "Many.", get=Sole("boxes"))
    assert expression(Shelf, boxes, "boxes.name") is None
    assert expression(Shelf, References("x", ToySvm, "X.", get=Sole("none")), "x.name") is None


def test_a_secret_is_not_known() -> None:
    node = ShelfResource().node("chap.password")
    assert node is not None
    assert expression(Shelf, node, "chap.password") is None
