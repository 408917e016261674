"""Parse a request's body into the values that a resource's hooks expect.

Clients nest objects, dot their keys, or mix both, also into lists, where `"aggregates.name":
[a, b]` is `[{name: a}, {name: b}]`; they send a bare name in place of an object, and empty objects
without meaning. `parse` accepts all that, refuses fields that are unknown, repeated, of the wrong
type or not settable, and resolves every reference. The result maps field names to parsed values,
references to rows, and lists to such maps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from marshmallow import ValidationError
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.declaration.resource import Access, Field, Items, Node, Reference, References

_NOT_SETTABLE = "262196"
BARE = ("name", "address")
"""Fields that a bare text in place of their object sets."""
_REFERENCE_KEYS = ("name", "uuid")
DEEPEST = 8
"""Levels of objects in an entry of a list: more than any has."""
Collecting = Callable[[], AbstractContextManager[None]]
"""Makes contexts that may keep an ApiError, so that the next field is looked at too."""


def parse(
    session: Session,
    nodes: Iterable[Node],
    body: Any,
    access: Access,
    implied: dict[str, Any] | None = None,
    *,
    whole: bool = False,
    collecting: Collecting = nullcontext,
) -> dict[str, Any]:
    """Parse the values of a body. Raises ApiError.

    `implied` are values that the path or a header implies; a body may repeat but not contradict
    them. A `whole` object, such as an entry of a list, needs its required fields and gets defaults
    even in PATCH. Each field is parsed within a context of `collecting`; a field with an error that
    this keeps is left out.
    """
    if not isinstance(body, dict):
        raise errors.invalid("The body must be a JSON object.", code=errors.INVALID)
    by_name = {node.name: node for node in nodes}
    flat: dict[str, Any] = {}
    _flatten(body, "", by_name, flat, collecting)
    values: dict[str, Any] = dict(implied or {})
    completes = whole or bool(access & Access.CREATE)
    # References are resolved in the order of declaration, since one may narrow the search for
    # another.
    for name, node in by_name.items():
        if name in flat:
            with collecting():
                values[name] = _settable(session, node, flat[name], values, access)
        elif completes and name not in values and node.access & access:
            with collecting():
                _fill_in(node, values)
    return values


def divide(
    body: dict[str, Any], names: Collection[str], prefix: str = ""
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Divide a body into the values of `names`, which are dotted, and the rest of it.

    Raises ApiError for a name that is given both nested and dotted.
    """
    named: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, value in body.items():
        name = f"{prefix}{key}".replace("-", "_")
        values: dict[str, Any] = {}
        if name in names:
            values = {} if value is None else {name: value}
        elif isinstance(value, str) and (leaf := _bare_leaf(name, names)):
            values = {leaf: value}
        elif isinstance(value, dict) and any(each.startswith(f"{name}.") for each in names):
            values, remainder = divide(value, names, f"{name}.")
            if remainder:
                rest[key] = remainder
        else:
            rest[key] = value
        for twice in values.keys() & named.keys():
            raise duplicate(twice)
        named |= values
    return named, rest


def _settable(
    session: Session, node: Node, raw: Any, values: dict[str, Any], access: Access
) -> Any:
    """Return the value of a field in a body. Raises ApiError when it cannot be set, or not so."""
    name = node.name
    if not node.access & access:
        text = f'Field "{name}" cannot be set in this operation.'
        raise errors.invalid(text, name, _NOT_SETTABLE, (name,))
    value = _value(session, node, raw, values, access)
    if isinstance(node, Reference) and values.get(name, value) is not value:
        text = f"{name} is another one than the request is about."
        raise errors.invalid(text, name, node.mismatch_code)
    return value


def _fill_in(node: Node, values: dict[str, Any]) -> None:
    """Add a field's default. Raises ApiError for a required field."""
    if node.required:
        code = node.missing_code if isinstance(node, Field | Reference) else errors.INVALID
        raise errors.missing(node.name, code)
    if isinstance(node, Field) and node.default is not None:
        values[node.name] = node.default


def _flatten(
    body: dict[Any, Any],
    prefix: str,
    nodes: dict[str, Node],
    flat: dict[str, Any],
    collecting: Collecting,
) -> None:
    for key, value in body.items():
        name = f"{prefix}{key}".replace("-", "_") if isinstance(key, str) else str(key)
        if key == "_links" or (value is None and not _can_be_none(nodes.get(name))):
            continue
        parent, _, last = name.rpartition(".")
        with collecting():
            listed = _list_of(name, nodes)
            if listed and (_is_columns(value) if name in nodes else _is_column(value)):
                _put_columns(flat, listed, name, value)
            elif name in nodes:
                _put(flat, name, value, nodes[name])
            elif isinstance(nodes.get(parent), Reference) and last in _REFERENCE_KEYS:
                _put(flat, parent, {last: value}, nodes[parent])
            elif isinstance(value, dict) and any(n.startswith(f"{name}.") for n in nodes):
                _flatten(value, f"{name}.", nodes, flat, collecting)
            elif isinstance(value, str) and (leaf := _bare_leaf(name, nodes)):
                _put(flat, leaf, value, nodes[leaf])
            else:
                raise errors.unexpected(name)


class _Columns(dict[str, list[Any]]):
    """The entries of a list by the names of their fields, each with its values in all entries."""

    def entries(self, name: str) -> list[dict[str, Any]]:
        """Return the entries. Raises ApiError where one field has more values than another."""
        lengths = {len(column) for column in self.values()}
        if len(lengths) > 1:
            text = f'The fields of "{name}" must have the same number of values each.'
            raise errors.invalid(text, name)
        return [dict(zip(self, values, strict=True)) for values in zip(*self.values(), strict=True)]


