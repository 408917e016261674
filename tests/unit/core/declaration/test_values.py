"""Bodies as clients send them become values as hooks take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine
from sqlalchemy.orm import Session
from toy import BoxResource, Shelf, ShelfResource, ToySvm

from sanstone.core.database.store import writing
from sanstone.core.declaration.resource import CREATE, MODIFY, WRITE, Access, Field, Items
from sanstone.core.declaration.types import Integer, Text
from sanstone.core.declaration.values import divide, parse
from sanstone.core.errors import ApiError

FIELDS = ShelfResource.fields
UNKNOWN_ARGUMENT, TWICE, BAD_VALUE, NOT_SETTABLE = "262179", "262188", "262197", "262196"


@pytest.fixture
def session(toys: Engine) -> Iterator[Session]:
    """A session on two owners, each with a shelf `twin`."""
    with writing(toys) as session:
        for number in (1, 2):
            svm = ToySvm(name=f"svm{number}", uuid=_uuid(number))
            session.add(svm)
            session.flush()
            session.add(Shelf(name=f"twin{number}", svm_uuid=svm.uuid, uuid=_uuid(10 + number)))
        session.flush()
        yield session


def _uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def _parse(session: Session, body: Any, access: Access = CREATE) -> dict[str, Any]:
    return parse(session, FIELDS, body, access)


def _refusal(session: Session, body: Any, access: Access = MODIFY) -> ApiError:
    with pytest.raises(ApiError) as error:
        _parse(session, body, access)
    assert error.value.status == 400
    return error.value


@pytest.mark.parametrize(
    "body",
    [
        {"space": {"size": 4096}, "ip": {"netmask": "24"}},
        {"space.size": 4096, "ip.netmask": "255.255.255.0"},
        {"space.size": "4096", "ip": {"netmask": 24}},
        {"space": {"size": "4KB", "depth": {}}, "ip": {"netmask": "24"}},
        {"space": {"size": 4096, "used": None}, "ip.netmask": 24, "_links": {"self": {}}},
    ],
)
def test_dots_and_nesting_are_the_same(session: Session, body: dict[str, Any]) -> None:
    assert _parse(session, body, MODIFY) == {"space.size": 4096, "ip.netmask": 24}


@pytest.mark.parametrize(
    "body",
    [
        {"name": "a", "restore_to": {"snapshot": {"name": "s1"}}, "space": {"size": 1}},
        {"name": "a", "restore_to.snapshot.name": "s1", "space": {"size": 1}},
        {"name": "a", "restore-to": {"snapshot.name": "s1", "by": None}, "space": {"size": 1}},
        {"name": "a", "restore_to": {"snapshot": "s1"}, "space": {"size": 1}},
    ],
)
def test_options_are_taken_out_of_a_body(body: dict[str, Any]) -> None:
    names = {"restore_to.snapshot.name", "restore_to.by"}
    options, rest = divide(body, names)
    assert options == {"restore_to.snapshot.name": "s1"}
    assert rest == {"name": "a", "space": {"size": 1}}


def test_fields_beside_options_stay_in_the_body() -> None:
    body = {"restore_to": {"snapshot": 7, "where": 1}}
    assert divide(body, {"restore_to.snapshot.name"}) == ({}, body)


def test_an_option_is_given_once() -> None:
    body = {"restore_to": {"name": "s1"}, "restore_to.name": "s1"}
    with pytest.raises(ApiError) as refusal:
        divide(body, {"restore_to.name"})
    assert (refusal.value.code, refusal.value.target) == ("262188", "restore_to.name")


def test_defaults_stand_for_what_a_new_object_leaves_out(session: Session) -> None:
    values = _parse(session, {"name": "a", "svm": {"name": "svm1"}})
    assert values["space.size"] == 0
    assert values["enabled"] is True
    assert "comment" not in values, "a field without a default stays away"


def test_a_change_has_no_defaults(session: Session) -> None:
    assert _parse(session, {"comment": "x"}, MODIFY) == {"comment": "x"}


@pytest.mark.parametrize(
    "reference",
    [
        {"svm": {"name": "svm2"}},
        {"svm.name": "svm2"},
        {"svm": {"uuid": _uuid(2)}},
        {"svm.uuid": _uuid(2)},
        {"svm": "svm2"},
        {"svm": {"name": "svm2", "uuid": _uuid(2)}},
        {"svm.name": "svm2", "svm.uuid": _uuid(2)},
        {"svm": {"name": "svm2"}, "svm.uuid": _uuid(2)},
        {"svm": {"name": "svm2", "uuid": None, "_links": {}}},
    ],
)
def test_an_object_is_found_by_name_or_uuid_in_any_form(
    session: Session, reference: dict[str, Any]
) -> None:
    assert _parse(session, {"name": "a", **reference})["svm"].name == "svm2"


@pytest.mark.parametrize(
    ("reference", "code", "target"),
    [
        ({"name": "svm1", "uuid": _uuid(2)}, "2621706", "svm"),
        ({"name": "svm9"}, "2621462", "svm"),
        ({"uuid": _uuid(9)}, "2621462", "svm"),
        ({"name": ""}, BAD_VALUE, "svm.name"),
        ({"name": 7}, BAD_VALUE, "svm.name"),
        ({"name": "a\nb"}, BAD_VALUE, "svm.name"),
        ({"name": "svm1", "color": "red"}, UNKNOWN_ARGUMENT, "svm.color"),
        (["svm1"], BAD_VALUE, "svm"),
        (7, BAD_VALUE, "svm"),
        (True, BAD_VALUE, "svm"),
        ({}, "2", "svm"),
        ({"name": None}, "2", "svm"),
        (None, "2", "svm"),
    ],
)
def test_an_object_that_cannot_be_found(
    session: Session, reference: Any, code: str, target: str
) -> None:
    refusal = _refusal(session, {"name": "a", "svm": reference}, CREATE)
    assert (refusal.code, refusal.target) == (code, target)


def test_a_name_is_looked_for_within_its_scope(session: Session) -> None:
    body = {"name": "a", "svm": {"name": "svm2"}, "twin": {"name": "twin2"}}
    assert _parse(session, body)["twin"].uuid == _uuid(12)
    assert _refusal(session, body | {"twin": {"name": "twin1"}}, CREATE).target == "twin"
    assert _parse(session, body | {"twin": {"uuid": _uuid(11)}})["twin"].name == "twin1"


@pytest.mark.parametrize(
    "body",
    [
        {"space": {"size": 1}, "space.size": 1},
        {"svm.name": "svm1", "svm": {"name": "svm1"}},
        {"svm": "svm1", "svm.name": "svm1"},
        {"ip.netmask": 24, "ip": {"netmask": 24}},
        {"create-time": "x", "create_time": "x"},
    ],
)
def test_twice_is_once_too_often(session: Session, body: dict[str, Any]) -> None:
    assert _refusal(session, body, CREATE).code == TWICE


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ({"colour": "red"}, "colour"),
        ({"space": {"colour": 1}}, "space.colour"),
        ({"space.depth.middle": 1}, "space.depth.middle"),
        ({"space": {"depth": {"middle": {"left": 1}}}}, "space.depth.middle"),
        ({"space": 7}, "space"),
        ({"space": [1]}, "space"),
        ({"svm.colour": "red"}, "svm.colour"),
        ({"name.first": "a"}, "name.first"),
        ({"": 1}, ""),
        ({".": 1}, "."),
    ],
)
def test_unknown_fields_are_named(session: Session, body: dict[str, Any], target: str) -> None:
    refusal = _refusal(session, body)
    assert (refusal.code, refusal.target) == (UNKNOWN_ARGUMENT, target)


@pytest.mark.parametrize(
    "body", [{"uuid": _uuid(1)}, {"space.used": 1}, {"svm": "svm1"}, {"boxes": []}]
)
def test_read_only_fields_are_refused(session: Session, body: dict[str, Any]) -> None:
    assert _refusal(session, body, MODIFY).code == NOT_SETTABLE


def test_fields_of_changes_are_refused_at_creation(session: Session) -> None:
    assert _refusal(session, {"name": "a", "svm": "svm1", "tall": True}, CREATE).target == "tall"


@pytest.mark.parametrize(
    ("body", "code", "target"),
    [
        ({"color": "blue"}, "777", "color"),
        ({"space": {"size": "huge"}}, BAD_VALUE, "space.size"),
        ({"space": {"size": -1}}, BAD_VALUE, "space.size"),
        ({"enabled": "perhaps"}, BAD_VALUE, "enabled"),
        ({"name": ["a"]}, BAD_VALUE, "name"),
        ({"ip": "24.5"}, UNKNOWN_ARGUMENT, "ip"),
        ({"friends": "svm1"}, BAD_VALUE, "friends"),
        ({"friends": {"name": "svm1"}}, BAD_VALUE, "friends"),
        ({"friends": [7]}, BAD_VALUE, "friends"),
        ({"friends": ["svm1"] * 4}, BAD_VALUE, "friends"),
        ({"friends": ["svm1", "svm9"]}, "4", "friends"),
    ],
)
def test_a_bad_value_names_its_field(
    session: Session, body: dict[str, Any], code: str, target: str
) -> None:
    refusal = _refusal(session, body)
    assert (refusal.code, refusal.target) == (code, target)


@pytest.mark.parametrize("body", [{"svm": "svm1"}, {"name": "a"}, {"name": None, "svm": "svm1"}])
def test_required_fields_must_be_given(session: Session, body: dict[str, Any]) -> None:
    refusal = _refusal(session, body, CREATE)
    assert refusal.target == ({"name", "svm"} - {k for k, v in body.items() if v}).pop()
    assert refusal.code == "2"


def test_empty_objects_and_nulls_are_noise(session: Session) -> None:
    body: dict[str, Any] = {
        "space": {},
        "ip": {},
        "comment": None,
        "svm": {},
        "boxes": {},
        "color": {},
    }
    assert _parse(session, body, MODIFY) == {}


def test_lists_of_objects_take_bare_names_and_nested_ones(session: Session) -> None:
    body = {"name": "a", "svm": "svm1", "friends": ["svm1", {"uuid": _uuid(2)}]}
    values = _parse(session, body | {"boxes": ["b1", {"name": "b2", "number": "5"}]})
    assert [friend.name for friend in values["friends"]] == ["svm1", "svm2"]
    assert values["boxes"] == [{"name": "b1", "number": 3}, {"name": "b2", "number": 5}]


XY = [{"name": "x", "number": 1}, {"name": "y", "number": 2}]


@pytest.mark.parametrize(
    "body",
    [
        {"boxes.name": ["x", "y"], "boxes.number": [1, 2]},
        {"boxes": {"name": ["x", "y"], "number": [1, "2"]}},
        {"boxes": {"name": ["x", "y"]}, "boxes.number": [1, 2]},
    ],
)
def test_names_with_dots_lead_into_lists(session: Session, body: dict[str, Any]) -> None:
    assert _parse(session, {"name": "a", "svm": "svm1", **body})["boxes"] == XY
    friends = _parse(session, {"friends.name": ["svm1", "svm2"]}, MODIFY)["friends"]
    assert [friend.name for friend in friends] == ["svm1", "svm2"]
    assert _parse(session, {"friends.uuid": []}, MODIFY)["friends"] == []


@pytest.mark.parametrize(
    ("body", "code", "target"),
    [
        ({"boxes.name": ["x", "y"], "boxes.number": [1]}, "262197", "boxes"),
        ({"boxes.name": ["x"], "boxes": [{"name": "x"}]}, "262188", "boxes"),
        ({"boxes": [{"name": "x"}], "boxes.name": ["x"]}, "262188", "boxes.name"),
        ({"boxes": {"name": ["x"]}, "boxes.name": ["x"]}, "262188", "boxes.name"),
        ({"boxes.colour": ["x"]}, "262179", "boxes.colour"),
        ({"boxes": {"colour": []}}, "262179", "boxes.colour"),
        ({"boxes.name": "x"}, "262179", "boxes.name"),
        ({"boxes": {"name": "x"}}, "262197", "boxes"),
        ({"friends.name": ["svm9"]}, "4", "friends"),
    ],
)
def test_names_that_do_not_lead_into_a_list(
    session: Session, body: dict[str, Any], code: str, target: str
) -> None:
    refusal = _refusal(session, {"name": "a", "svm": "svm1", **body}, CREATE)
    assert (refusal.code, refusal.target) == (code, target)


@pytest.mark.parametrize(
    ("boxes", "target"),
    [
        ([{"number": 1}], "boxes.name"),
        ([{"name": "b", "number": 10}], "boxes.number"),
        ([{"name": "b", "color": "red"}], "boxes.color"),
        ([7], "boxes"),
        ([["b"]], "boxes"),
        (["b"] * 5, "boxes"),
        ("b", "boxes"),
    ],
)
def test_an_error_in_a_list_names_the_list(session: Session, boxes: Any, target: str) -> None:
    body = {"name": "a", "svm": "svm1", "boxes": boxes}
    assert _refusal(session, body, CREATE).target == target


def test_an_entry_of_a_list_is_whole_in_a_change_too(session: Session) -> None:
    parts = (
        Field("name", Text(), "Name.", access=WRITE, required=True),
        Field("number", Integer(), "Number.", access=WRITE, default=3),
    )
    nodes = (Items("parts", parts, "Parts.", access=WRITE),)
    values = parse(session, nodes, {"parts": ["a"]}, MODIFY)
    assert values == {"parts": [{"name": "a", "number": 3}]}
    with pytest.raises(ApiError) as refusal:
        parse(session, nodes, {"parts": [{"number": 5}]}, MODIFY)
    assert refusal.value.target == "parts.name"


def test_a_bare_text_stands_for_the_name_of_an_object(session: Session) -> None:
    assert _parse(session, {"name": "a", "svm": "svm1", "policy": "p"})["policy.name"] == "p"


def test_keys_of_the_path_may_be_repeated_but_not_contradicted(session: Session) -> None:
    svm = session.get_one(ToySvm, _uuid(1))
    body = {"name": "a", "svm": {"name": "svm1"}}
    assert parse(session, FIELDS, body, CREATE, {"svm": svm})["svm"] is svm
    with pytest.raises(ApiError) as error:
        parse(session, FIELDS, body | {"svm": "svm2"}, CREATE, {"svm": svm})
    assert error.value.target == "svm"


def test_keys_of_the_path_need_not_be_given(session: Session) -> None:
    shelf = session.get_one(Shelf, _uuid(11))
    values = parse(session, BoxResource.fields, {"name": "b"}, CREATE, {"shelf": shelf})
    assert values == {"shelf": shelf, "name": "b", "number": 3}


@pytest.mark.parametrize("body", [None, [], "a", 7, True])
def test_a_body_is_an_object(session: Session, body: Any) -> None:
    assert _refusal(session, body).code == "2"


def test_depth_does_not_matter(session: Session) -> None:
    deep: Any = 1
    for _ in range(50_000):
        deep = {"depth": deep}
    assert _refusal(session, {"space": deep}).code == UNKNOWN_ARGUMENT
    assert _refusal(session, {"comment": deep}).target == "comment"
    whole = {"name": "a", "svm": "svm1"}
    assert _refusal(session, whole | {"boxes": deep}, CREATE).target == "boxes"
    assert _refusal(session, whole | {"boxes.name": deep}, CREATE).code == UNKNOWN_ARGUMENT


NAMES = st.sampled_from([n.name for n in FIELDS] + ["svm.name", "space", "ip", "x", "boxes.name"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(), inner),
    max_leaves=8,
)


@given(body=st.dictionaries(NAMES | st.text(), JSON), creating=st.booleans())
def test_any_body_is_taken_or_refused(
    session: Session, body: dict[str, Any], creating: bool
) -> None:
    try:
        values = _parse(session, body, CREATE if creating else MODIFY)
    except ApiError as refused:
        assert refused.status == 400
        assert refused.message
        return
    assert values.keys() <= {node.name for node in FIELDS}
