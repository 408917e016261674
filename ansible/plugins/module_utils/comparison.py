# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""Whether the array's values are those of a task.

Values that are equal here are equal. Others may only be spelled differently (`255.255.255.0` and
`24`, a duration, the case of a word): the array knows that, and a dry run asks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ansible.module_utils.common.text.formatters import human_to_bytes

NAMES = ("name", "address")
"""Fields that stand for their object."""


def flat(nested: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the values that a task gave by the dotted names of their fields.

    Options that it left out are None, in the entries of lists too.
    """
    values: dict[str, Any] = {}
    for name, value in nested.items():
        if isinstance(value, Mapping):
            values |= flat(value, f"{prefix}{name}.")
        elif value is not None:
            values[prefix + name] = given(value)
    return values


def given(value: Any) -> Any:
    """Return a value without what a task left out of it."""
    if isinstance(value, Mapping):
        return {name: given(part) for name, part in value.items() if part is not None}
    if isinstance(value, list):
        return [given(entry) for entry in value]
    return value


def at(record: Mapping[str, Any], name: str) -> Any:
    """Return a record's value of a dotted name, None where it has none."""
    value: Any = record
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def same(wanted: Any, shown: Any) -> bool:
    """Return whether a value that the array shows is one that a task gives."""
    if isinstance(wanted, Mapping):
        return all(same(part, at({"": shown}, f".{name}")) for name, part in wanted.items())
    if isinstance(wanted, list):
        return _same_list(wanted, shown if isinstance(shown, list) else [])
    if isinstance(shown, Mapping):
        return any(same(wanted, shown[name]) for name in NAMES if name in shown)
    if isinstance(wanted, str) and isinstance(shown, int) and not isinstance(shown, bool):
        return _is_size(wanted, shown)
    return bool(wanted == shown)


def _same_list(wanted: list[Any], shown: list[Any]) -> bool:
    """Compare lists. Names of objects, and objects, have no order; other values have one."""
    if len(wanted) != len(shown):
        return False
    if any(isinstance(entry, Mapping) for entry in shown):
        return all(any(same(entry, each) for each in shown) for entry in wanted)
    return all(map(same, wanted, shown))


def _is_size(text: str, number: int) -> bool:
    try:
        return bool(human_to_bytes(text) == number)
    except ValueError:
        return False


def whole_entry(entry: Any) -> dict[str, Any]:
    """Return an entry of a list as an object, where it may be the object's name."""
    return entry if isinstance(entry, dict) else {"name": entry}


def entry_key(entry: Any, keys: Iterable[str]) -> str:
    """Return what tells an entry of a list from the others."""
    if not isinstance(entry, Mapping):
        return str(entry)
    value: Any = next((entry[key] for key in keys if entry.get(key)), "")
    if isinstance(value, Mapping):
        value = next((value[name] for name in NAMES if name in value), "")
    return str(value)


def shown_part(record: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return some fields of a record by their dotted names, objects by their own names."""
    return {name: _bare(at(record, name)) for name in names}


def _bare(value: Any) -> Any:
    if isinstance(value, list):
        return [_bare(entry) for entry in value]
    if isinstance(value, Mapping) and set(value) <= {*NAMES, "uuid", "_links"}:
        return next((value[name] for name in NAMES if name in value), value)
    return without_links(value)


def without_links(value: Any) -> Any:
    """Return what the array shows without the addresses of objects in it."""
    if isinstance(value, Mapping):
        return {name: without_links(part) for name, part in value.items() if name != "_links"}
    if isinstance(value, list):
        return [without_links(entry) for entry in value]
    return value
