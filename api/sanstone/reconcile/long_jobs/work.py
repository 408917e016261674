"""The interface between a kind of long job and the process that runs it (`task`)."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Progress(NamedTuple):
    """Progress of the work; `percent` is None if unknown, `message` '' if unchanged."""

    percent: int | None = None
    message: str = ""


class Work(Protocol):
    """The work of a long job. It must be restartable after any step.

    Work that is not `stoppable` is not interrupted by an orderly shutdown: it takes seconds, and
    half-done work might block the shutdown.
    """

    @property
    def stoppable(self) -> bool:
        """Whether it may be interrupted."""

    def run(self) -> None:
        """Do the work to its end. Raises HostError."""

    def progress(self) -> Progress:
        """Return the progress. Called from another thread."""
