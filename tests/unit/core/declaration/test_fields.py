"""Which fields an answer shows, and how a row becomes JSON."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine
from toy import NODE, Box, BoxResource, EveryBoxResource, Shelf, ShelfResource, ToySvm

from sanstone.core.database.store import reading, writing
from sanstone.core.declaration import fields
from sanstone.core.declaration.resource import Field, Items, Reader
from sanstone.core.declaration.types import Password, Text
from sanstone.core.errors import ApiError
from sanstone.core.observed import Observed

RESOURCE = ShelfResource()
DEFAULT = ["uuid", "name", "policy.name"]
COSTLY = {"space.depth.right", "slow"}
ALL = {node.name for node in RESOURCE.fields} - {"chap.password"}


def _chosen(*names: str, also: tuple[str, ...] = (), **more: bool) -> list[str]:
    options = {"instance": False, "ignore_unknown": False} | more
    nodes = fields.chosen(RESOURCE, fields.split(names), also, **options)
    return [node.name for node in nodes]


@pytest.mark.parametrize("names", [(), ("",), (",",), (" , ",)])
def test_without_fields_a_collection_shows_keys_names_and_what_always_is(
    names: tuple[str, ...],
) -> None:
    assert _chosen(*names) == DEFAULT


@pytest.mark.parametrize("names", [(), ("",)])
def test_without_fields_one_object_shows_what_is_not_costly(names: tuple[str, ...]) -> None:
    assert set(_chosen(*names, instance=True)) == ALL - COSTLY


def test_stars() -> None:
    assert set(_chosen("*")) == ALL - COSTLY
    assert set(_chosen("**")) == ALL
    assert set(_chosen("slow,*")) == ALL - {"space.depth.right"}


@pytest.mark.parametrize(
    ("names", "more"),
    [
        ("space", {"space.size", "space.used", "space.depth.left", "space.depth.right"}),
        ("space.*", {"space.size", "space.used", "space.depth.left", "space.depth.right"}),
        ("space.depth", {"space.depth.left", "space.depth.right"}),
        ("space.size", {"space.size"}),
        ("svm", {"svm"}),
        ("svm.name", {"svm"}),
        ("svm.*", {"svm"}),
        ("boxes.number", {"boxes"}),
        ("create-time", {"create_time"}),
        ("color,", {"color"}),
        (" color , tall ", {"color", "tall"}),
        ("uuid", set()),
    ],
)
def test_a_name_takes_its_subtree(names: str, more: set[str]) -> None:
    assert set(_chosen(names)) == {*DEFAULT, *more}


def test_the_parameter_may_be_repeated() -> None:
    assert set(_chosen("color", "tall,slow")) == {*DEFAULT, "color", "tall", "slow"}


def test_fields_of_the_query_are_shown() -> None:
    assert set(_chosen(also=("color", "svm.name"))) == {*DEFAULT, "color", "svm"}


@pytest.mark.parametrize("name", ["colour", "spac", "space.siz", "name.x", "svm.color", "***"])
def test_an_unknown_name_is_refused_unless_it_may_be_ignored(name: str) -> None:
    with pytest.raises(ApiError) as error:
        _chosen(f"color,{name}")
    assert (error.value.status, error.value.code) == (400, "262197")
    assert name in error.value.message
    assert set(_chosen(f"color,{name}", ignore_unknown=True)) == {*DEFAULT, "color"}


@pytest.mark.parametrize("names", ["chap", "chap.password", "chap.*", "**"])
def test_a_secret_is_never_shown(names: str) -> None:
    assert "chap.password" not in _chosen(names)


def test_the_keys_of_a_child_are_always_shown() -> None:
    nodes = fields.chosen(BoxResource(), (), (), False, False)
    assert [node.name for node in nodes] == ["shelf", "name"]


@pytest.fixture
def shelf(toys: Engine) -> str:
    """The UUID of a shelf with boxes, seen by the reconciler."""
    with writing(toys) as session:
        svm = ToySvm(name="svm1")
        session.add(svm)
        session.flush()
        row = Shelf(name="s", svm_uuid=svm.uuid, size=7, create_time=0.0, password="open sesame")
        session.add(row)
        session.flush()
        session.add_all(Box(shelf_uuid=row.uuid, name=name, number=1) for name in ("b", "a"))
        place = {"kind": Shelf.kind, "key": row.uuid, "node_uuid": NODE}
        session.add(Observed(**place, data={"used": 3}, error="it leans"))
        return row.uuid


def _show(toys: Engine, uuid: str, *names: str, links: bool = False) -> dict[str, Any]:
    with reading(toys) as session:
        nodes = fields.chosen(RESOURCE, names, (), False, False)
        return fields.show(nodes, session.get_one(Shelf, uuid), Reader(session), links)


def test_a_row_becomes_nested_json(toys: Engine, shelf: str) -> None:
    record = _show(toys, shelf, "**")
    svm = record.pop("svm")
    assert svm["name"] == "svm1"
    assert record == {
        "uuid": shelf,
        "name": "s",
        "space": {"size": 7, "used": 3, "depth": {"left": 7, "right": 8}},
        "enabled": True,
        "color": "red",
        "create_time": "1970-01-01T00:00:00+00:00",
        "ip": {"netmask": "24"},
        "policy": {"name": "default"},
        "tall": False,
        "words": ["one", "two"],
        "slow": "found at last",
        "fault": "it leans",
        "boxes": [{"name": "a", "number": 1}, {"name": "b", "number": 1}],
        "friends": [],
    }


def test_fields_without_a_value_are_left_out(toys: Engine, shelf: str) -> None:
    with writing(toys) as session:
        for box in session.query(Box):
            session.delete(box)
        session.delete(session.get_one(Observed, (Shelf.kind, shelf, NODE)))
    record = _show(toys, shelf, "**")
    assert not {"comment", "boxes", "fault", "twin"} & record.keys()
    assert "used" not in record["space"]


def test_references_have_links_when_wanted(toys: Engine, shelf: str) -> None:
    assert "_links" not in _show(toys, shelf, "svm")["svm"]
    svm = _show(toys, shelf, "svm", links=True)["svm"]
    assert svm["_links"] == {"self": {"href": f"/api/svm/svms/{svm['uuid']}"}}


def test_a_reference_and_a_field_within_it_make_one_object(toys: Engine, shelf: str) -> None:
    resource = EveryBoxResource()
    with reading(toys) as session:
        box = session.get_one(Box, (shelf, "a"))
        nodes = fields.chosen(resource, ["shelf"], (), False, False)
        record = fields.show(nodes, box, Reader(session), False)
    assert record["shelf"] == {"color": "red", "name": "s", "uuid": shelf}


def test_a_secret_within_a_list_is_not_shown() -> None:
    items = Items(
        "hosts",
        (
            Field("name", Text(), "", get=lambda row, _: "h"),
            Field("key", Password(), "", secret=True, get=lambda row, _: "hidden"),
        ),
        "",
        get=lambda row, _: [1],
    )
    assert items.leaves == ("hosts.name",)
    reader = Reader(None)  # type: ignore[arg-type]
    assert fields.show([items], None, reader, False) == {"hosts": [{"name": "h"}]}
