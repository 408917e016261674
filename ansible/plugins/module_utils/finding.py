# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""How the object is found that the options of a task name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ansible_collections.sanstone.array.plugins.module_utils import comparison
from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent

if TYPE_CHECKING:
    from sanstone.client import Array, Record


class Impossible(Exception):
    """What a task asks for cannot be; its text says why."""


class NotThere(Impossible):
    """An object that a task needs does not exist."""


def named(
    identity: Mapping[str, str],
    params: Mapping[str, Any],
    otherwise: Mapping[str, Mapping[str, str]],
) -> dict[str, str]:
    """Return the query that finds an object by the options that name it."""
    query: dict[str, str] = {}
    for name, option in identity.items():
        value = comparison.at(params, option)
        if value is not None:
            query[name] = literal(value)
    tops = {option.partition(".")[0] for option in identity.values()}
    for option, instead in otherwise.items():
        if option in tops and params[option] is None:
            query |= instead
    return query


def only(array: Array, path: str, query: Mapping[str, str]) -> Record | None:
    """Return the one object that matches, None for none. Raises Impossible for several."""
    matches = list(array.records(path, query))
    if len(matches) > 1:
        raise Impossible(f"More than one object of {path} has {_shown(query)}.")
    return matches[0] if matches else None


def key_of_parent(
    array: Array,
    parent: Parent,
    params: Mapping[str, Any],
    otherwise: Mapping[str, Mapping[str, str]],
) -> str:
    """Return what stands in a path for the object that others are below. Raises NotThere."""
    query = named(parent.identity, params, otherwise)
    record = only(array, parent.path, query | {"fields": parent.shown})
    if record is None:
        raise NotThere(f"There is no object of {parent.path} with {_shown(query)}.")
    return str(comparison.at(record, parent.shown))


def literal(value: Any) -> str:
    """Return the condition that a field is exactly this, without the query language's operators."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    special = any(sign in text for sign in '*!|<>"') or ".." in text or text == "null"
    return f'"{text}"' if special else text


def _shown(query: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {text}" for name, text in query.items() if name != "fields")
