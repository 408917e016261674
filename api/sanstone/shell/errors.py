"""What ends a command. The texts are ONTAP's where it has one for the case."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ShellError(Exception):
    """The command cannot be run; shown as `Error: <text>`."""


class Left(Exception):
    """The user leaves the shell."""


def failed(message: str) -> ShellError:
    """Return the error for what the array refused."""
    return ShellError(f"command failed: {message}")


def unknown_command(word: str, known: Iterable[str]) -> ShellError:
    """Return the error for a word that is no command, with the nearest one."""
    return ShellError(f'"{word}" is not a recognized command{nearest(word, known)}')


def ambiguous(what: str, word: str, matches: Iterable[str]) -> ShellError:
    """Return the error for an abbreviation of several words; `what` is command or argument."""
    found = ", ".join(sorted(matches))
    return ShellError(f'Ambiguous {what} "{word}". Possible matches include: {found}.')


def invalid_argument(word: str, known: Iterable[str] = ()) -> ShellError:
    """Return the error for a parameter that the command has not got."""
    return ShellError(f'invalid argument "{word}"{nearest(word, known)}')


def invalid_value(text: str, usage: str) -> ShellError:
    """Return the error for a value; `usage` is the parameter with its type."""
    return ShellError(f'"{text}" is an invalid value for field "{usage}"')


def missing(usages: Iterable[str]) -> ShellError:
    """Return the error for parameters that a command needs."""
    return ShellError("Missing required parameter: " + ", ".join(f'"{u}"' for u in usages))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that names the known word most like this one, or nothing."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return f'. Did you mean "{found[0]}"?' if found else ""
