"""The scope of a turn: the owners that it works on, or everything.

A turn costs what its scope holds: the owners that jobs touched, that have a fault, or that are due
for verification. A stage widens the scope by what depends on its changes: the devices of a pool
that became active, the maps of a LUN that can be exported now.

An owner is `<kind>:<key>`, as jobs and plan steps name a resource.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


class Scope:
    """A set of owners, or everything (`whole`)."""

    def __init__(self, owners: Iterable[str] = (), *, whole: bool = False) -> None:
        self.whole = whole
        self.owners: set[str] = set()
        self._keys: dict[str, set[str]] = defaultdict(set)
        self.add(owners)

    def add(self, owners: Iterable[str]) -> None:
        """Add owners; '' is ignored."""
        for owner in owners:
            if owner:
                self.owners.add(owner)
                kind, _, key = owner.partition(":")
                self._keys[kind].add(key)

    @property
    def kinds(self) -> set[str]:
        """Return the kinds of its owners."""
        return set(self._keys)

    def keys(self, *kinds: str) -> set[str]:
        """Return the keys of its owners of some kinds."""
        return {key for kind in kinds for key in self._keys.get(kind, ())}

    def touches(self, *kinds: str) -> bool:
        """Return whether it contains any owner of some kinds; a whole scope does."""
        return self.whole or any(kind in self._keys for kind in kinds)
