"""Which fields an answer shows, and how a row becomes JSON.

`fields` as ONTAP defines it: absent or empty gives the keys, the names and what the query filters
on; a name takes its subtree; `*` everything but the costly, `**` everything; lists, repetition,
blanks, trailing commas and hyphens are tolerated. A single object without `fields` shows all that
is not costly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Owned
from sanstone.core.declaration.resource import (
    Field,
    Items,
    Node,
    Reader,
    Reference,
    References,
    Resource,
)


def split(texts: Sequence[str]) -> list[str]:
    """Return the names in the values of the `fields` parameter."""
    names = (name.strip() for text in texts for name in text.split(","))
    return [name.replace("-", "_") for name in names if name]


def chosen(
    resource: Resource[Any],
    requested: Sequence[str],
    also: Iterable[str],
    instance: bool,
    ignore_unknown: bool,
) -> list[Node]:
    """Return the nodes to show. `also` are names that filters or the order use."""
    if not requested and instance:
        requested = ["*"]
    shown = set(_always_shown(resource))
    for name in [*requested, *also]:
        matching = _named(resource, name)
        if not matching and not ignore_unknown:
            text = f'The value "{name}" is invalid for field "fields".'
            raise errors.invalid(text, "fields")
        shown |= matching
    return [
        n for n in resource.fields if n.name in shown and not (isinstance(n, Field) and n.secret)
    ]


@cache
def _always_shown(resource: Resource[Any]) -> frozenset[str]:
    """Return the names of the nodes that every answer shows."""
    return frozenset(n.name for n in resource.fields if _identifies(n, resource) or n.always)


@cache
def _ordinary(resource: Resource[Any]) -> frozenset[str]:
    """Return the names of the nodes that `*` stands for."""
    return frozenset(n.name for n in resource.fields if not n.costly)


def _named(resource: Resource[Any], name: str) -> frozenset[str]:
    """Return the names of the nodes that a name in `fields` stands for."""
    if name == "*":
        return _ordinary(resource)
    return frozenset(n.name for n in resource.fields if name == "**" or _covers(name, n))


def _identifies(node: Node, resource: Resource[Any]) -> bool:
    return node.name in ("name", "uuid") or any(
        key == node.name or (isinstance(node, Reference) and key.startswith(f"{node.name}."))
        for key in resource.keys
    )


def _covers(name: str, node: Node) -> bool:
    if name.endswith(".*"):
        name = name[:-2]
    names = (node.name, *node.leaves)
    return any(n == name or n.startswith(f"{name}.") for n in names)


def show(nodes: Sequence[Node], row: Any, reader: Reader, links: bool) -> dict[str, Any]:
    """Return a row as nested JSON; fields without a value are left out."""
    answer: dict[str, Any] = {}
    for node in nodes:
        if isinstance(node, Field):
            value = None if node.secret else node.read(row, reader)
        else:
            value = _shown(node, row, reader, links)
        if value is None:
            continue
        place = answer
        parents, last = node.place
        for parent in parents:
            place = place.setdefault(parent, {})
        if isinstance(value, dict) and isinstance(place.get(last), dict):
            place[last].update(value)
        else:
            place[last] = value
    return answer


def _shown(node: Reference | Items | References, row: Any, reader: Reader, links: bool) -> Any:
    if isinstance(node, Items):
        items = [show(node.fields, item, reader, links) for item in node.rows(row, reader)]
        return items if items or node.shown_empty else None
    if isinstance(node, References):
        return [_reference(target, links) for target in node.targets(row, reader)]
    target = node.target(row, reader)
    return None if target is None else _reference(target, links)


def _reference(target: Any, links: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        key: getattr(target, key) for key in ("name", "uuid") if hasattr(target, key)
    }
    if links and isinstance(target, Owned):
        shown["_links"] = {"self": {"href": f"/api/{target.kind}/{target.key}"}}
    return shown


def also_of(node: Node, leaf: str, row: Any, reader: Reader) -> list[Any]:
    """Return the texts that stand for a row's values of a leaf, where clients ask for these."""
    if isinstance(node, Field):
        return list(node.also(row, reader)) if node.also else []
    if not isinstance(node, Items):
        return []
    rest = leaf.removeprefix(f"{node.name}.")
    child = next(c for c in node.fields if rest in c.leaves)
    if not isinstance(child, Field) or not child.also:
        return []
    return [text for item in node.rows(row, reader) for text in also_of(child, rest, item, reader)]


def values_of(node: Node, leaf: str, row: Any, reader: Reader) -> list[Any]:
    """Return a row's values of a leaf as JSON shows them, which is what filters compare."""
    if isinstance(node, Field):
        value = node.read(row, reader)
        return value if isinstance(value, list) else [] if value is None else [value]
    if isinstance(node, Reference):
        target = node.target(row, reader)
        return [] if target is None else [getattr(target, leaf.rpartition(".")[2])]
    if isinstance(node, References):
        return [getattr(t, leaf.rpartition(".")[2]) for t in node.targets(row, reader)]
    rest = leaf.removeprefix(f"{node.name}.")
    child = next(c for c in node.fields if rest in c.leaves)
    return [v for item in node.rows(row, reader) for v in values_of(child, rest, item, reader)]
