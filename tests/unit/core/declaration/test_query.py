"""Order and pages: no row is lost or shown twice while others come and go."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, event
from toy import PlanetResource, Shelf, ShelfResource, ToySvm

from sanstone.core.database.store import reading, writing
from sanstone.core.declaration import filters, query
from sanstone.core.declaration.resource import Reader, Resource
from sanstone.core.errors import ApiError
from sanstone.core.observed import Observed

RESOURCE = ShelfResource()
COLORS = ("red", "green")


@pytest.fixture
def svm(toys: Engine) -> str:
    """The UUID of an owner without shelves."""
    with writing(toys) as session:
        row = ToySvm(name="svm1")
        session.add(row)
        session.flush()
        return row.uuid


def _shelf(svm: str, number: int, suffix: str = "") -> Shelf:
    """Return one of many shelves, alike in color and size with others, some without comment."""
    return Shelf(
        name=f"s{number:03}{suffix}",
        svm_uuid=svm,
        size=number % 3,
        color=COLORS[number % 2],
        comment=f"c{number % 4}" if number % 4 else None,
    )


def _fill(toys: Engine, svm: str, numbers: range) -> None:
    with writing(toys) as session:
        session.add_all(_shelf(svm, number) for number in numbers)


def _page(
    toys: Engine,
    order: str = "",
    maximum: int = 3,
    start: str = "",
    offset: int = 0,
    **filters_by_name: str,
) -> query.Page:
    with reading(toys) as session:
        conditions = filters.parse(
            RESOURCE, {name: [text] for name, text in filters_by_name.items()}
        )
        order_by = query.ordering(RESOURCE, [order])
        page = query.page(RESOURCE, Reader(session), conditions, order_by, maximum, start, offset)
        for row in page.rows:
            session.expunge(row)
        return page


def _walk(toys: Engine, order: str, maximum: int, between: Callable[[int], None]) -> list[Shelf]:
    rows: list[Shelf] = []
    start = ""
    for number in itertools.count():
        page = _page(toys, order, maximum, start)
        rows += page.rows
        start = page.start
        if not start:
            return rows
        between(number)
    raise AssertionError


ORDERS = [
    *("", "name", "name desc", "color,name desc", "space.size desc", "comment", "comment desc"),
    *("svm.name,space.size", "create_time desc", "ip.netmask,comment desc"),
]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("maximum", [1, 3, 4, 12, 13])
def test_pages_join_to_the_whole(toys: Engine, svm: str, order: str, maximum: int) -> None:
    _fill(toys, svm, range(12))
    whole = [row.name for row in _page(toys, order, 100).rows]
    assert [row.name for row in _walk(toys, order, maximum, lambda _: None)] == whole
    assert sorted(whole) == [f"s{number:03}" for number in range(12)]


@pytest.mark.parametrize("order", ORDERS)
def test_rows_that_stay_are_shown_once_while_others_come_and_go(
    toys: Engine, svm: str, order: str
) -> None:
    """Rows are added before and behind the page's end; the page's last row itself is deleted."""
    _fill(toys, svm, range(0, 40, 2))
    staying = {f"s{number:03}" for number in range(0, 40, 4)}

    def between(page: int) -> None:
        with writing(toys) as session:
            session.add(_shelf(svm, page, "x"))
            session.add(_shelf(svm, 39 - page, "y"))
            for row in session.query(Shelf).filter(Shelf.name == f"s{4 * page + 2:03}"):
                session.delete(row)

    names = [row.name for row in _walk(toys, order, 3, between)]
    assert len(names) == len(set(names))
    assert staying <= set(names)


def test_pages_go_on_after_a_moment(
    toys: Engine, svm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ShelfResource, "order", ("create_time", "name"))
    _fill(toys, svm, range(12))
    walked = [row.name for row in _walk(toys, "", 5, lambda _: None)]
    assert sorted(walked) == [f"s{number:03}" for number in range(12)]


def test_a_page_goes_on_after_its_last_row_was_deleted(toys: Engine, svm: str) -> None:
    _fill(toys, svm, range(6))
    first = _page(toys)
    with writing(toys) as session:
        session.delete(session.get_one(Shelf, first.rows[-1].uuid))
    assert [row.name for row in _page(toys, start=first.start).rows] == ["s003", "s004", "s005"]


def test_the_last_page_is_marked(toys: Engine, svm: str) -> None:
    _fill(toys, svm, range(3))
    assert _page(toys, maximum=3).start == ""
    assert _page(toys, maximum=2).start != ""


def test_filters_hold_on_every_page(toys: Engine, svm: str) -> None:
    _fill(toys, svm, range(12))
    first = _page(toys, maximum=4, color="green")
    rest = _page(toys, maximum=4, start=first.start, color="green")
    assert [row.name for row in (*first.rows, *rest.rows)] == [
        f"s{number:03}" for number in range(1, 12, 2)
    ]


def test_rows_that_rank_alike_come_in_the_resource_s_order(toys: Engine, svm: str) -> None:
    _fill(toys, svm, range(6))
    names = [row.name for row in _page(toys, "color desc", 10).rows]
    assert names == ["s000", "s002", "s004", "s001", "s003", "s005"]


def test_rows_without_a_value_come_first_and_with_desc_last(toys: Engine, svm: str) -> None:
    _fill(toys, svm, range(5))
    assert [row.comment for row in _page(toys, "comment", 9).rows] == [None, None, "c1", "c2", "c3"]
    assert [row.comment for row in _page(toys, "comment desc", 9).rows] == [
        *("c3", "c2", "c1"),
        *(None, None),
    ]


def test_computed_rows_are_ordered_filtered_and_paged_too(toys: Engine) -> None:
    resource = PlanetResource()

    def names(order: str = "", **filters_by_name: str) -> list[str]:
        with reading(toys) as session:
            reader = Reader(session)
            conditions = filters.parse(resource, {n: [t] for n, t in filters_by_name.items()})
            order_by = query.ordering(resource, [order])
            planets: list[Any] = []
            start = ""
            while True:
                page = query.page(resource, reader, conditions, order_by, 1, start)
                planets += page.rows
                start = page.start
                if not start:
                    return [planet.name for planet in planets]

    assert names() == ["earth", "mars", "pluto", "venus"]
    assert names("moons desc") == ["pluto", "mars", "earth", "venus"]
    assert names("moons_or_none") == ["earth", "mars", "pluto", "venus"]
    assert names("moons_or_none desc") == ["venus", "pluto", "mars", "earth"]
    assert names(moons="<2") == ["earth", "venus"]
    assert names(name="mars") == ["mars"]


@pytest.mark.parametrize(
    ("texts", "pairs"),
    [
        ([], []),
        ([""], []),
        (["name"], [("name", False)]),
        (["name asc"], [("name", False)]),
        (["name DESC"], [("name", True)]),
        (["color desc, name ,"], [("color", True), ("name", False)]),
        (["color", "name desc"], [("color", False), ("name", True)]),
        (["create-time"], [("create_time", False)]),
        (["svm.name"], [("svm.name", False)]),
        (["svm"], [("svm", False)]),
        (["name desc,color", "name,name"], [("name", True), ("color", False)]),
    ],
)
def test_order_by(texts: list[str], pairs: list[tuple[str, bool]]) -> None:
    assert query.ordering(RESOURCE, texts) == pairs


@pytest.mark.parametrize(
    "text", ["colour", "name up", "name asc desc", "chap.password", "space", "name desc x"]
)
def test_unorderable_fields_are_refused(text: str) -> None:
    with pytest.raises(ApiError) as error:
        query.ordering(RESOURCE, [text])
    assert (error.value.status, error.value.target) == (400, "order_by")


def _token(place: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


STARTS = [
    *("x", "!!!", "ü", "AAAA", _token("a"), _token(None), _token({}), _token([])),
    *(_token(["a"]), _token(["a", "b", "c"]), _token([{}, "b"]), _token([["a"], "b"])),
    *(_token([None, "b"]), _token(["a", 2**64]), _token(["a", 1.5]), _token(["\ud800", "b"])),
    *(_token([[2, "a"], "b"]), _token([[2, {}], "a", "b"]), _token([[], "a", "b"])),
    base64.urlsafe_b64encode(b"[" * 100_000).decode(),
]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("order", ["", "name", "space.size desc"])
def test_a_forged_start_is_refused_or_harmless(
    toys: Engine, svm: str, start: str, order: str
) -> None:
    _fill(toys, svm, range(3))
    try:
        assert len(_page(toys, order, 10, start).rows) <= 3
    except ApiError as refused:
        assert (refused.status, refused.target) == (400, "start")


@given(
    place=st.lists(
        st.text() | st.integers() | st.booleans() | st.none() | st.lists(st.text(), max_size=3),
        max_size=4,
    ),
    order=st.sampled_from(ORDERS),
)
def test_any_start_is_refused_or_harmless(toys: Engine, place: list[Any], order: str) -> None:
    try:
        _page(toys, order, 10, _token(place))
    except ApiError as refused:
        assert refused.target == "start"


@contextmanager
def _loaded() -> Iterator[list[str]]:
    """The names of the shelves that are loaded meanwhile."""
    names: list[str] = []

    def note(row: Shelf, _context: Any) -> None:
        names.append(row.name)

    event.listen(Shelf, "load", note)
    try:
        yield names
    finally:
        event.remove(Shelf, "load", note)


def test_a_page_begins_in_sqlite(toys: Engine, svm: str) -> None:
    """SQLite gets the page's beginning and end; of the rows beyond, one is read."""
    _fill(toys, svm, range(50))
    start = _page(toys, maximum=40).start
    with _loaded() as loaded:
        _page(toys, maximum=5, start=start)
    assert sorted(loaded) == [f"s{number:03}" for number in range(40, 46)]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("filters_by_name", [{}, {"color": "red"}, {"enabled": "true"}])
