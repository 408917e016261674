"""A plan: the list of steps from the actual to the desired state.

A step can be printed before it runs and names the desired object that needs it. Applying continues
after a failure, because one missing disk must not block the exports of all others. Steps that
depend on the failed one are skipped and reported with the same cause: their `path`, or one of their
`needs`, is at or under the `path` of the failed step.
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
    """The desired object that needs it, "<resource path>:<uuid>"; "" if it is unknown."""
    run: Callable[[Host], None]
    path: str = ""
    """The object that does not exist, or is unusable, if the step fails."""
    needs: tuple[str, ...] = ()
    """Paths of other steps that this one depends on."""


@dataclass(frozen=True)
class Failure:
    """A step that was not applied: it failed, or is `skipped` because of an earlier failure."""

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
    """Return the error that makes `step` be skipped."""
    for path in (step.path, *step.needs):
        while path:
            if path in failed:
                return failed[path]
            path = path.rpartition("/")[0]
    return None
