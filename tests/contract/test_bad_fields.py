"""A request with any mistake in a field is refused as by ONTAP, and changes nothing.

Derived from the declarations: every field of every resource, in POST and in PATCH, its name dotted
and as an object in an object. The parser of bodies tries each mistake. Requests are sent with the
first field of each shape: the routes only hand on the parser's result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import examples
import mistakes
import pytest
from examples import Body
from furnished_array import FurnishedArray, error, nested
from mistakes import Mistake
from parsing import parser
from representatives import first_of_each, shape

from sanstone.core import errors
from sanstone.core.declaration.resource import CREATE, MODIFY, Access, Node, Reference, Resource
from sanstone.resources.declared import RESOURCES

OPERATIONS = [
    pytest.param(resource, method, access, id=f"{method}-{resource.path}")
    for resource in RESOURCES
    for method, access in (("POST", CREATE), ("PATCH", MODIFY))
    if method in resource.methods
]
EACH = pytest.mark.parametrize(("resource", "method", "access"), OPERATIONS)


def where(array: FurnishedArray, resource: Resource[Any], method: str) -> tuple[str, Body]:
    """Return the path of a request, and a body that would be taken."""
    if method == "POST":
        return array.collection(resource.path), examples.BY_PATH[resource.path].another
    return array.first(resource.path), {}


def of_node(resource: Resource[Any], access: Access, node: Node) -> Iterator[Mistake]:
    """Yield the mistakes of a field of a resource."""
    return mistakes.of_node(node, access, examples.item_of(resource.path, node.name))


def twice(resource: Resource[Any], node: Node, body: Body) -> Iterator[Body]:
    """Return a body with a field in both forms, if it has two."""
    name = f"{node.name}.name" if isinstance(node, Reference) else node.name
    if "." in name and not mistakes.inside_reference(node, resource):
        once = Mistake(node.name, {name: "x"}, "", "").applied_to(body)
        yield nested(once) | {name: "x"}


def of_two(array: FurnishedArray, node: Reference) -> Mistake:
    """Return the mistake of naming one object and giving the UUID of another."""
    one, *others = array.records(node.to.kind)  # type: ignore[attr-defined]
    name, other = f"{node.name}.name", next(o for o in others if o["name"] != one["name"])
    reference = {name: one["name"], f"{node.name}.uuid": other["uuid"]}
    return Mistake(node.name, reference, node.mismatch_code, node.name)


def forms(every_mistake: Iterable[Mistake], body: Body) -> Iterator[tuple[Mistake, Body]]:
    """Return bodies with the mistakes, those with dotted names as objects in objects too."""
    for mistake in every_mistake:
        bad = mistake.applied_to(body)
        yield mistake, bad
        if nested(mistake.values) != mistake.values:
            yield mistake, nested(bad)


@EACH
def test_a_bad_value_is_refused(
    array: FurnishedArray, resource: Resource[Any], method: str, access: Access
) -> None:
    path, body = where(array, resource, method)
    with parser(array, resource, method, path) as error_of:
        assert error_of(body) is None
        assert error_of(nested(body)) is None
        for node in resource.fields:
            inside = mistakes.inside_reference(node, resource)
            for mistake, bad in forms(of_node(resource, access, node), body):
                refusal = error_of(bad)
                assert refusal, f"{mistake} is taken"
                if not (inside and refusal.code == errors.UNEXPECTED_ARGUMENT):
                    outcome = (refusal.status // 100, refusal.code, refusal.target)
                    assert outcome == (4, mistake.code, mistake.target), f"{mistake}: {refusal}"


@EACH
def test_missing_unknown_and_repeated_fields_are_named(
    array: FurnishedArray, resource: Resource[Any], method: str, access: Access
) -> None:
    path, body = where(array, resource, method)
    wrong = list(mistakes.unknown(resource))
    for node in resource.fields:
        if method == "POST" and node.required:
            wrong.append(mistakes.missing(node))
        if isinstance(node, Reference) and node.access & access:
            wrong.append(of_two(array, node))
    with parser(array, resource, method, path) as error_of:
        for mistake, bad in forms(wrong, body):
            refusal = error_of(bad)
            assert refusal, f"{mistake} is taken"
            assert (refusal.code, refusal.target) == (mistake.code, mistake.target), mistake
        for node in resource.fields:
            for bad in twice(resource, node, body):
                refusal = error_of(bad)
                assert refusal, f"{node.name} is taken twice"
                assert (refusal.code, refusal.target) == (errors.GIVEN_TWICE, node.name)


@EACH
def test_a_request_with_a_bad_value_is_refused_and_changes_nothing(
    array: FurnishedArray, resource: Resource[Any], method: str, access: Access
) -> None:
    path, body = where(array, resource, method)
    fields = [n for n in resource.fields if not mistakes.inside_reference(n, resource)]
    settable = first_of_each((node for node in fields if node.access & access), shape)
    wrong = [next(of_node(resource, access, node)) for node in settable]
    with array.unchanged():
        for mistake in (*wrong, next(mistakes.unknown(resource))):
            refusal = error(array.send(method, path, mistake.applied_to(body)))
            assert refusal["code"] == mistake.code, f"{mistake}: {refusal}"
            assert refusal.get("target") == mistake.target, f"{mistake}: {refusal}"
