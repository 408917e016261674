"""What a kind of long job has to offer to the process that does it (`task`)."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Progress(NamedTuple):
    """How far it is: None where nobody can tell, and '' where nothing new is to be said of it."""

    percent: int | None = None
    message: str = ""


class Work(Protocol):
    """Something that takes long. It must be such as can be begun again after any step.

    One that is not `stoppable` is not interrupted by a shutdown in good order: it takes seconds,
    and what it left half-way might keep the shutdown from its end.
    """

    @property
    def stoppable(self) -> bool:
        """Whether it may be left half-way."""

    def run(self) -> None:
        """Do it to its end. Raises HostError."""

    def progress(self) -> Progress:
        """Return how far it is. Asked from another thread."""
