"""What keeps the array from being as desired, between turns.

A stage judges the owners that a turn is about: what it said of these before is forgotten, and what
it says now is kept until it judges them again. So a turn about one LUN neither loses nor repeats
the fault of another.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

Condition = tuple[str, str, str]
"""Severity, name and message of an event that lasts (`core.events`)."""


class Fault(NamedTuple):
    """Why an owner is not as desired: ONTAP's error code, and words for an administrator.

    A `blocked` owner fails for another's fault alone, whose event tells of it.
    """

    code: str
    message: str
    blocked: bool = False


class Faults:
    """Faults by stage and owner; of an owner's, that of the earliest stage counts."""

    def __init__(self) -> None:
        self._stages: dict[str, dict[str, Fault]] = {}

    def judge(self, stage: str, owners: Collection[str] | None = None) -> None:
        """Forget what a stage said of some owners, or of all."""
        said = self._stages.setdefault(stage, {})
        if owners is None:
            said.clear()
        else:
            for owner in owners:
                said.pop(owner, None)

    def add(self, stage: str, owner: str, fault: Fault) -> None:
        """Note a fault; the first that a stage finds of an owner counts."""
        self._stages.setdefault(stage, {}).setdefault(owner, fault)

    def get(self, owner: str) -> Fault | None:
        """Return the fault of an owner, None for none."""
        for said in self._stages.values():
            if owner in said:
                return said[owner]
        return None

    def __contains__(self, owner: str) -> bool:
        return self.get(owner) is not None

    def by_owner(self) -> dict[str, Fault]:
        """Return the faults that there are."""
        faults: dict[str, Fault] = {}
        for said in self._stages.values():
            for owner, fault in said.items():
                faults.setdefault(owner, fault)
        return faults


class Conditions:
    """Conditions of which events tell while they last, by stage."""

    def __init__(self) -> None:
        self._stages: dict[str, dict[str, Condition]] = {}
        self._owners: dict[str, str] = {}

    def judge(self, stage: str, owners: Collection[str] | None = None) -> None:
        """Forget what a stage told of some owners, or of all."""
        told = self._stages.setdefault(stage, {})
        for key in [k for k in told if owners is None or self._owners.get(k) in owners]:
            del told[key]
            self._owners.pop(key, None)

    def of_stage(self, stage: str) -> dict[str, Condition]:
        """Return what a stage tells, to be added to."""
        return self._stages.setdefault(stage, {})

    def tell(self, stage: str, owner: str, key: str, condition: Condition) -> None:
        """Tell of a condition of one owner."""
        self._stages.setdefault(stage, {})[key] = condition
        self._owners[key] = owner

    def all(self) -> dict[str, Condition]:
        """Return the conditions that last, by key."""
        return {key: told for said in self._stages.values() for key, told in said.items()}