@pytest.mark.parametrize("offset", [0, 1, 7, 12, 2**63 - 1])
def test_an_offset_skips_the_first_rows_that_match(
    toys: Engine, svm: str, order: str, filters_by_name: dict[str, Any], offset: int
) -> None:
    _fill(toys, svm, range(12))
    whole = [row.name for row in _page(toys, order, 100, **filters_by_name).rows]
    page = _page(toys, order, 4, offset=offset, **filters_by_name)
    assert [row.name for row in page.rows] == whole[offset : offset + 4]
    following = _page(toys, order, 100, page.start, **filters_by_name).rows if page.start else []
    assert [row.name for row in following] == whole[offset + 4 :]


def test_skipped_rows_are_not_loaded(toys: Engine, svm: str) -> None:
    _fill(toys, svm, range(50))
    with _loaded() as loaded:
        _page(toys, "space.size,svm.name", maximum=5, offset=10, color="red")
    assert len(loaded) == 6, "of 25 red ones: the page, and whether there is another"


@pytest.mark.parametrize(
    ("filters_by_name", "number", "read"),
    [
        ({}, 12, 0),
        ({"color": "red"}, 6, 0),
        ({"svm.name": "svm1", "name": "*1"}, 2, 0),
        ({"svm.name": "svm2"}, 0, 0),
        ({"space.size": ">0"}, 8, 12),
        ({"color": "green", "space.size": ">0"}, 4, 6),
    ],
)
def test_rows_are_counted_by_sqlite_where_it_knows_the_filters(
    toys: Engine, svm: str, filters_by_name: dict[str, str], number: int, read: int
) -> None:
    _fill(toys, svm, range(12))
    conditions = filters.parse(RESOURCE, {name: [text] for name, text in filters_by_name.items()})
    with reading(toys) as session, _loaded() as loaded:
        assert query.count(RESOURCE, Reader(session), conditions) == number
    assert len(loaded) == read


