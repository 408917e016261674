"""C sources, read without a compiler: which names of a library's do they use?

Comments and texts are passed over, and so is a branch that the preprocessor leaves out because
configure does not find a function: `#ifdef HAVE_X` where configure.ac defines HAVE_X for one that
the library has not. Every other branch counts, whatever its condition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_COMMENT_OR_TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)
_DIRECTIVE = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)")
_DEFINED = re.compile(r"defined\s*\(?\s*(\w+)")
_DEFINITION = re.compile(
    r"^\s*#\s*define\s+(\w+)|^(?:[\w*]+[ \t*\n]+)*(\w+)\([^;{}]*\)\s*\{", re.MULTILINE
)
_CHECK_LIBRARY = re.compile(
    r"AC_CHECK_LIB\(\s*\[?[^,\]]+\]?,\s*\[?(\w+)\]?,\s*\[?\s*AC_DEFINE\(\[?(\w+)\]?"
)


def included(text: str) -> set[str]:
    """Return the headers that `text` includes in angle brackets."""
    return set(_INCLUDE.findall(text))


def used(text: str, names: re.Pattern[str], is_there: Callable[[str], bool | None]) -> set[str]:
    """Return which of `names` the branches of `text` use that are compiled.

    `is_there` says of a macro whether it is defined, or None where nobody knows. A name that a
    condition asks for itself is none that the source relies on.
    """
    plain = _COMMENT_OR_TEXT.sub(_blank, text)
    compared = {name for condition in _conditions(plain) for name in names.findall(condition)}
    used_names = {name for line in _compiled(plain, is_there) for name in names.findall(line)}
    return used_names - compared


def defined(text: str) -> set[str]:
    """Return the macros and functions that `text` defines itself."""
    plain = _COMMENT_OR_TEXT.sub(_blank, text)
    return {name for pair in _DEFINITION.findall(plain) for name in pair if name}


def functions_of_macros(configure: str) -> dict[str, str]:
    """Return the macros that a configure.ac defines, with the function that each stands for."""
    return {macro: function for function, macro in _CHECK_LIBRARY.findall(configure)}


def _blank(match: re.Match[str]) -> str:
    """Keep the line breaks, which delimit preprocessor directives."""
    return " " + "\n" * match[0].count("\n")


def _conditions(text: str) -> Iterator[str]:
    for line in text.splitlines():
        directive = _DIRECTIVE.match(line)
        if directive:
            yield directive[2]


def _compiled(text: str, is_there: Callable[[str], bool | None]) -> Iterator[str]:
    """Pass the lines that may be compiled; `branches` has the known truth of each level."""
    branches: list[bool | None] = []
    for line in text.splitlines():
        directive = _DIRECTIVE.match(line)
        if directive is None:
            if False not in branches:
                yield line
            continue
        match directive[1]:
            case "if" | "ifdef" | "ifndef":
                branches.append(_holds(directive[1], directive[2], is_there))
            case "elif" if branches:
                branches[-1] = None
            case "else" if branches and branches[-1] is not None:
                branches[-1] = not branches[-1]
            case "endif" if branches:
                branches.pop()


def _holds(word: str, condition: str, is_there: Callable[[str], bool | None]) -> bool | None:
    """Return whether a condition holds, or None where nobody knows."""
    if word == "ifdef":
        return is_there(condition.strip())
    if word == "ifndef":
        there = is_there(condition.strip())
        return None if there is None else not there
    if "||" not in condition and "!" not in condition:
        parts = [is_there(name) for name in _DEFINED.findall(condition)]
        if False in parts:
            return False
    return None
