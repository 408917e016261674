"""One reviewed table: a valid request for every action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ActionExample:
    """A request. With `below`, the action is `last` of the first object of that resource.

    What can be done `once` is not asked for twice.
    """

    path: str
    body: dict[str, Any]
    below: str = ""
    last: str = ""
    once: bool = False


ACTION_EXAMPLES = (
    ActionExample(
        "security/authentication/password",
        {"name": "joe.smith", "password": "another pass 2"},
        once=True,
    ),
)
