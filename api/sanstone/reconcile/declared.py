"""What the database says, parsed again before it is written for another program.

The API refuses what a declaration does not take. But the database is a file in which the API's user
can write, and so whoever has taken that user over; a line feed in the name of a server would be a
setting more for whoever reads the file that it is written to.
"""

from __future__ import annotations

from typing import TypeVar

from marshmallow import ValidationError

from sanstone.core.types import Type
from sanstone.kernel.host import HostError

Value = TypeVar("Value")


def as_declared(kind: Type, value: Value) -> Value:
    """Return a value of the database, which its type must take as it is. Raises HostError."""
    try:
        parsed = kind.parse(value)
    except ValidationError as error:
        text = f"the database holds what no request can have set: {' '.join(error.messages)}"
        raise HostError(text) from error
    if parsed != value:
        raise HostError("the database holds a value in a form that no request can have set")
    return value
