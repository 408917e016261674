"""Paths of the API, as roles have them."""

from __future__ import annotations

from collections.abc import Iterable


def shortest(given: Iterable[str]) -> list[str]:
    """Return the paths that are below no other."""
    found = sorted(set(given))
    return [path for path in found if not any(path.startswith(f"{other}/") for other in found)]
