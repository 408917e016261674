"""A list is in the same order whether SQLite sorts it or Python does."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from examples import BY_PATH as BY_EXAMPLE
from furnished_array import FurnishedArray
from representatives import first_of_each, shape

from sanstone.core.declaration import query
from sanstone.core.declaration.expressions import expression
from sanstone.core.declaration.resource import Resource
from sanstone.resources.declared import RESOURCES

BY_PATH = {resource.path: resource for resource in RESOURCES}
SORTED = {
    resource.path: orderings
    for resource in RESOURCES
    if type(resource).rows is Resource.rows and not resource.single
    if (
        orderings := [
            leaf
            for node in resource.fields
            for leaf in node.leaves
            if expression(resource.model, node, leaf) is not None
        ]
    )
}
"""The fields by which SQLite sorts, by the path of their resource."""


def value_of(place: tuple[str, str]) -> Hashable:
    """Return SQLite's source of a field: the owner of the value, and its type."""
    path, leaf = place
    node = next(node for node in BY_PATH[path].fields if leaf in node.leaves)
    return shape(node), type(node.get), leaf.count(".") - node.name.count(".")


LONGEST = sorted(SORTED, key=lambda path: -len(BY_EXAMPLE[path].objects))
PAGED = first_of_each(((path, leaf) for path in LONGEST for leaf in SORTED[path]), value_of)
"""Of these one of each kind, since pages, and lists downwards, go on by its value."""
USUAL = {
    "storage/luns": {
        *(
            "name",
            "space.size",
            "space.used",
            "create_time",
            "svm.name",
            "comment",
            "enabled",
        ),
        *("location.volume.name", "location.logical_unit", "os_type", "serial_number"),
        "qos_policy.name",
    },
    "storage/namespaces": {
        *("name", "space.size", "space.used", "create_time", "svm.name", "os_type"),
        *("location.volume.name", "location.namespace"),
    },
    "storage/volumes": {
        *(
            "name",
            "size",
            "space.size",
            "create_time",
            "svm.name",
            "aggregates.name",
            "state",
        ),
    },
    "storage/aggregates": {"name", "create_time"},
    "protocols/san/igroups": {
        "name",
        "svm.name",
        "os_type",
        "protocol",
        "portset.name",
    },
}
"""The common orders of lists that may be long."""


@pytest.mark.parametrize("path", USUAL)
def test_long_lists_are_sorted_by_sqlite(path: str) -> None:
    assert USUAL[path] - set(SORTED[path]) == set()


@pytest.mark.parametrize("path", SORTED)
def test_both_sort_alike(array: FurnishedArray, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = array.collection(path)
    down = (f"{leaf} desc" for of, leaf in PAGED if of == path)
    orders = [*SORTED[path], *down]
    by_sqlite = {order: listed(array, place, order) for order in orders}
    monkeypatch.setattr(query, "expression", lambda *_: None)
    unlike = [order for order in orders if by_sqlite[order] != listed(array, place, order)]
    assert not unlike


@pytest.mark.parametrize(("path", "leaf"), PAGED)
def test_pages_join_to_the_whole(array: FurnishedArray, path: str, leaf: str) -> None:
    place = array.collection(path)
    for direction in ("", " desc"):
        whole = listed(array, place, leaf + direction)
        assert paged(array, place, leaf + direction, len(whole)) == whole, leaf + direction


def listed(array: FurnishedArray, place: str, order: str) -> list[str]:
    """Return the paths of a collection's objects in an order."""
    return paths(array.simulator.get(f"{place}?order_by={order}"))


def paged(array: FurnishedArray, place: str, order: str, number: int) -> list[str]:
    """Return the paths of a collection's `number` objects, read in some five pages."""
    collected: list[str] = []
    following = f"{place}?order_by={order}&max_records={max(1, number // 5)}"
    while following and len(collected) <= number:
        page = array.simulator.get(following)
        collected += paths(page)
        href = page["_links"].get("next", {}).get("href", "")
        following = href.removeprefix("/api/")
    return collected


def paths(answer: dict[str, Any]) -> list[str]:
    """Return the paths of the objects in an answer."""
    return [record["_links"]["self"]["href"] for record in answer["records"]]
