"""Which steps of a change are alike, for tests that try what becomes of it at each."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"[0-9a-f-]{12,}|[0-9]+")
"""What tells one object of a kind from another: UUIDs, serial numbers, addresses."""


def kind(step: str) -> str:
    """Return the kind of a step: that of an object, or the settings of one folder of configfs."""
    plain = _NUMBER.sub("#", step)
    verb, _, rest = plain.partition(" ")
    return f"write {rest.partition(' ')[0].rpartition('/')[0]}" if verb == "write" else plain


def first_of_each(steps: Iterable[str]) -> list[str]:
    """Return the first step of each kind."""
    found: dict[str, str] = {}
    for step in steps:
        found.setdefault(kind(step), step)
    return list(found.values())
