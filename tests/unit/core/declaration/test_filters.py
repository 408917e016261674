"""ONTAP's query operators on fields of every type."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, event
from toy import Box, Shelf, ShelfResource, ToySvm

from sanstone.core.database.store import reading, writing
from sanstone.core.declaration import filters, query
from sanstone.core.declaration.resource import Reader
from sanstone.core.errors import ApiError

RESOURCE = ShelfResource()
GIB = 1024**3
ROWS: dict[str, dict[str, Any]] = {
    "a": {"size": 1 * GIB, "comment": "/vol/v1/lun1", "create_time": 86400.0},
    "b": {"size": 10 * GIB, "comment": "10..20", "enabled": False, "create_time": 2 * 86400.0},
    "c": {"size": 11 * GIB, "comment": 'say "hi"', "color": "green", "create_time": 3 * 86400.0},
    "d": {"size": 20 * GIB, "comment": None, "mask": 8, "create_time": 4 * 86400.0},
    "e": {"size": 0, "comment": "a|b", "mask": 16, "create_time": 5 * 86400.0},
}


@pytest.fixture
def shelves(toys: Engine) -> Engine:
    """Five shelves; `a` and `b` belong to svm1, `b` and `c` have boxes."""
    with writing(toys) as session:
        svms = [ToySvm(name="svm1"), ToySvm(name="svm[2]")]
        session.add_all(svms)
        session.flush()
        for name, columns in ROWS.items():
            svm = svms[name > "b"]
            session.add(Shelf(name=name, uuid=f"id-{name}", svm_uuid=svm.uuid, **columns))
        session.flush()
        session.add(Box(shelf_uuid="id-b", name="x", number=1))
        session.add(Box(shelf_uuid="id-b", name="y", number=5))
        session.add(Box(shelf_uuid="id-c", name="y", number=2))
    return toys


def _matching_names(database: Engine, **parameters: str | list[str]) -> str:
    parameter_lists = {
        name.replace("__", "."): [texts] if isinstance(texts, str) else texts
        for name, texts in parameters.items()
    }
    with reading(database) as session:
        conditions = filters.parse(RESOURCE, parameter_lists)
        return "".join(row.name for row in query.match_all(RESOURCE, Reader(session), conditions))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", "a"),
        ("A", ""),
        ("!a", "bcde"),
        ("a|c", "ac"),
        ("!a|c", "bde"),
        ("!a,!c", "bde"),
        ("!a, !c|d", "be"),
        ("a|b|c,!b", "ac"),
        ("*,!a*,!*e", "bcd"),
        ('!"a,!b"', "abcde"),
        ("!a,c", "abcde"),
        ("*", "abcde"),
        ("!*", ""),
        ("a*", "a"),
        ("*a", "a"),
        ("*a*|b", "ab"),
        ("<c", "ab"),
        (">c", "de"),
        ("<=c", "abc"),
        (">=c", "cde"),
        ("<b|>d", "ae"),
        ('"a"', "a"),
        ('"*"', ""),
        ('!"a"', "bcde"),
        ('"a"|"b"', "ab"),
        ('"a|b"', ""),
        ('a|"b|c', "ac"),
        ("!!a", "a"),
        ("!" * 5000 + "a", "a"),
        ("!", ""),
        ("!!", ""),
        ("|".join(["x"] * 5000), ""),
        ("?", ""),
        ("[a]", ""),
        ("[a-c]*", ""),
        ("", ""),
        ("null", ""),
        ("!null", "abcde"),
    ],
)
def test_text(shelves: Engine, text: str, names: str) -> None:
    assert _matching_names(shelves, name=text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("null", "d"),
        ("!null", "abce"),
        ("!a*", "abcd"),
        ("/vol/v1/lun1", "a"),
        ("/vol/*", "a"),
        ("/vol/..", ""),
        ("*|*", "abce"),
        ('"a|b"', "e"),
        ('"10..20"', "b"),
        ("10..20", "b"),
        ("0..9", "b"),
        ("20..30", ""),
        ("a..z", ""),
        ('say "hi"', "c"),
        ('*"hi"*', "c"),
        ("*", "abce"),
    ],
)
def test_text_that_looks_like_an_operator(shelves: Engine, text: str, names: str) -> None:
    assert _matching_names(shelves, comment=text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("10GB", "b"),
        (str(10 * GIB), "b"),
        ("!10GB", "acde"),
        (">10GB", "cd"),
        (">=10GB", "bcd"),
        ("<10GB", "ae"),
        ("<=10GB", "abe"),
        ("1GB..11GB", "abc"),
        ("<1GB|>11GB", "de"),
        ("0|1GB", "ae"),
        ("-1", ""),
        (">-1", "abcde"),
        ("*", "abcde"),
        ("null", ""),
        ('"0"', "e"),
        ("9" * 30, ""),
    ],
)
def test_sizes(shelves: Engine, text: str, names: str) -> None:
    assert _matching_names(shelves, space__size=text) == names


@pytest.mark.parametrize("text", ["big", ">big", "1..big", "", "<", "1GB|big", "9" * 5000])
def test_an_invalid_size_is_refused(shelves: Engine, text: str) -> None:
    with pytest.raises(ApiError) as error:
        _matching_names(shelves, space__size=text)
    assert (error.value.status, error.value.target) == (400, "space.size")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("true", "acde"),
        ("True", "acde"),
        ("TRUE", "acde"),
        ("false", "b"),
        ("!true", "b"),
        ("True|False", "abcde"),
        ("perhaps", ""),
        ("t*", "acde"),
        ("!null", "abcde"),
    ],
)
def test_truth_values(shelves: Engine, text: str, names: str) -> None:
    assert _matching_names(shelves, enabled=text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1970-01-03T00:00:00+00:00", "b"),
        ("1970-01-03T00:00:00Z", "b"),
        ("1970-01-03T02:00:00+02:00", "b"),
        ("1970-01-03", "b"),
        (">1970-01-03", "cde"),
        ("<=1970-01-03T01:00:00+01:00", "ab"),
        ("1970-01-03..1970-01-04T12:00:00Z", "bc"),
        ("1970-01-03*", "b"),
        ("19700103", "b"),
        (">172800", "cde"),
        ("<1795683850", "abcde"),
        ('!"-"', "abcde"),
    ],
)
def test_times(shelves: Engine, text: str, names: str) -> None:
    assert _matching_names(shelves, create_time=text) == names


def test_an_invalid_time_is_refused(shelves: Engine) -> None:
    with pytest.raises(ApiError) as error:
        _matching_names(shelves, create_time=">yesterday")
    assert error.value.target == "create_time"


@pytest.mark.parametrize(
    ("text", "names"), [("24", "abc"), ("255.0.0.0", "d"), (">8", "abce"), ("8..16", "de")]
)
def test_netmasks_compare_by_length(shelves: Engine, text: str, names: str) -> None:
    assert _matching_names(shelves, ip__netmask=text) == names


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"svm__name": "svm1"}, "ab"),
        ({"svm": "svm1"}, "ab"),
        ({"svm__name": "!svm1"}, "cde"),
        ({"svm__name": "svm[2]"}, "cde"),
        ({"svm__name": "svm*"}, "abcde"),
        ({"svm__name": "*[2]"}, "cde"),
        ({"svm__uuid": "no-uuid"}, ""),
        ({"twin__name": "null"}, "abcde"),
        ({"twin__name": "x"}, ""),
    ],
)
def test_references(shelves: Engine, parameters: dict[str, str], names: str) -> None:
    assert _matching_names(shelves, **parameters) == names


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"boxes__name": "y"}, "bc"),
        ({"boxes": "y"}, "bc"),
        ({"boxes__name": "x|y"}, "bc"),
        ({"boxes__name": "x,y"}, "b"),
        ({"boxes__name": "y x"}, "b"),
        ({"boxes__name": "x,z"}, ""),
        ({"boxes__name": '"x,y"'}, ""),
        ({"boxes__name": "!x"}, "acde"),
        ({"boxes__name": "y,!x"}, "c"),
        ({"boxes__name": "null"}, "ade"),
        ({"boxes__number": ">1"}, "bc"),
        ({"boxes__number": "2..4"}, "c"),
        ({"words": "two"}, "abcde"),
        ({"words": "three"}, ""),
        ({"friends__name": "null"}, "abcde"),
    ],
)
def test_a_list_passes_when_any_element_does(
    shelves: Engine, parameters: dict[str, str], names: str
) -> None:
    """`!` is about the whole list, and a range about one element."""
    assert _matching_names(shelves, **parameters) == names


def test_conditions_all_hold(shelves: Engine) -> None:
    assert _matching_names(shelves, svm__name="svm1", enabled="true") == "a"
    assert _matching_names(shelves, name=["<d", ">a"]) == "bc"


def test_hyphens_are_underscores(shelves: Engine) -> None:
    assert _matching_names(shelves, **{"create-time": "1970-01-03"}) == "b"


@pytest.mark.parametrize("name", ["colour", "space", "svm.color", "chap.password", "boxes.", ""])
def test_an_unknown_or_secret_field_is_an_unexpected_argument(shelves: Engine, name: str) -> None:
    with pytest.raises(ApiError) as error:
        _matching_names(shelves, **{name: "x"})
    assert (error.value.status, error.value.code) == (400, "262179")
    assert error.value.target == name


@pytest.mark.parametrize("text", ["a", "a*", "*", '"a"', "?", "a|b", "null", "!a", ">a"])
def test_exactly_knows_no_operators(shelves: Engine, text: str) -> None:
    with reading(shelves) as session:
        conditions = filters.exactly(RESOURCE, {"name": text})
        names = [row.name for row in query.match_all(RESOURCE, Reader(session), conditions)]
    assert names == (["a"] if text == "a" else [])


@pytest.mark.parametrize(
    ("parameters", "read"),
    [
        ({"name": "c"}, 1),
        ({"uuid": "id-c"}, 1),
        ({"svm.name": "svm1"}, 2),
        ({"color": "green"}, 1),
        ({"name": "c*"}, 1),
        ({"name": "*"}, 5),
        ({"svm.name": "*1"}, 2),
        ({"name": "!c*"}, 5),
        ({"name": "b|c"}, 5),
        ({"create_time": "1970-01-03"}, 5),
    ],
)
def test_sqlite_looks_up_what_is_stored_as_it_is_shown(
    shelves: Engine, parameters: dict[str, str], read: int
) -> None:
    """Finding one object among thousands must not read them all."""
    loaded: list[str] = []

    def note(row: Shelf, _context: Any) -> None:
        loaded.append(row.name)

    event.listen(Shelf, "load", note)
    try:
        parameter_lists = {name: [text] for name, text in parameters.items()}
        with reading(shelves) as session:
            conditions = filters.parse(RESOURCE, parameter_lists)
            query.match_all(RESOURCE, Reader(session), conditions)
    finally:
        event.remove(Shelf, "load", note)
    assert len(loaded) == read


LEAVES = ["name", "space.size", "enabled", "create_time", "svm.name", "boxes.number", "ip.netmask"]


@given(name=st.sampled_from(LEAVES), text=st.text(alphabet='ab10.*|!<>="/-GB\x00ü ', max_size=12))
def test_any_text_is_a_condition_or_refused(shelves: Engine, name: str, text: str) -> None:
    try:
        _matching_names(shelves, **{name: text})
    except ApiError as refused:
        assert (refused.status, refused.target) == (400, name)


@given(text=st.text(alphabet="abc*|", min_size=1, max_size=6))
def test_not_is_the_complement(shelves: Engine, text: str) -> None:
    assert sorted(
        _matching_names(shelves, name=text) + _matching_names(shelves, name=f"!{text}")
    ) == list(ROWS)
