"""Looking up facts about objects by kind and key, at a cost that follows how many are shown.

The first object of a kind is looked up alone, so that showing one among thousands is quick; with
the second, the whole kind is loaded, so that showing all of them is too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

Kind = TypeVar("Kind")
Fact = TypeVar("Fact")


class LookUp(Generic[Kind, Fact]):
    """Facts by kind and key. `one` loads that of one object, `every` those of a kind, by key."""

    def __init__(
        self,
        one: Callable[[Kind, str], Fact | None],
        every: Callable[[Kind], Mapping[str, Fact]],
    ) -> None:
        self._one, self._every = one, every
        self._first: dict[Kind, tuple[str, Fact | None]] = {}
        self._all: dict[Kind, Mapping[str, Fact]] = {}

    def get(self, kind: Kind, key: str) -> Fact | None:
        """Return the fact about one object, None where there is none."""
        if kind in self._all:
            return self._all[kind].get(key)
        if kind not in self._first:
            self._first[kind] = key, self._one(kind, key)
        first, fact = self._first[kind]
        return fact if first == key else self.all(kind).get(key)

    def all(self, kind: Kind) -> Mapping[str, Fact]:
        """Return the facts about all objects of a kind, by key."""
        if kind not in self._all:
            self._all[kind] = self._every(kind)
        return self._all[kind]
