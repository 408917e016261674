"""A plan: the list of steps that turns what is into what is wanted.

A step can be printed before it runs and knows which wanted object it is for. Applying goes on after
a failure, because one missing disk must not hold up the exports of all others; what depends on the
failed step is skipped and reported with the same cause:

* a step whose `path` is at or under a path that failed (a file in a directory that was not made);
* a step one of whose `needs` is at, under or above one (a link to an item of which one attribute
  could not be written: exporting it half configured would show hosts a wrong identity).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sanstone.kernel.host import Host, HostError


class Step(NamedTuple):
    """One change. A named tuple because a full restore has a hundred thousand of them."""

    text: str
    """Printable, secrets masked: "write /sys/kernel/config/…/enable 1"."""
    owner: str
    """The wanted object that needs it, "<resource path>:<uuid>"; "" for a removal nobody owns."""
    run: Callable[[Host], None]
    path: str = ""
    """What the step makes or removes."""
    needs: tuple[str, ...] = ()
    """Paths of other steps that this one depends on."""


@dataclass(frozen=True)
class Failure:
    """A step that did not happen: refused itself, or `skipped` because of an earlier refusal."""

    step: Step
    error: HostError
    skipped: bool = False

    def __str__(self) -> str:
        return f"{'skipped: ' if self.skipped else ''}{self.step.text}: {self.error}"


def apply(host: Host, steps: Sequence[Step]) -> list[Failure]:
    """Run the steps in order and return those that failed or were skipped, in order."""
    failures: list[Failure] = []
    failed: dict[str, HostError] = {}
    above_failed: dict[str, HostError] = {}
    for step in steps:
        cause = _cause(step, failed, above_failed) if failed else None
        try:
            if cause is None:
                step.run(host)
                continue
            failures.append(Failure(step, cause, skipped=True))
        except HostError as error:
            cause = error
            failures.append(Failure(step, error))
        if step.path:
            failed.setdefault(step.path, cause)
            for path in _at_and_above(step.path):
                above_failed.setdefault(path, cause)
    return failures


def _cause(
    step: Step, failed: dict[str, HostError], above_failed: dict[str, HostError]
) -> HostError | None:
    """Return the error because of which `step` must be skipped."""
    for path in (step.path, *step.needs):
        for candidate in _at_and_above(path):
            if candidate in failed:
                return failed[candidate]
    return next((above_failed[need] for need in step.needs if need in above_failed), None)


def _at_and_above(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]
