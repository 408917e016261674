"""The machine's own programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sanstone.kernel import processes


class RealCommands:
    """`host.Commands` of this machine."""

    def run(self, argv: Sequence[str], *, stdin: str = "", time_limit: float | None = None) -> str:
        """Run a program and return its standard output; one that is missing ends with 127."""
        return processes.run(argv, stdin=stdin, time_limit=time_limit)

    def run_on_terminal(self, argv: Sequence[str]) -> None:
        """Let a program have our terminal until it ends."""
        processes.run_on_terminal(argv)

    def require(self, programs: Iterable[str]) -> None:
        """Raise MissingPrograms, which names each of these that the system has not."""
        processes.require(programs)
