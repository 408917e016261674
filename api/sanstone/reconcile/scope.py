"""What a turn of the reconciler is about.

A turn costs what its scope holds: the owners that jobs touched, that a fault brings up again, or
that are due to be verified. A stage widens the scope along what depends on what it changed: the
devices of a pool that became active, the maps of a LUN that can be exported now.

An owner is `<kind>:<key>`, as jobs and plan steps name a resource.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


class Scope:
    """Everything, or some owners."""

    def __init__(self, owners: Iterable[str] = (), *, whole: bool = False) -> None:
        self.whole = whole
        self.owners: set[str] = set()
        self._keys: dict[str, set[str]] = defaultdict(set)
        self.add(owners)

    def add(self, owners: Iterable[str]) -> None:
        """Widen it."""
        for owner in owners:
            if owner:
                self.owners.add(owner)
                kind, _, key = owner.partition(":")
                self._keys[kind].add(key)

    @property
    def kinds(self) -> set[str]:
        """Return the kinds of which it names an owner."""
        return set(self._keys)

    def keys(self, *kinds: str) -> set[str]:
        """Return the keys of the owners of some kinds that it names."""
        return {key for kind in kinds for key in self._keys.get(kind, ())}

    def touches(self, *kinds: str) -> bool:
        """Return whether it is about any owner of some kinds."""
        return self.whole or any(kind in self._keys for kind in kinds)
