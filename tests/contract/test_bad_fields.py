"""Whatever is wrong with a field, a request is refused as ONTAP would, and changes nothing.

Derived from the declarations: every field of every resource, in POST and in PATCH, its name dotted
and as an object in an object. POST and PATCH parse a value alike, so what PATCH takes that POST
takes too gets all bad values in POST, and one in PATCH.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import examples
import mistakes
import pytest
from examples import Body
from furnished_array import FurnishedArray, error, nested
from mistakes import Mistake

from sanstone.core import errors
from sanstone.core.resource import CREATE, MODIFY, Access, Node, Reference, Resource
from sanstone.resources import RESOURCES

OPERATIONS = [
    (resource, method, access)
    for resource in RESOURCES
    for method, access in (("POST", CREATE), ("PATCH", MODIFY))
    if method in resource.methods
]
FIELDS = [
    pytest.param(resource, method, access, node, id=f"{method}-{resource.path}-{node.name}")
    for resource, method, access in OPERATIONS
    for node in resource.fields
]
BODIES = [
    pytest.param(resource, method, id=f"{method}-{resource.path}")
    for resource, method, _ in OPERATIONS
]
DOTTED = [
    pytest.param(resource, method, node, name, id=f"{method}-{resource.path}-{node.name}")
    for resource, method, _ in OPERATIONS
    for node in resource.fields
    for name in [f"{node.name}.name" if isinstance(node, Reference) else node.name]
    if "." in name and not mistakes.inside_reference(node, resource)
]
REFERENCES = [
    pytest.param(resource, method, node, id=f"{method}-{resource.path}-{node.name}")
    for resource, method, access in OPERATIONS
    for node in resource.fields
    if isinstance(node, Reference) and node.access & access
]


def where(array: FurnishedArray, resource: Resource[Any], method: str) -> tuple[str, Body]:
    """Return the path of a request, and a body that would be taken."""
    if method == "POST":
        return array.collection(resource.path), examples.BY_PATH[resource.path].another
    return array.first(resource.path), {}


def refused(
    array: FurnishedArray,
    resource: Resource[Any],
    method: str,
    mistakes_made: Iterable[Mistake],
    also: str = "",
) -> None:
    """Assert that each mistake is refused, and the first with each name in both forms.

    Both forms are made one before anybody looks at a value. `also` is another code that will do.
    """
    path, body = where(array, resource, method)
    nested_names = set[str]()
    with array.unchanged():
        for mistake in mistakes_made:
            bad = mistake.made_in(body)
            forms = [bad]
            name = next(iter(mistake.given), "")
            if nested(mistake.given) != mistake.given and name not in nested_names:
                nested_names.add(name)
                forms.append(nested(bad))
            for form in forms:
                found = error(array.send(method, path, form))
                if found["code"] != also:
                    assert found["code"] == mistake.code, f"{mistake}: {found}"
                    assert found.get("target") == mistake.target, f"{mistake}: {found}"


@pytest.mark.parametrize(("resource", "method", "access", "node"), FIELDS)
def test_a_bad_value_is_refused(
    array: FurnishedArray, resource: Resource[Any], method: str, access: Access, node: Node
) -> None:
    item = examples.item_of(resource.path, node.name)
    also = errors.UNEXPECTED_ARGUMENT if mistakes.inside_reference(node, resource) else ""
    made = mistakes.of_node(node, access, item)
    has_all_in_post = method == "PATCH" and "POST" in resource.methods and node.access & CREATE
    refused(array, resource, method, islice(made, 1) if has_all_in_post else made, also)


@pytest.mark.parametrize(
    ("resource", "node"),
    [
        pytest.param(resource, node, id=f"{resource.path}-{node.name}")
        for resource, method, _ in OPERATIONS
        for node in resource.fields
        if method == "POST" and node.required
    ],
)
def test_a_required_field_that_is_missing_is_named(
    array: FurnishedArray, resource: Resource[Any], node: Node
) -> None:
    refused(array, resource, "POST", [mistakes.missing(node)])


@pytest.mark.parametrize(("resource", "method"), BODIES)
def test_an_unknown_field_is_refused(
    array: FurnishedArray, resource: Resource[Any], method: str
) -> None:
    refused(array, resource, method, mistakes.unknown(resource))


@pytest.mark.parametrize(("resource", "method", "node", "name"), DOTTED)
def test_a_field_that_is_given_twice_is_refused(
    array: FurnishedArray, resource: Resource[Any], method: str, node: Node, name: str
) -> None:
    path, body = where(array, resource, method)
    once = Mistake(node.name, {name: "x"}, "", "").made_in(body)
    with array.unchanged():
        found = error(array.send(method, path, nested(once) | {name: "x"}))
        assert (found["code"], found.get("target")) == (errors.GIVEN_TWICE, node.name)


@pytest.mark.parametrize(("resource", "method", "node"), REFERENCES)
def test_a_name_and_a_uuid_of_two_objects_are_refused(
    array: FurnishedArray, resource: Resource[Any], method: str, node: Reference
) -> None:
    kind = node.to.kind  # type: ignore[attr-defined]
    one, *others = array.records(kind)
    name, other = f"{node.name}.name", next(o for o in others if o["name"] != one["name"])
    given = {name: one["name"], f"{node.name}.uuid": other["uuid"]}
    refused(array, resource, method, [Mistake(node.name, given, node.mismatch_code, node.name)])
