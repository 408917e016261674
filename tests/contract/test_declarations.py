"""The declarations hold everything from which routes, description and clients derive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import examples
import exceptions
import pytest
from furnished_array import without_dots
from marshmallow import ValidationError

from sanstone.core.declaration import text_search
from sanstone.core.declaration.resource import Field, Items, Node, Reference, References, Resource
from sanstone.core.declaration.types import Size, Strings
from sanstone.http import openapi
from sanstone.resources.declared import ACTIONS, RESOURCES

DESCRIPTION = openapi.describe((*RESOURCES, *ACTIONS))


def nodes_of(nodes: tuple[Node, ...], prefix: str = "") -> Iterator[tuple[str, Node]]:
    """Return every field with its whole name, those of list entries too."""
    for node in nodes:
        yield prefix + node.name, node
        if isinstance(node, Items):
            yield from nodes_of(node.fields, f"{prefix}{node.name}.")


def given_and_shown(resource: Resource[Any]) -> Iterator[tuple[str, Node]]:
    """Return every field of a resource with its whole name, and every option."""
    yield from nodes_of(resource.fields)
    yield from ((option.name, option) for option in resource.options)


EACH = pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)


@EACH
def test_every_operation_is_described(resource: Resource[Any]) -> None:
    collection = DESCRIPTION["paths"][f"/{resource.path}"]
    keys = [key for key in resource.keys if f"{{{key}}}" not in resource.path]
    one = f"/{resource.path}" + "".join(f"/{{{key}}}" for key in keys)
    methods = {"GET"} | (resource.methods & {"PATCH", "DELETE"})
    of_collection = methods | (resource.methods & {"POST"})
    assert {m.lower() for m in of_collection} == collection.keys() - {"parameters"}
    assert {m.lower() for m in methods} <= DESCRIPTION["paths"][one].keys()
    for path in (f"/{resource.path}", one):
        for name, operation in DESCRIPTION["paths"][path].items():
            if name != "parameters":
                assert operation["summary"] and operation["description"]
                assert operation["tags"]


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [
        operation["operationId"]
        for item in DESCRIPTION["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
    ]
    assert len(names) == len(set(names))


def test_every_path_describes_its_keys() -> None:
    for path, item in DESCRIPTION["paths"].items():
        keys = {p["name"] for p in item.get("parameters", ()) if p["in"] == "path"}
        assert keys == set(re.findall(r"{([^}]*)}", path)), path


@EACH
def test_every_resource_has_a_description(resource: Resource[Any]) -> None:
    assert re.fullmatch(r"[A-Z].*\.", resource.doc, re.IGNORECASE)
    assert type(resource).__doc__


@EACH
def test_the_names_of_fields_are_unlike(resource: Resource[Any]) -> None:
    names = [name for name, _ in nodes_of(resource.fields)]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9_.]+", name) for name in names)


@EACH
def test_the_keys_of_a_resource_are_fields(resource: Resource[Any]) -> None:
    names = {leaf for node in resource.fields for leaf in node.leaves}
    assert set(resource.keys) <= names


@EACH
def test_searched_fields_are_known_to_sqlite(resource: Resource[Any]) -> None:
    if resource.searched:
        for name in (*resource.searched, *resource.keys):
            assert text_search.value(resource, name)
        first = {key for key in ("name", *resource.keys) if resource.node(key)}
        assert resource.searched[0] in first | {"target.name"}, "it is shown as the name"


@EACH
def test_every_field_has_a_description(resource: Resource[Any]) -> None:
    for name, node in given_and_shown(resource):
        assert re.fullmatch(r"(?:[A-Z0-9]|iSCSI).*[.]", node.doc), f"{name}: {node.doc}"


@EACH
def test_every_size_names_its_unit(resource: Resource[Any]) -> None:
    for name, node in given_and_shown(resource):
        if isinstance(node, Field) and isinstance(node.type, Size):
            assert re.search(r"\bbytes?\b", node.doc, re.IGNORECASE), f"{name}: {node.doc}"


@EACH
def test_required_fields_may_be_given(resource: Resource[Any]) -> None:
    for name, node in given_and_shown(resource):
        if node.required:
            assert node.access, name
        if isinstance(node, Field) and node.default is not None:
            assert node.type.parse(node.default) == node.default, name
            assert not node.required, name
        if isinstance(node, Reference | References):
            assert hasattr(node.to, "kind"), name


@EACH
def test_the_examples_of_a_type_are_good_or_bad_as_marked(resource: Resource[Any]) -> None:
    for name, node in nodes_of(resource.fields):
        if not isinstance(node, Field) or isinstance(node.type, Strings):
            continue
        for value in node.type.good:
            node.type.parse(value)
        assert node.type.bad, name
        for value in node.type.bad:
            with pytest.raises(ValidationError):
                node.type.parse(value)
                pytest.fail(f"{name} takes {value!r}")


def test_no_exception_is_out_of_date() -> None:
    for table in (exceptions.NEVER_SHOWN, exceptions.NOT_SENT_BACK, exceptions.NOT_IN_AN_EXAMPLE):
        for path, names in table.items():
            resource = next(r for r in RESOURCES if r.path == path)
            field_names = {name for node in resource.fields for name in (node.name, *node.leaves)}
            assert names.keys() <= field_names
    assert exceptions.DELETED_WITH.keys() <= examples.BY_PATH.keys()
    assert exceptions.ALONE.keys() <= examples.BY_PATH.keys()


def test_the_description_has_no_names_that_clash_without_dots() -> None:
    assert len(without_dots(DESCRIPTION)["paths"]) == len(DESCRIPTION["paths"])
