"""A plan: the list of steps that turns what is into what is wanted.

A step can be printed before it runs and knows which wanted object it is for. Applying goes on
after a failure, because one missing disk must not hold up the exports of all others. What depends
on the failed step is skipped and reported with the same cause: a step whose `path`, or one of
whose `needs`, is at or under the `path` of a step that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sanstone.kernel.host import Host, HostError


class Step(NamedTuple):
    """One change. A named tuple because a full restore has a hundred thousand of them."""

    text: str
    """Printable, secrets masked: "write /sys/kernel/config/…/enable 1"."""
    owner: str
    """The wanted object that needs it, "<resource path>:<uuid>"; "" if it is not known any more."""
    run: Callable[[Host], None]
    path: str = ""
    """What does not exist, or is not fit for use, if the step fails."""
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


def apply(
    host: Host, steps: Sequence[Step], progress: Callable[[], None] = lambda: None
) -> list[Failure]:
    """Run the steps in order and return those that failed or were skipped, in order.

    `progress` is called before each.
    """
    failures: list[Failure] = []
    failed: dict[str, HostError] = {}
    for step in steps:
        progress()
        cause = _cause(step, failed) if failed else None
        if cause is None:
            try:
                step.run(host)
                continue
            except HostError as error:
                cause = error
                failures.append(Failure(step, error))
        else:
            failures.append(Failure(step, cause, skipped=True))
        if step.path:
            failed.setdefault(step.path, cause)
    return failures


def _cause(step: Step, failed: dict[str, HostError]) -> HostError | None:
    """Return the error because of which `step` must be skipped."""
    for path in (step.path, *step.needs):
        while path:
            if path in failed:
                return failed[path]
            path = path.rpartition("/")[0]
    return None
