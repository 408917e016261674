"""Properties that mean nothing here, but without which ONTAP's clients do not work.

Clients for block storage also send what a file server would have, and compare on their next run
what they find with what they asked for. Such a property is `kept`: checked, stored in the row's
`properties`, shown, and without effect. What would promise something that the array does not do can
only be `off`, and what clients merely read is `fixed`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sanstone.core.resource import WRITE, Field, constant
from sanstone.core.types import Type


def kept(name: str, kind: Type, doc: str, default: Any = None) -> Field:
    """Return a field that the row's `properties` hold; `default` is shown until it is set."""
    return Field(
        name, kind, doc, access=WRITE, get=lambda row, _: row.properties.get(name, default)
    )


def off(name: str, kind: Type, doc: str, value: Any = False) -> Field:
    """Return a field that can only be set to what it is: switched off."""
    return Field(name, kind, doc, access=WRITE, get=constant(value))


def fixed(name: str, kind: Type, doc: str, value: Any = None) -> Field:
    """Return a field that is the same for every row; without a value it is never shown."""
    return Field(name, kind, doc, get=constant(value))


def given(fields: Iterable[Field], values: dict[str, Any]) -> dict[str, Any]:
    """Return those of a request's values that belong to kept `fields`."""
    return {field.name: values[field.name] for field in fields if field.name in values}
