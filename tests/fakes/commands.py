"""External programs of the fake machine: argv[0] chooses a handler.

A handler gets the argument list and the standard input and returns the standard output, or raises
CommandError as the program would. It calls `interrupt.step` itself, because only it knows whether
the call changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sanstone.kernel.host import CommandError, MissingPrograms

Handler = Callable[[Sequence[str], str], str]


class FakeCommands:
    """`host.Commands` out of registered handlers."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}
        self.calls: list[tuple[str, ...]] = []
        """Every call so far, oldest first."""

    def register(self, program: str, handler: Handler) -> None:
        """Register the handler of a program, named without a directory."""
        self._handlers[program] = handler

    def run(self, argv: Sequence[str], *, stdin: str = "", time_limit: float | None = None) -> str:
        """Run a program; one that nobody registered ends with 127, as a shell reports it."""
        self.calls.append(tuple(argv))
        handler = self._handlers.get(argv[0].rpartition("/")[2])
        if handler is None:
            raise CommandError(argv, 127, "command not found")
        return handler(argv, stdin)

    def run_on_terminal(self, argv: Sequence[str]) -> None:
        """Run a program like any other; nobody sits at this terminal."""
        try:
            self.run(argv)
        except CommandError as error:
            if error.status == 127:
                raise

    def require(self, programs: Iterable[str]) -> None:
        """Raise MissingPrograms for those that nobody registered."""
        missing = sorted(set(programs) - set(self._handlers))
        if missing:
            raise MissingPrograms(missing, "the fake machine")

    def programs(self) -> set[str]:
        """Return the existing programs."""
        return set(self._handlers)
