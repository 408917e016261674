"""Properties that have no effect here, but that ONTAP's clients require.

Clients for block storage also set properties of a file server, and compare them with the request on
their next run. Such a property is `kept`: checked, stored in the row's `properties`, shown, and
without effect. A property that would enable a feature the array lacks can only be `off`, and one
that clients only read is `fixed`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sanstone.core.declaration.resource import WRITE, Field, constant
from sanstone.core.declaration.types import Type


def kept(name: str, kind: Type, doc: str, default: Any = None) -> Field:
    """Return a field that the row's `properties` hold; `default` is shown until it is set."""
    return Field(
        name, kind, doc, access=WRITE, get=lambda row, _: row.properties.get(name, default)
    )


def off(name: str, kind: Type, doc: str, value: Any = False) -> Field:
    """Return a field that can only be set to its one value: disabled."""
    return Field(name, kind, doc, access=WRITE, get=constant(value))


def fixed(name: str, kind: Type, doc: str, value: Any = None) -> Field:
    """Return a field that is the same for every row; without a value it is never shown."""
    return Field(name, kind, doc, get=constant(value))


def kept_values(fields: Iterable[Field], values: dict[str, Any]) -> dict[str, Any]:
    """Return a request's values of kept `fields`."""
    return {field.name: values[field.name] for field in fields if field.name in values}
