"""The checklists of CONTRIBUTING.md, and a copy of the tree in which one is followed.

A list is what stands below a heading of the third level. Its numbered lines name the files that
are new or changed, and commands; the line that begins with "Held by" names the tests that fail
until all is done. Files are named from the tree's top or from `api/sanstone/`, `<name>` stands for
any name.

An example of the kind is a folder of `contributing/`: files, each at its place in the tree, and
`lines.toml` with the lines to add to existing files. Only the files that the list names get into
the copy, so that the tests fail where it leaves one out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TOP = ("ansible", "api", "board", "overlay", "tests", "webui")
LINES = "lines.toml"
_HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
_ITEM = re.compile(r"^\d+\. .*(?:\n   .*)*", re.MULTILINE)
_HELD_BY = re.compile(r"^Held by .*(?:\n(?!\n).*)*", re.MULTILINE)
_START_FROM = re.compile(r"start from `([^`]+)`")
_QUOTED = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Checklist:
    """A checklist: its heading, and the text below it."""

    heading: str
    text: str

    @cached_property
    def _named(self) -> list[str]:
        return [name for item in _ITEM.findall(self.text) for name in _QUOTED.findall(item)]

    @property
    def commands(self) -> list[str]:
        """Return the commands of the numbered lines, in their order."""
        return [name for name in self._named if " -m " in name]

    @property
    def places(self) -> list[re.Pattern[str]]:
        """Return patterns of the files that numbered lines name, but those to begin with."""
        left_out = _START_FROM.findall(self.text)
        return [_pattern(each) for each in self._named if _is_file(each) and each not in left_out]

    @property
    def _held_by(self) -> list[str]:
        return [name for line in _HELD_BY.findall(self.text) for name in _QUOTED.findall(line)]

    @property
    def tests(self) -> list[str]:
        """Return the tests in Python that hold it."""
        return [name for name in self._held_by if name.startswith("tests/")]

    @property
    def web_tests(self) -> list[str]:
        """Return the tests of the web interface that hold it, from its folder."""
        paths = (name for name in self._held_by if name.startswith("webui/"))
        return [name.removeprefix("webui/") for name in paths]

    def names(self, path: str) -> bool:
        """Return whether a numbered line names a file."""
        return any(place.fullmatch(path) for place in self.places)


def _is_file(name: str) -> bool:
    return "/" in name and " " not in name


def _pattern(name: str) -> re.Pattern[str]:
    whole = name if name.partition("/")[0] in TOP else f"api/sanstone/{name}"
    return re.compile(re.sub(r"<[^>]+>", "[^/]+", re.escape(whole)))


def _checklists() -> dict[str, Checklist]:
    _, *parts = _HEADING.split((ROOT / "CONTRIBUTING.md").read_text())
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {heading: Checklist(heading, text.partition("\n## ")[0]) for heading, text in pairs}


CHECKLISTS = _checklists()
"""All lists by their headings."""


class Addition:
    """One of a kind, which is added to a copy of the tree."""

    def __init__(self, kind: str) -> None:
        self.folder = Path(__file__).with_name("contributing") / kind
        self.lines: dict[str, Any] = tomllib.loads((self.folder / LINES).read_text())

    @property
    def files(self) -> list[str]:
        """Return the files that come into the tree, by their paths in it."""
        files = (path for path in self.folder.rglob("*") if path.is_file())
        paths = (str(path.relative_to(self.folder)) for path in files if path.name != LINES)
        return sorted(path for path in paths if "__pycache__" not in path)

    @property
    def changed(self) -> list[dict[str, str]]:
        """Return the additions to existing files: `file`, `before`, `text`."""
        inserted: list[dict[str, str]] = self.lines.get("insert", [])
        return inserted

    @property
    def paths(self) -> set[str]:
        """Return the files that are made or changed, by their paths in the tree."""
        return {*self.files, *(change["file"] for change in self.changed)}

    def add(self, tree: Path, checklist: Checklist) -> None:
        """Add the files that the list names, and run its commands."""
        for path in filter(checklist.names, self.files):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.folder / path, tree / path)
        for change in self.changed:
            if checklist.names(change["file"]):
                file, before = tree / change["file"], change["before"]
                text = file.read_text()
                assert before in text, f"{change['file']} has no {before!r}"
                file.write_text(text.replace(before, change["text"] + before, 1))
        for command in checklist.commands:
            run(tree, "env", *_words(command.replace("…", self.lines.get("title", ""))))


def _words(command: str) -> list[str]:
    return [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]


def copy_of_tree(folder: Path, addition: Addition) -> Path:
    """Return a copy of the tree as checked in, with links to folders that get nothing."""
    ignored = shutil.ignore_patterns("node_modules", "dist", "generated", "contributing")
    changed = {path.partition("/")[0] for path in addition.paths} | {"api", "tests"}
    for name in TOP:
        if name in changed:
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=ignored)
        else:
            (folder / name).symlink_to(ROOT / name)
    for path in ("node_modules", "src/generated"):
        if "webui" in changed and (ROOT / "webui" / path).is_dir():
            (folder / "webui" / path).symlink_to(ROOT / "webui" / path)
    (folder / "output").mkdir()
    (folder / "output" / "venv").symlink_to(sys.prefix)
    return folder


def run(tree: Path, *command: str, folder: str = ".") -> None:
    """Run a command in a folder of the copy. Raises AssertionError with its output if it fails."""
    paths = ("api", "tests", "tests/unit", "tests/contract", "board")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    process = subprocess.run(
        command, cwd=tree / folder, env=environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, f"{command}\n{process.stdout[-4000:]}\n{process.stderr[-4000:]}"
