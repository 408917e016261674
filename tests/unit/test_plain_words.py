"""Docstrings, comments and names of finished parts are in plain words (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("api/sanstone", "board/image", "ansible/generate", "ansible/plugins")
"""What is written here by hand and finished; a part joins once it has none of these words."""
PHRASES = re.compile(r"\b(what is|of which|as whom|such a one)\b", re.IGNORECASE)
"""A noun says it: "the content of a disk", not "what is on a disk"."""
NAMES = frozenset({"told", "asked", "made", "begun"})
"""Parts of a name that do not tell what it holds."""


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """Yield each docstring, and each run of comments, on one line, with its line's number."""
    for node in ast.walk(ast.parse(source)):
        text = node.value if isinstance(node, ast.Expr) else None
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield text.lineno, " ".join(text.value.split())
    lines: list[str] = []
    number = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != number + 1:
                yield number, " ".join(lines)
                lines = []
            number = token.start[0]
            lines.append(token.string.lstrip("# "))
    yield number, " ".join(lines)


def names(source: str) -> Iterator[tuple[int, str]]:
    """Yield each name that the source defines, passes or uses, with its line's number."""
    for node in ast.walk(ast.parse(source)):
        for field in ("id", "arg", "attr", "name", "asname"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield getattr(node, "lineno", 0), name


def findings(source: str) -> list[str]:
    """Return a line for each phrase and name that is none."""
    found = [
        f'{line}: "{match[0]}" in: {text}'
        for line, text in sentences(source)
        for match in PHRASES.finditer(text)
    ]
    return found + [
        f"{line}: the name {name}"
        for line, name in names(source)
        if not NAMES.isdisjoint(name.lower().split("_"))
    ]


@pytest.mark.parametrize("part", PARTS)
def test_finished_parts_have_plain_words(part: str) -> None:
    wrong = [
        f"{file.relative_to(ROOT)}:{finding}"
        for file in sorted((ROOT / part).rglob("*.py"))
        for finding in findings(file.read_text())
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "source",
    [
        '"""Return what is\n\non a disk."""\n',
        "# One of\n# which nothing is known.\n",
        "x = 1\n'''As whom it runs.'''\n",
        "def run(told: str) -> None: ...\n",
        "run(is_begun=True)\n",
        "class Asked: ...\n",
        "import answers as asked\n",
    ],
)
def test_riddles_are_found(source: str) -> None:
    assert len(findings(source)) == 1


def test_plain_words_are_left_alone() -> None:
    source = '"""What it holds; md made it."""\ntext = "told of which"  # It was asked for.\n'
    assert findings(source) == []
