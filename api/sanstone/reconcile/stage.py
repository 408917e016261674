"""A stage of a turn, and the order that follows from what the stages need.

A stage is a function of a turn. Its further parameters are the results of other stages that it
needs, by their types (`results`). It returns a result of a type of its own. So nothing states the
order of stages twice, and a stage that needs a later result cannot be declared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar, cast, get_type_hints

from sanstone.reconcile.results import Everything, Result

Given = TypeVar("Given", bound=Result)


class Stage(NamedTuple):
    """A stage; `needs` are the results that `run` takes, in this order, and `gives` the one that it
    returns.

    A stage that `narrows` processes only owners in the turn's scope, and calls `Turn.judge` for
    these itself. Other stages always process all of their few objects.
    """

    name: str
    run: Callable[..., Result]
    needs: tuple[type[Result], ...]
    gives: type[Result]
    narrows: bool


def stage(name: str, run: Callable[..., Result], *, narrows: bool = False) -> Stage:
    """Return the stage of a function, by the types that this declares."""
    types = get_type_hints(run)
    gives, _turn, *needs = types.pop("return"), *types.values()
    return Stage(name, run, tuple(needs), gives, narrows)


def in_order(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Return stages such that each comes after those that it needs, and else in the order given.

    Raises ValueError where none is left that could come next: no stage has the result that it
    needs, or only one that needs it in turn.
    """
    remaining, ordered, available = list(stages), list[Stage](), set[type[Result]]()
    while remaining:
        others = {each.gives for each in remaining}
        for each in remaining:
            needs = {*each.needs} - {Everything}
            if Everything in each.needs:
                needs |= others - {each.gives}
            if needs <= available:
                break
        else:
            raise ValueError(f"no stage can come next, of {[each.name for each in remaining]}")
        remaining.remove(each)
        ordered.append(each)
        available.add(each.gives)
    return tuple(ordered)


class Results:
    """The results of a turn's stages so far."""

    def __init__(self) -> None:
        self._results: dict[type[Result], Result] = {}

    def add(self, result: Result) -> None:
        """Add a stage's result."""
        self._results[type(result)] = result

    def of(self, kind: type[Given]) -> Given:
        """Return the result of a type; a stage that did not run has done nothing."""
        return cast(Given, self._results.get(kind) or kind())
