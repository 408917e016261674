"""Which resources stand for all where the code that answers knows nothing but their kind."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from sanstone.core.declaration.resource import CREATE, MODIFY, Field, Items, Node, Resource
from sanstone.resources.declared import RESOURCES

Each = TypeVar("Each")


def first_of_each(many: Iterable[Each], kind: Callable[[Each], Hashable]) -> list[Each]:
    """Return the first of each kind."""
    return list({kind(one): one for one in reversed(list(many))}.values())[::-1]


def kind(resource: Resource[Any]) -> Hashable:
    """Return the facts by which routes and lists of resources differ."""
    computed = type(resource).rows is not Resource.rows
    return resource.single, "{" in resource.path, computed, resource.methods


def shape(node: Node) -> type:
    """Return the class of a field's type, or the kind of a node without a type."""
    return type(node.type if isinstance(node, Field) else node)


def bodies(resource: Resource[Any]) -> set[Hashable]:
    """Return which types of fields the bodies of requests hold, and which are in lists."""
    return {
        (shape(child), child is not node)
        for node in resource.fields
        for child in (node, *(node.fields if isinstance(node, Items) else ()))
        if node.access & (CREATE | MODIFY)
    }


def of_most_bodies() -> list[Resource[Any]]:
    """Return few resources that have most types of fields between them.

    Each that is taken has two at least that those before it have not.
    """
    chosen: list[Resource[Any]] = []
    missing = set().union(*map(bodies, RESOURCES))
    while True:
        best = max(RESOURCES, key=lambda resource: len(bodies(resource) & missing))
        if len(bodies(best) & missing) < 2:
            return chosen
        chosen.append(best)
        missing -= bodies(best)


OF_EACH_KIND = first_of_each(RESOURCES, kind)
OF_MOST_BODIES = of_most_bodies()
