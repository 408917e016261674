"""Programs: what the product runs is what the image has.

The reconciler and the installer run the system's programs by name, and a name that Buildroot brings
no program for is noticed only by users of that part. So the calls are read out of the sources. An
applet of busybox is not the program: it has few of its options.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("usr/bin", "usr/sbin")


def missing(sources: Path, target: Path) -> list[str]:
    """Return a line for each call in `sources` of a program that the root filesystem has not.

    Raises OSError.
    """
    return [
        f"{file}:{line}: the image has no {program}"
        for file in sorted(sources.rglob("*.py"))
        for line, program in calls(file.read_text())
        if not any(_is_itself(target / folder / program) for folder in FOLDERS)
    ]


def _is_itself(file: Path) -> bool:
    return file.is_file() and file.resolve().name != "busybox"


def calls(source: str) -> Iterator[tuple[int, str]]:
    """Find lists that begin with a program's name: given to `run`, or called `argv` or `probe`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="run"), args=[ast.List() as words, *_]):
                pass
            case ast.Assign(targets=[ast.Name(id="argv" | "probe")], value=ast.List() as words):
                pass
            case _:
                continue
        match words.elts:
            case [ast.Constant(value=str(program)), *_]:
                yield words.lineno, program.rpartition("/")[2]
