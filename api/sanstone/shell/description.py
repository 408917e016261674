"""The array's description of its resources (`core.declaration.description`), as flat leaves.

A *leaf* is one value under a dotted name: a field, the name or the UUID of a reference, or a value
within the entries of a list. Commands have a parameter and a column for each leaf.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

Data = dict[str, Any]


@dataclass(frozen=True)
class Leaf:
    """One value. `field` is its name in answers and filters, `body` its name in requests.

    `to` is the path of the resource that it names objects of; `many` marks a list; `secret` values
    are never shown; `costly` ones only on request. For a list of objects, `body` is the list,
    `entry` the name within each object, and `listed` marks an entry that is a list itself.
    """

    field: str
    kind: str
    doc: str
    body: str
    create: bool = False
    modify: bool = False
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    to: str = ""
    many: bool = False
    secret: bool = False
    costly: bool = False
    entry: str = ""
    listed: bool = False


@dataclass(frozen=True)
class ResourceData:
    """One resource. `keys` are the leaves that form the paths of its objects.

    Of a `confirmable` one, changes may be conditional on a confirmation.
    """

    path: str
    doc: str
    methods: frozenset[str]
    keys: tuple[str, ...]
    single: bool
    confirmable: bool
    data: Data

    @cached_property
    def leaves(self) -> dict[str, Leaf]:
        """Return the leaves by name, in the order of declaration."""
        return {leaf.field: leaf for node in self.data["fields"] for leaf in _leaves(node)}

    @cached_property
    def options(self) -> dict[str, Leaf]:
        """Return the options, which modify a request without being fields."""
        return {leaf.field: leaf for node in self.data.get("options", ()) for leaf in _leaves(node)}

    @cached_property
    def answer(self) -> dict[str, Leaf]:
        """Return the leaves of an action's answer."""
        return {leaf.field: leaf for node in self.data.get("answer", ()) for leaf in _leaves(node)}

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Return the keys of the parent in the path of a resource below another's objects."""
        return tuple(re.findall(r"{([^}]*)}", self.path))

    @property
    def own_keys(self) -> tuple[str, ...]:
        """Return the keys that follow the collection's path."""
        return tuple(key for key in self.keys if key not in self.placeholders)


def read(description: Data) -> dict[str, ResourceData]:
    """Return the resources by path."""
    return {
        data["path"]: ResourceData(
            path=data["path"],
            doc=data["doc"],
            methods=frozenset(data["methods"]),
            keys=tuple(data.get("keys", ())),
            single=data.get("single", False),
            confirmable=data.get("confirmable", False),
            data=data,
        )
        for data in description["resources"]
    }


def _leaves(node: Data) -> Iterable[Leaf]:
    name, kind = node["name"], node["kind"]
    leaf = Leaf(
        field=name,
        kind=kind,
        doc=node["doc"],
        body=name,
        create=node.get("create", False),
        modify=node.get("modify", False),
        required=node.get("required", False),
        default=node.get("default"),
        choices=tuple(node.get("choices", ())),
        to=node.get("to", ""),
        many=kind == "references" or node.get("list", False),
        secret=node.get("secret", False),
        costly=node.get("costly", False),
    )
    if kind in ("reference", "references"):
        named = replace(leaf, field=f"{name}.name", kind="name")
        if kind == "reference":
            named = replace(named, body=named.field)
        yield named
        yield replace(
            leaf,
            field=f"{name}.uuid",
            kind="uuid",
            body=f"{name}.uuid",
            required=False,
            create=leaf.create and kind == "reference",
            modify=leaf.modify and kind == "reference",
        )
    elif kind == "items":
        for child in node["items"]:
            for part in _leaves(child):
                yield _of_list(leaf, part)
    else:
        yield leaf


def _of_list(entries: Leaf, part: Leaf) -> Leaf:
    """Return a leaf within the entries of a list."""
    return replace(
        part,
        field=f"{entries.field}.{part.field}",
        body=entries.body,
        # A list in an entry is set by its fields' names, each with a list of values.
        entry=part.field if part.entry else part.body,
        listed=part.many,
        create=entries.create and part.create,
        modify=entries.modify and part.modify,
        required=entries.required and part.required,
        many=True,
        costly=entries.costly or part.costly,
    )
