"""Fields with the same value on every array, as a table in the API's description.

ONTAP's clients read or send them, but here they can only have one value, because the array lacks
the feature. A request for another value is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from sanstone.core.declaration.resource import Constant, Field, Items, Node, Resource

HEAD = "| resource | field | always | what it is |\n| --- | --- | --- | --- |\n"


def table(resources: Iterable[Resource[Any]]) -> str:
    """Return the table in Markdown."""
    rows = (
        f"| `/{resource.path}` | `{name}` | {_shown(value)} | {doc} |\n"
        for resource in resources
        for name, value, doc in _constants(resource.fields)
    )
    return HEAD + "".join(rows)


def _constants(nodes: Iterable[Node], prefix: str = "") -> Iterator[tuple[str, Any, str]]:
    """Yield name, value and description of each field with only one value."""
    for node in nodes:
        if isinstance(node, Field | Items) and isinstance(node.get, Constant):
            yield prefix + node.name, node.get.value, node.doc
        elif isinstance(node, Items):
            yield from _constants(node.fields, f"{prefix}{node.name}.")


def _shown(value: Any) -> str:
    return "absent" if value is None or value == () else f"`{json.dumps(value)}`"
