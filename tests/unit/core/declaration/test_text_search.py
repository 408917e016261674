"""A text is found wherever it stands in the searched fields; the best match comes first."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine
from toy import Box, BoxResource, Shelf, ShelfResource, ToySvm

from sanstone.core.database.store import reading, writing
from sanstone.core.declaration import text_search
from sanstone.core.declaration.expressions import Expression, related
from sanstone.core.declaration.resource import Resource
from sanstone.core.declaration.text_search import BEGINNING, WHOLE, WITHIN, Hit

NAMES = ("lun", "lun1", "old-lun", "b%c", "b_c", "b\\c", "Big", "ü")
"""Names of shelves; the comment of each is 'of ' and its number."""


class Shelves(ShelfResource):
    """Shelves that are searched by two columns and a reference."""

    searched = ("name", "comment", "svm.name")


class Boxes(BoxResource):
    """Boxes that are searched by their names."""

    searched = ("name",)


@pytest.fixture
def shelves(toys: Engine) -> Engine:
    """Shelves of two owners, with a box on the first."""
    with writing(toys) as session:
        for number in (1, 2):
            session.add(ToySvm(uuid=f"id-{number}", name=f"svm{number}"))
        session.flush()
        for number, name in enumerate(NAMES):
            columns = {"uuid": f"{number}", "svm_uuid": f"id-{1 + number % 2}"}
            session.add(Shelf(name=name, comment=f"of {number}", **columns))
        session.flush()
        session.add(Box(shelf_uuid="1", name="x:y"))
    return toys


def _hits(
    database: Engine,
    text: str,
    resource: Resource[Any] | None = None,
    owner: Expression | None = None,
    only: str = "",
    maximum: int | None = None,
) -> list[Hit]:
    with reading(database) as session:
        searched = resource or Shelves()
        return list(text_search.find(session, searched, text, owner, only, maximum))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("lun", ["lun", "lun1", "old-lun"]),
        ("LUN1", ["lun1"]),
        ("bIG", ["Big"]),
        ("%", ["b%c"]),
        ("_", ["b_c"]),
        ("b_", ["b_c"]),
        ("\\", ["b\\c"]),
        ("*", []),
        ("ü", ["ü"]),
        ("of 3", ["b%c"]),
        ("f 3", ["b%c"]),
        ("svm2", ["b%c", "b\\c", "lun1", "ü"]),
        ("no such", []),
        ("", sorted(NAMES)),
    ],
)
def test_matches_of_a_text(shelves: Engine, text: str, names: list[str]) -> None:
    assert [hit.name for hit in _hits(shelves, text)] == names


def test_the_best_is_first(shelves: Engine) -> None:
    ranks = [(hit.rank, hit.name) for hit in _hits(shelves, "lun")]
    assert ranks == [(WHOLE, "lun"), (BEGINNING, "lun1"), (WITHIN, "old-lun")]
    assert [hit.name for hit in _hits(shelves, "lun", maximum=2)] == ["lun", "lun1"]
    assert {hit.rank for hit in _hits(shelves, "")} == {WITHIN}


def test_an_owner_s_rows_alone(shelves: Engine) -> None:
    mine = Expression(Shelf.__table__.c.svm_uuid)
    hits = _hits(shelves, "lun", owner=mine, only="id-1")
    assert [(hit.name, hit.owner) for hit in hits] == [("lun", "id-1"), ("old-lun", "id-1")]
    assert [hit.owner for hit in _hits(shelves, "lun", owner=mine)] == ["id-1", "id-2", "id-1"]
    assert _hits(shelves, "lun", only="id-1") == [], "they belong to nobody"


def test_objects_below_another_are_found(shelves: Engine) -> None:
    owner = related(Box, "shelf", "svm_uuid")
    assert _hits(shelves, "X:", Boxes(), owner) == [Hit(BEGINNING, "x:y", "id-2", ("1", "x:y"))]
    assert _hits(shelves, "X:", Boxes(), owner, "id-1") == []


@pytest.mark.parametrize("name", ["slow", "chap.password", "boxes.name", "space.used", "colour"])
def test_computed_fields_cannot_be_searched(name: str) -> None:
    with pytest.raises(LookupError, match=name):
        text_search.value(ShelfResource(), name)
