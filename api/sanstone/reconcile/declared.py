"""Validation of values from the database before they are written for another program.

The API refuses values that a declaration does not accept. But the API's user can write to the
database's file, and so can an attacker who compromised that user. A line feed in the name of a
server, for example, would add a setting to the file that another program reads.
"""

from __future__ import annotations

from typing import TypeVar

from marshmallow import ValidationError

from sanstone.core.declaration.types import Type
from sanstone.kernel.host import HostError

Value = TypeVar("Value")


def as_declared(kind: Type, value: Value) -> Value:
    """Return a value of the database if its declared type parses it without a change.

    Raises HostError otherwise.
    """
    try:
        parsed = kind.parse(value)
    except ValidationError as error:
        text = "the database holds what no request can have set: {}"
        raise HostError(text, " ".join(error.messages)) from error
    if parsed != value:
        raise HostError("the database holds a value in a form that no request can have set")
    return value
