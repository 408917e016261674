"""Faults and conditions, which the reconciler keeps from turn to turn.

A stage judges the owners in a turn's scope: its earlier faults of these are discarded, and its new
ones are kept until it judges the owners again. So a turn about one LUN neither loses nor repeats
the fault of another.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sanstone.core.errors import Cause
from sanstone.core.events import Condition


class Fault(NamedTuple):
    """Why an owner is not as desired, for an administrator.

    A `blocked` owner fails only because another owner does, and only the other's event reports it.
    """

    cause: Cause
    blocked: bool = False


class Faults:
    """Faults by stage and owner. If several stages have one of an owner, the earliest stage's
    counts.
    """

    def __init__(self) -> None:
        self._stages: dict[str, dict[str, Fault]] = {}

    def judge(self, stage: str, owners: Collection[str] | None = None) -> None:
        """Discard a stage's faults of some owners, or of all."""
        faults = self._stages.setdefault(stage, {})
        if owners is None:
            faults.clear()
        else:
            for owner in owners:
                faults.pop(owner, None)

    def add(self, stage: str, owner: str, fault: Fault) -> None:
        """Record a fault; the first that a stage records of an owner counts."""
        self._stages.setdefault(stage, {}).setdefault(owner, fault)

    def get(self, owner: str) -> Fault | None:
        """Return the fault of an owner, None if it has none."""
        for faults in self._stages.values():
            if owner in faults:
                return faults[owner]
        return None

    def __contains__(self, owner: str) -> bool:
        return self.get(owner) is not None

    def of_stages(self, *stages: str) -> list[Fault]:
        """Return the faults that some stages found."""
        return [fault for stage in stages for fault in self._stages.get(stage, {}).values()]

    def by_owner(self) -> dict[str, Fault]:
        """Return all faults by owner."""
        faults: dict[str, Fault] = {}
        for of_stage in self._stages.values():
            for owner, fault in of_stage.items():
                faults.setdefault(owner, fault)
        return faults


class Conditions:
    """Lasting conditions by stage, which events report."""

    def __init__(self) -> None:
        self._stages: dict[str, dict[str, Condition]] = {}
        self._owners: dict[str, str] = {}

    def judge(self, stage: str, owners: Collection[str] | None = None) -> None:
        """Discard a stage's conditions of some owners, or of all."""
        conditions = self._stages.setdefault(stage, {})
        for key in [k for k in conditions if owners is None or self._owners.get(k) in owners]:
            del conditions[key]
            self._owners.pop(key, None)

    def of_stage(self, stage: str) -> dict[str, Condition]:
        """Return the conditions of a stage by key, to be changed in place."""
        return self._stages.setdefault(stage, {})

    def tell(self, stage: str, owner: str, key: str, condition: Condition) -> None:
        """Record a condition that concerns one owner."""
        self._stages.setdefault(stage, {})[key] = condition
        self._owners[key] = owner

    def all(self) -> dict[str, Condition]:
        """Return all conditions by key."""
        return {
            key: condition
            for conditions in self._stages.values()
            for key, condition in conditions.items()
        }
