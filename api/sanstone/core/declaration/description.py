"""The declarations as plain data, for clients that are generated from them.

The shell reads this instead of importing the resources: importing them all with SQLAlchemy takes
half a second (several under emulation), and a client that asks the array gets the fields of that
array's release, wherever it runs. The OpenAPI description tells tools the same at ten times the
size, but lacks what a shell needs (the resource that a reference names, the fields that are costly
to show). False and empty entries are left out, but for a resource's fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sanstone.core.declaration import host_types, types
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    Field,
    Items,
    Node,
    Reference,
    Resource,
)


def describe(resources: Iterable[Resource[Any]]) -> dict[str, Any]:
    """Return the description of resources, in their order."""
    return {"resources": [_resource(resource) for resource in resources]}


def _resource(resource: Resource[Any]) -> dict[str, Any]:
    return _lean(
        path=resource.path,
        doc=resource.doc,
        methods=sorted(resource.methods),
        keys=list(resource.keys),
        single=resource.single,
        confirmable=resource.confirmable,
        options=[_node(option) for option in resource.options],
        answer=[_node(field) for field in resource.answer],
    ) | {"fields": [_node(node) for node in resource.fields]}


def _node(node: Node) -> dict[str, Any]:
    common = {
        "name": node.name,
        "doc": node.doc,
        "create": bool(node.access & CREATE),
        "modify": bool(node.access & MODIFY),
        "required": node.required,
        "costly": node.costly,
    }
    if isinstance(node, Field):
        choices = list(getattr(node.type, "choices", ()))
        default = node.default if node.default != "" else None
        several = node.type.schema.get("type") == "array"
        extra = {"kind": _kind(node.type), "choices": choices, "default": default, "list": several}
        return _lean(**common, **extra, secret=node.secret)
    if isinstance(node, Items):
        items = [_node(child) for child in node.fields]
        return _lean(**common, kind="items", bare=node.bare, items=items)
    # An observation may refer to a table without a collection of its own.
    kind = "reference" if isinstance(node, Reference) else "references"
    return _lean(**common, kind=kind, to=getattr(node.to, "kind", None))


def _kind(kind: types.Type) -> str:
    """Return the name of the nearest type of those in `core`, such as `ip_address`.

    For a list it is the type of its entries, where its type or schema declares one.
    """
    if isinstance(kind, types.ListOf):
        return _kind(kind.entry)
    if kind.schema.get("items", {}).get("type") == "integer":
        return "integer"
    modules = {types.__name__, host_types.__name__}
    name = next(c.__name__ for c in type(kind).__mro__ if c.__module__ in modules)
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _lean(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, False, [], "")}
