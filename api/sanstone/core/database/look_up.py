"""Look up facts about objects by kind and key, at a cost that depends on the number shown.

Facts about objects that are announced to be shown are loaded together. Of any other kind, the first
object is looked up alone, so that showing one among thousands is quick; with the second, the whole
kind is loaded, so that showing all of them is quick too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

Kind = TypeVar("Kind")
Fact = TypeVar("Fact")


class LookUp(Generic[Kind, Fact]):
    """Facts by kind and key. `load` returns those of some keys of a kind, or of all for None."""

    def __init__(self, load: Callable[[Kind, Sequence[str] | None], Mapping[str, Fact]]) -> None:
        self._load = load
        self._expected: dict[Kind, Sequence[str]] = {}
        self._loaded: dict[Kind, set[str]] = {}
        self._some: dict[Kind, dict[str, Fact]] = {}
        self._all: dict[Kind, Mapping[str, Fact]] = {}

    def expect(self, kind: Kind, keys: Sequence[str]) -> None:
        """Announce objects to show; all their facts are loaded with the first one's."""
        self._expected[kind] = keys

    def get(self, kind: Kind, key: str) -> Fact | None:
        """Return the fact about one object, or None."""
        if kind in self._all:
            return self._all[kind].get(key)
        if expected := self._expected.pop(kind, None):
            self._keep(kind, expected)
        if kind not in self._loaded:
            self._keep(kind, [key])
        elif key not in self._loaded[kind]:
            return self.all(kind).get(key)
        return self._some[kind].get(key)

    def all(self, kind: Kind) -> Mapping[str, Fact]:
        """Return the facts about all objects of a kind, by key."""
        if kind not in self._all:
            self._all[kind] = self._load(kind, None)
        return self._all[kind]

    def _keep(self, kind: Kind, keys: Sequence[str]) -> None:
        self._loaded.setdefault(kind, set()).update(keys)
        self._some.setdefault(kind, {}).update(self._load(kind, keys))
