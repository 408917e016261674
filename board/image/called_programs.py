"""Programs: what the product runs is what the image has.

The reconciler and the installer run the system's programs by name, and a name that Buildroot brings
no program for is noticed only by users of that part. So the calls are read out of the sources. An
applet of busybox is not the program: it has few of its options.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("usr/bin", "usr/sbin")
COMMANDS_OF_ONE = {"openssl"}
"""Modules that run one program: their `run` takes what follows its name."""


@dataclass(frozen=True)
class Call:
    """A line of the sources that runs `program`, a name without its folder."""

    file: Path
    line: int
    program: str


def calls(sources: Path) -> list[Call]:
    """Return the calls of programs in all Python files below `sources`. Raises OSError."""
    return [
        Call(file, line, program)
        for file in sorted(sources.rglob("*.py"))
        for line, program in _calls(file.read_text())
    ]


def missing(called: Iterable[Call], target: Path) -> list[str]:
    """Return a line for each call of a program that the root filesystem `target` has not."""
    return [
        f"{call.file}:{call.line}: the image has no {call.program}"
        for call in called
        if not any(_is_itself(target / folder / call.program) for folder in FOLDERS)
    ]


def _is_itself(file: Path) -> bool:
    return file.is_file() and file.resolve().name != "busybox"


def _calls(source: str) -> Iterator[tuple[int, str]]:
    """Find lists that begin with a program's name: given to `run`, or called `argv` or `probe`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr="run")) if (
                module in COMMANDS_OF_ONE
            ):
                continue
            case ast.Call(func=ast.Attribute(attr="run"), args=[ast.List() as words, *_]):
                pass
            case ast.Assign(targets=[ast.Name(id="argv" | "probe")], value=ast.List() as words):
                pass
            case _:
                continue
        match words.elts:
            case [ast.Constant(value=str(program)), *_]:
                yield words.lineno, program.rpartition("/")[2]
