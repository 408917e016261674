"""The array's records are as described, and can be sent back to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import examples
import exceptions
import pytest
import schemathesis
from examples import Body, Example
from furnished_array import FurnishedArray, at, nested, without_dots
from marshmallow import ValidationError

from sanstone.core.declaration import filters
from sanstone.core.declaration.resource import (
    MODIFY,
    Field,
    Items,
    Node,
    Reference,
    References,
    Resource,
)
from sanstone.core.declaration.types import ListOf, Strings, Type
from sanstone.http import openapi
from sanstone.resources.declared import ACTIONS, RESOURCES

BY_PATH = {resource.path: resource for resource in RESOURCES}
CHANGED = [example for example in examples.EXAMPLES if example.changes]
MODIFIED = [
    resource
    for resource in RESOURCES
    if "PATCH" in resource.methods and resource.path not in exceptions.CHANGED_BY_QUERY
]


@pytest.fixture(scope="module")
def description() -> Any:
    """The OpenAPI description, as schemathesis reads it."""
    return schemathesis.openapi.from_dict(without_dots(openapi.describe((*RESOURCES, *ACTIONS))))


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
def test_every_resource_has_an_object_that_is_as_described(
    array: FurnishedArray, resource: Resource[Any], description: Any
) -> None:
    operation = description[without_dots(f"/{resource.path}")]["GET"]
    response = array.send("GET", array.collection(resource.path), None, "fields=**")
    assert response.status_code == 200
    operation.validate_response(schemathesis.Response.from_any(response))
    assert array.records(resource.path), "there is none"


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
def test_each_value_that_is_shown_is_of_its_type(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    for record in array.records(resource.path):
        for node in resource.fields:
            check(node, at(record, node.name))


def check(node: Node, value: Any) -> None:
    """Assert that a shown value is one of its field's."""
    if value is None:
        return
    if isinstance(node, Field):
        assert not node.secret, f"{node.name} is shown"
        if not isinstance(node.type, Strings):
            node.type.parse(value)
    elif isinstance(node, Reference):
        assert value["uuid"], f"{node.name} has no UUID"
    elif isinstance(node, References):
        assert all(entry["uuid"] for entry in value)
    else:
        for item in value:
            for child in node.fields:
                check(child, at(item, child.name))


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
def test_every_field_is_shown_by_some_object(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    records = array.records(resource.path)
    names = {name for node in resource.fields for name in shown_names(node)}
    missing = {
        name for name in names if all(list(values_at(record, name)) == [] for record in records)
    }
    assert missing == exceptions.NEVER_SHOWN.get(resource.path, {}).keys()


def shown_names(node: Node) -> tuple[str, ...]:
    """Return the names under which a field is shown; a bare object's depend on the object."""
    return () if isinstance(node, Reference | References) else node.leaves


def values_at(record: Any, name: str) -> Iterator[Any]:
    """Return the values under a name in an object, in all entries of a list on the way."""
    first, _, rest = name.partition(".")
    for item in record if isinstance(record, list) else [record]:
        if isinstance(item, dict) and first in item:
            if rest:
                yield from values_at(item[first], rest)
            else:
                yield item[first]


def expected(resource: Resource[Any], body: Body) -> Iterator[tuple[str, Any]]:
    """Return the values that a record must show after the array has accepted a body."""
    for name, value in body.items():
        node = resource.node(name)
        if isinstance(node, Field) and not node.secret:
            yield name, node.type.format(node.type.parse(value))
        elif node is None:
            yield name, value


def unlike(example: Example, body: Body, record: Body) -> dict[str, Any]:
    """Return the fields that come back otherwise than sent, except those the example excuses."""
    return {
        name: at(record, name)
        for name, value in expected(BY_PATH[example.path], body)
        if at(record, name) != value and name not in example.shown_otherwise
    }


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
def test_shown_values_are_found_in_any_spelling(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    for record in array.records(resource.path):
        keys: dict[str, str] = {}
        for node in resource.fields:
            for leaf in node.leaves:
                for value_or_list in values_at(record, leaf):
                    for value in (
                        value_or_list if isinstance(value_or_list, list) else [value_or_list]
                    ):
                        for other in otherwise(node, leaf, value):
                            assert filters.spelled(resource, leaf, other) == str(value), leaf
                            if leaf in resource.keys:
                                keys[leaf] = other
        if keys and not resource.single:
            place = resource.place(keys_of(resource, record) | keys)
            assert array.send("GET", place, None).status_code == 200


def keys_of(resource: Resource[Any], record: Body) -> dict[str, str]:
    """Return the keys of an object that is shown."""
    return {key: str(at(record, key)) for key in resource.keys}


def otherwise(node: Node, leaf: str, value: Any) -> list[str]:
    """Return other ways to write a value that a field takes for the same."""
    kind = filters.leaf_type(node, leaf)
    if kind is None or not isinstance(value, str):
        return []
    entry = kind.entry if isinstance(kind, ListOf) else kind
    spellings = {value.upper(), value.replace(":", ""), value.replace("-", "")} - {value}
    return [other for other in sorted(spellings) if parsed(entry, other) == parsed(entry, value)]


def parsed(kind: Type, text: str) -> Any:
    """Return the value that a text is of, the text itself for none."""
    try:
        return kind.parse(text)
    except ValidationError:
        return text


@pytest.mark.parametrize("example", examples.EXAMPLES, ids=lambda example: example.path)
def test_created_objects_are_shown_as_sent(array: FurnishedArray, example: Example) -> None:
    for body, place in zip(example.objects, array.places.get(example.path, ()), strict=False):
        assert not unlike(example, body, array.simulator.get(f"{place}?fields=**"))


@pytest.mark.parametrize("example", CHANGED, ids=lambda example: example.path)
def test_changed_objects_are_shown_as_sent(array: FurnishedArray, example: Example) -> None:
    place = array.first(example.path)
    for body in example.changes:
        array.simulator.do("PATCH", place, body)
        assert not unlike(example, body, array.simulator.get(f"{place}?fields=**"))


@pytest.mark.parametrize("resource", MODIFIED, ids=lambda resource: resource.path)
def test_a_record_can_be_sent_back_and_changes_nothing(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    excused = exceptions.NOT_SENT_BACK.get(resource.path, {})
    nodes = [node for node in resource.fields if node.name not in excused]
    machine = array.simulator.dump()
    for record in array.records(resource.path):
        place = resource.path if resource.single else resource.place(keys_of(resource, record))
        before = without_figures(array.simulator.get(f"{place}?fields=**"))
        array.simulator.do("PATCH", place, nested(sent_back(nodes, before)))
        assert without_figures(array.simulator.get(f"{place}?fields=**")) == before
    assert array.simulator.dump() == machine


def sent_back(nodes: Iterable[Node], record: Body) -> Body:
    """Return the fields of a record, or of an entry of a list, that PATCH may set."""
    body: Body = {}
    for node in nodes:
        value = at(record, node.name)
        if value is not None and node.access & MODIFY:
            if isinstance(node, Items):
                value = [sent_back(node.fields, item) for item in value]
            body[node.name] = value
    return body


def without_figures(record: Body) -> Body:
    """Return an object without the figures of the latest interval, which another may follow.

    A disk's health is of the time of its last reading.
    """
    return {name: value for name, value in record.items() if name not in ("metric", "health")}


@pytest.mark.parametrize(
    "example",
    [e for e in examples.EXAMPLES if e.another and "DELETE" in BY_PATH[e.path].methods],
    ids=lambda example: example.path,
)
def test_created_objects_can_be_deleted_and_leave_the_machine_as_it_was(
    array: FurnishedArray, example: Example
) -> None:
    if example.path in exceptions.ALONE:
        array.simulator.do("DELETE", array.first(example.path))
    before = array.simulator.dump()
    # With dots for objects in objects, the furnished array's own were created.
    response = array.send("POST", array.collection(example.path), nested(example.another))
    assert response.status_code in (201, 202), response.get_data(as_text=True)
    place = response.headers["Location"].removeprefix("/api/")
    assert array.simulator.get(place)
    query = exceptions.DELETED_WITH.get(example.path, "")
    array.simulator.do("DELETE", f"{place}{query}")
    if example.path not in exceptions.MOVES_UP:
        assert array.send("GET", place, None).status_code == 404
    assert array.simulator.dump() == before


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
def test_every_field_that_can_be_set_is_in_an_example(resource: Resource[Any]) -> None:
    example = examples.BY_PATH[resource.path]
    names = {name for body in (*example.objects, *example.changes) for name in body}
    settable = {node.name for node in resource.fields if node.access}
    covered = {name.removesuffix(end) for name in names for end in ("", ".name", ".uuid")}
    assert settable - covered == exceptions.NOT_IN_AN_EXAMPLE.get(resource.path, {}).keys()
