"""Reading a fake program's argument list, as strictly as the program does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sanstone.kernel.host import CommandError


@dataclass
class Arguments:
    """An argument list, taken apart. An option given twice keeps its last value."""

    argv: Sequence[str]
    options: dict[str, str] = field(default_factory=dict)
    operands: list[str] = field(default_factory=list)

    def has(self, option: str) -> bool:
        """Return whether an option was given."""
        return option in self.options

    def error(self, status: int, text: str) -> CommandError:
        """Return the error with which the program ends."""
        return CommandError(self.argv, status, text)


def parse(
    argv: Sequence[str], words: Sequence[str], *, flags: str, valued: str, usage_status: int
) -> Arguments:
    """Parse `words`; `flags` and `valued` are the options that the program has.

    A value follows as `--option=value` or as the next word. Anything unknown is refused with
    `usage_status`, so that a driver cannot send arguments that only the fake understands.
    """
    arguments = Arguments(argv)
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option, equals, value = word.partition("=")
        if not word.startswith("--"):
            arguments.operands.append(word)
        elif option in flags.split() and not equals:
            arguments.options[option] = ""
        elif option in valued.split() and (equals or rest):
            arguments.options[option] = value if equals else rest.pop(0)
        else:
            raise arguments.error(usage_status, f"unrecognized option '{word}'")
    return arguments
