"""The outcomes of a turn's stage by owner."""

from __future__ import annotations

from enum import Enum

from sanstone.kernel.ensured import Ensured


class Outcome(Enum):
    """How an owner fared, from what tells least to what tells most."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    CREATED = "created"
    BLOCKED = "blocked"
    """Nothing could be done, since another owner that it depends on has a fault."""
    FAILED = "failed"


_RANK = {outcome: rank for rank, outcome in enumerate(Outcome)}
_OF_ENSURED = {each: Outcome(each.value) for each in Ensured}


class Outcomes:
    """Outcomes by owner. An owner that nothing was noted of is unchanged."""

    def __init__(self) -> None:
        self._by_owner: dict[str, Outcome] = {}

    def note(self, owner: str, outcome: Outcome | Ensured) -> None:
        """Note an outcome for an owner, unless one that tells more is there; '' is ignored."""
        noted = _OF_ENSURED[outcome] if isinstance(outcome, Ensured) else outcome
        if owner and _RANK[noted] > _RANK[self.of(owner)]:
            self._by_owner[owner] = noted

    def of(self, owner: str) -> Outcome:
        """Return the outcome of an owner."""
        return self._by_owner.get(owner, Outcome.UNCHANGED)

    def by_owner(self) -> dict[str, Outcome]:
        """Return the outcomes of all owners to which something was done."""
        return dict(self._by_owner)

    def keys(self, kind: str, outcome: Outcome) -> set[str]:
        """Return the keys of the owners of a kind with this outcome."""
        prefix = f"{kind}:"
        return {
            owner.removeprefix(prefix)
            for owner, noted in self._by_owner.items()
            if noted is outcome and owner.startswith(prefix)
        }
