"""The mistakes that one field of a request can have, derived from its declaration.

A `Mistake` changes an otherwise valid body: fields that begin with `drop` are left out, those in
`values` are put in. The refusal must have `code` and `target`. Where a value stands inside a
reference (`lun.node.name` beside the reference `lun`), the nested form names a part that the
reference has not got: another kind of mistake, but a mistake all the same.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sanstone.core import errors
from sanstone.core.declaration.resource import (
    Access,
    Field,
    Items,
    Node,
    Reference,
    References,
    Resource,
)

NOT_SETTABLE = "262196"
NOBODY = str(uuid.UUID(int=1))
NOT_TEXT: tuple[Any, ...] = (7, True, [1])
NOT_LISTS: tuple[Any, ...] = ({"a": 1}, 7, True, "text")


@dataclass(frozen=True)
class Mistake:
    """One mistake in a body, and the code and target of its refusal."""

    drop: str
    values: dict[str, Any]
    code: str
    target: str

    def applied_to(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a dotted body with the mistake in it."""
        unchanged = {
            name: value
            for name, value in body.items()
            if name != self.drop and not name.startswith(f"{self.drop}.")
        }
        return unchanged | self.values

    def __str__(self) -> str:
        return " ".join(f"{name}={str(value)[:40]!r}" for name, value in self.values.items())


def of_node(node: Node, access: Access, item: dict[str, Any]) -> Iterator[Mistake]:
    """Yield the mistakes of a field in POST (CREATE) or PATCH (MODIFY).

    `item` is a valid entry of the list that the field may be.
    """
    if not node.access & access:
        # It is refused before anybody looks at its value.
        yield Mistake(node.name, {node.name: "x"}, NOT_SETTABLE, node.name)
    elif isinstance(node, Field):
        for value in node.type.bad:
            yield _wrong(node, value)
    elif isinstance(node, Reference):
        yield from _of_reference(node)
    elif isinstance(node, References):
        yield from _of_list(node.name, node.maximum, [NOBODY])
        for entry, code in (
            *((v, errors.BAD_VALUE) for v in NOT_TEXT),
            (NOBODY, node.unknown_code),
        ):
            yield Mistake(node.name, {node.name: [entry]}, code, node.name)
        yield Mistake(
            node.name,
            {node.name: [{"no_such": "x"}]},
            errors.UNEXPECTED_ARGUMENT,
            f"{node.name}.no_such",
        )
    else:
        yield from _of_items(node, access, item)


def _wrong(field: Field, value: Any) -> Mistake:
    code = field.code(value) if callable(field.code) else field.code
    return Mistake(field.name, {field.name: value}, code, field.name)


def _of_reference(node: Reference) -> Iterator[Mistake]:
    name = node.name
    for value in NOT_TEXT:
        yield Mistake(name, {name: value}, errors.BAD_VALUE, name)
        yield Mistake(name, {f"{name}.name": value}, errors.BAD_VALUE, f"{name}.name")
        yield Mistake(name, {f"{name}.uuid": value}, errors.BAD_VALUE, f"{name}.uuid")
    for value in {"", "a\nb"} - set(node.none):
        yield Mistake(name, {f"{name}.name": value}, errors.BAD_VALUE, f"{name}.name")
    yield Mistake(name, {f"{name}.name": "no_such_object"}, node.unknown_code, name)
    yield Mistake(name, {name: "no_such_object"}, node.unknown_code, name)
    yield Mistake(name, {f"{name}.uuid": NOBODY}, node.unknown_code, name)
    yield Mistake(name, {f"{name}.uuid": "no-uuid"}, node.unknown_code, name)
    yield Mistake(name, {f"{name}.no_such": "x"}, errors.UNEXPECTED_ARGUMENT, f"{name}.no_such")


def _of_list(name: str, maximum: int, entries: list[Any]) -> Iterator[Mistake]:
    for value in NOT_LISTS:
        yield Mistake(name, {name: value}, errors.BAD_VALUE, name)
    yield Mistake(name, {name: entries * (maximum + 1)}, errors.BAD_VALUE, name)


def _of_items(node: Items, access: Access, item: dict[str, Any]) -> Iterator[Mistake]:
    name = node.name
    yield from _of_list(name, node.maximum, ["x"])
    for value in (7, [1], True):
        yield Mistake(name, {name: [value]}, errors.INVALID, name)
    yield Mistake(name, {name: [{"no_such": 1}]}, errors.UNEXPECTED_ARGUMENT, f"{name}.no_such")
    for child in node.fields:
        if child.required:
            without = {n: v for n, v in item.items() if n != child.name}
            target = f"{name}.{child.name}"
            code = errors.INVALID if isinstance(child, Items) else child.missing_code
            yield Mistake(name, {name: [without]}, code, target)
        inner = item.get(child.name)
        for mistake in of_node(child, access, inner[0] if isinstance(inner, list) else {}):
            entry = mistake.applied_to(item)
            yield Mistake(name, {name: [entry]}, mistake.code, f"{name}.{mistake.target}")


def missing(node: Node) -> Mistake:
    """Return the mistake of not giving a required field."""
    code = node.missing_code if isinstance(node, Field | Reference) else errors.INVALID
    return Mistake(node.name, {}, code, node.name)


def unknown(resource: Resource[Any]) -> Iterator[Mistake]:
    """Return fields that there are not: at the top, and in each object of the body."""
    dotted = (n.name for n in resource.fields if not inside_reference(n, resource))
    parents = sorted({n[:end] for n in dotted for end in range(len(n)) if n[end] == "."})
    for name in ("no_such", *(f"{parent}.no_such" for parent in parents)):
        yield Mistake(name, {name: 1}, errors.UNEXPECTED_ARGUMENT, name)


def inside_reference(node: Node, resource: Resource[Any]) -> bool:
    """Return whether a field that looks like a part of a reference is declared beside it."""
    references = (n.name for n in resource.fields if isinstance(n, Reference))
    return any(node.name.startswith(f"{name}.") for name in references)
