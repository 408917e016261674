"""Errors that end a command. Their texts are ONTAP's where it has one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ShellError(Exception):
    """The command cannot be run; shown as `Error: <text>`."""


class Left(Exception):
    """The user leaves the shell."""


AWAY = "Nobody has typed for as long as `system timeout show` tells: the shell ends."


class Idle(Left):
    """Nobody has typed for as long as the shell stays then."""


def failed(message: str) -> ShellError:
    """Return the error for a request that the array refused."""
    return ShellError(f"command failed: {message}")


def unknown_command(word: str, commands: Iterable[str]) -> ShellError:
    """Return the error for a word that is not a command, with the most similar one."""
    return ShellError(f'"{word}" is not a recognized command{nearest(word, commands)}')


def ambiguous(kind: str, word: str, matches: Iterable[str]) -> ShellError:
    """Return the error for an abbreviation of several words; `kind` is command or argument."""
    listed = ", ".join(sorted(matches))
    return ShellError(f'Ambiguous {kind} "{word}". Possible matches include: {listed}.')


def invalid_argument(word: str, arguments: Iterable[str] = ()) -> ShellError:
    """Return the error for a parameter that the command does not have."""
    return ShellError(f'invalid argument "{word}"{nearest(word, arguments)}')


def invalid_value(text: str, usage: str) -> ShellError:
    """Return the error for a value; `usage` is the parameter with its type."""
    return ShellError(f'"{text}" is an invalid value for field "{usage}"')


def missing(usages: Iterable[str]) -> ShellError:
    """Return the error for parameters that a command needs."""
    return ShellError("Missing required parameter: " + ", ".join(f'"{u}"' for u in usages))


def nearest(word: str, words: Iterable[str]) -> str:
    """Return the end of a sentence that suggests the most similar word, '' for none."""
    matches = difflib.get_close_matches(word, list(words), n=1)
    return f'. Did you mean "{matches[0]}"?' if matches else ""
