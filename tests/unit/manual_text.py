"""The manual's pages, and the requests and commands in them.

The word after the fence of a block names its way: `gui`, `shell`, `rest`, `ansible`. With the word
`machine` behind that the block needs things that no array in one process has, such as a server: it
is checked, and not run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "webui/manual"
_FENCE = re.compile(r"^```(\w+)( machine)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_GROUP = re.compile(
    r"((?:^```(?:gui|shell|rest|ansible)(?: machine)?\n(?:(?!```).*\n)*```\n+)+)(.*)", re.MULTILINE
)
PROMPT = "sanstone::> "


@dataclass(frozen=True)
class Block:
    """A block of code; `runs` is false where it needs a real machine."""

    page: str
    way: str
    runs: bool
    text: str


def pages() -> list[str]:
    """Return the pages that are written by hand, by their path, in order."""
    return sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.md"))


def read(page: str) -> str:
    """Return the text of a page."""
    return (FOLDER / f"{page}.md").read_text()


def blocks(page: str, *ways: str) -> list[Block]:
    """Return the blocks of a page that are of one of these ways."""
    fences = _FENCE.findall(read(page))
    return [Block(page, way, not mark, text) for way, mark, text in fences if way in ways]


def groups(page: str) -> list[tuple[list[str], str]]:
    """Return the ways of blocks that follow each other, and the line behind them."""
    found = _GROUP.findall(read(page))
    return [([way for way, _, _ in _FENCE.findall(text)], line) for text, line in found]


def typed(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Yield each line that a user types in the shell, and the lines of its answer.

    A line that begins with four blanks goes on with the command above it.
    """
    for part in block.text.split(PROMPT)[1:]:
        first, *rest = part.splitlines()
        while rest and rest[0].startswith("    "):
            first += f" {rest.pop(0).strip()}"
        yield first, [line for line in rest if line.strip()]


def requests(block: Block) -> Iterator[tuple[str, str, str]]:
    """Yield method, path and body of each request."""
    for part in re.split(r"\n\n+", block.text.strip()):
        first, _, body = part.partition("\n")
        method, path = first.split()
        yield method, path, body