def _list_of(name: str, nodes: dict[str, Node]) -> Items | References | None:
    """Return the list that a name is of, or leads into."""
    lists = (node for node in nodes.values() if isinstance(node, Items | References))
    return next((node for node in lists if f"{name}.".startswith(f"{node.name}.")), None)


def _is_columns(value: Any, levels: int = DEEPEST) -> bool:
    """Return whether a value is an object that has a list at each of its ends."""
    parts = value.values() if isinstance(value, dict) and levels else ()
    return bool(parts) and all(_is_column(part, levels - 1) for part in parts)


def _is_column(value: Any, levels: int = DEEPEST) -> bool:
    return isinstance(value, list) or _is_columns(value, levels)


def _put_columns(flat: dict[str, Any], node: Items | References, name: str, value: Any) -> None:
    """Add the values of fields in the entries of a list. Raises ApiError."""
    if isinstance(value, dict):
        for key, part in value.items():
            _put_columns(flat, node, f"{name}.{key}".replace("-", "_"), part)
        return
    children = node.fields if isinstance(node, Items) else ()
    if name not in (*node.leaves, *(f"{node.name}.{child.name}" for child in children)):
        raise errors.unexpected(name)
    columns, leaf = flat.setdefault(node.name, _Columns()), name.removeprefix(f"{node.name}.")
    if not isinstance(columns, _Columns) or leaf in columns:
        raise duplicate(name)
    columns[leaf] = value


def _can_be_none(node: Node | None) -> bool:
    return isinstance(node, Reference) and bool(node.none)


def _bare_leaf(name: str, names: Collection[str]) -> str:
    """Return the field that a bare text in place of an object sets, '' for none."""
    leaves = (f"{name}.{last}" for last in BARE)
    return next((leaf for leaf in leaves if leaf in names), "")


def _put(flat: dict[str, Any], name: str, value: Any, node: Node) -> None:
    if isinstance(node, Reference):
        if value is not None:
            value = _as_reference(name, value)
            if not value:
                return
        if flat.get(name) and value and not flat[name].keys() & value.keys():
            value = {**flat.pop(name), **value}
    elif isinstance(value, dict) and not value:
        return
    if name in flat:
        raise duplicate(name)
    flat[name] = value


def duplicate(name: str) -> errors.ApiError:
    """Return the error for a field that is given in two ways (400)."""
    return errors.invalid(f'Field "{name}" is given twice.', name, errors.GIVEN_TWICE)


def _value(session: Session, node: Node, raw: Any, values: dict[str, Any], access: Access) -> Any:
    if isinstance(node, Field):
        return checked(node, raw)
    if isinstance(node, Reference):
        return None if raw is None else _referenced_row(session, node, raw, values)
    if isinstance(raw, _Columns):
        raw = raw.entries(node.name)
    if not isinstance(raw, list):
        raise errors.invalid(f'Field "{node.name}" must be a list.', node.name)
    if len(raw) > node.maximum:
        text = f'Field "{node.name}" takes at most {node.maximum} entries.'
        raise errors.invalid(text, node.name)
    if isinstance(node, References):
        return [
            _referenced_row(session, node.one, _as_reference(node.name, i), values) for i in raw
        ]
    return [_item(session, node, item, values, access) for item in raw]


def _referenced_row(
    session: Session, node: Reference, raw: dict[str, Any], values: dict[str, Any]
) -> Any:
    if raw and all(text in node.none for text in raw.values()):
        return None
    for key, text in raw.items():
        name = f"{node.name}.{key}"
        if key not in _REFERENCE_KEYS:
            raise errors.unexpected(name)
        if not isinstance(text, str) or not text or not text.isprintable():
            raise errors.invalid(f"{name} must be text.", name)
    return node.find(session, raw, values)


def _as_reference(name: str, value: Any) -> dict[str, Any]:
    reference = {"name": value} if isinstance(value, str) else value
    if not isinstance(reference, dict):
        raise errors.invalid(f'Field "{name}" must name an object.', name)
    return {key: part for key, part in reference.items() if part is not None and key != "_links"}


def _item(
    session: Session, node: Items, item: Any, values: dict[str, Any], access: Access
) -> dict[str, Any]:
    body = {node.bare: item} if isinstance(item, str) else item
    context = {name: value for name, value in values.items() if name == "svm"}
    try:
        parsed = parse(session, node.fields, body, access, dict(context), whole=True)
    except errors.ApiError as error:
        target = f"{node.name}.{error.target}" if error.target else node.name
        raise errors.ApiError(
            error.status, error.code, error.message, target, arguments=error.arguments
        ) from error
    declared = {child.name for child in node.fields}
    return {name: value for name, value in parsed.items() if name in declared}


def checked(field: Field, raw: Any) -> Any:
    """Parse a raw value by the field's type. Raises ApiError with the field's code."""
    try:
        return field.type.parse(raw)
    except ValidationError as error:
        texts = error.messages if isinstance(error.messages, list) else [str(error.messages)]
        why = " ".join(map(str, texts))
        text = f'Invalid value for field "{field.name}": {why}'
        code = field.code(raw) if callable(field.code) else field.code
        raise errors.invalid(text, field.name, code, (field.name, why)) from error
