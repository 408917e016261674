"""Paths of the API, as roles have them."""

from __future__ import annotations

from collections.abc import Iterable


def shortest(paths: Iterable[str]) -> list[str]:
    """Return the paths that are below no other."""
    ordered = sorted(set(paths))
    return [path for path in ordered if not any(path.startswith(f"{other}/") for other in ordered)]