def test_computed_rows_are_counted_and_skipped_too(toys: Engine) -> None:
    resource = PlanetResource()
    with reading(toys) as session:
        reader = Reader(session)
        conditions = filters.parse(resource, {"moons": ["<3"]})
        assert query.count(resource, reader, conditions) == 3
        rows = query.page(resource, reader, conditions, [("moons", True)], 9, offset=1).rows
    assert [planet.name for planet in rows] == ["earth", "venus"]


def _resources() -> tuple[Resource[Any], ...]:
    from sanstone.resources.declared import RESOURCES

    return RESOURCES


@pytest.mark.parametrize("resource", _resources(), ids=lambda resource: resource.path)
def test_the_order_of_each_resource_is_total(resource: Resource[Any]) -> None:
    """A row that compares with NULL is lost between pages; rows that rank alike are lost too."""
    if type(resource).rows is not Resource.rows:
        return  # Computed rows are sorted in Python, and their classes need not be tables.
    columns = [resource.model.__table__.c[name] for name in resource.order]
    assert not [column.name for column in columns if column.nullable]
    table: Any = resource.model.__table__
    unique = [{column.name for column in table.primary_key.columns}]
    unique += [{c.name} for c in table.c if c.unique]
    unique += [{"key"}] if resource.model is Observed else []  # select() narrows it to one kind
    unique += [
        {c.name for c in constraint.columns}
        for constraint in table.constraints
        if type(constraint).__name__ == "UniqueConstraint"
    ]
    assert any(columns_of <= {c.name for c in columns} for columns_of in unique)
