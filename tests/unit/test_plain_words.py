"""What people read is in plain words (CONTRIBUTING.md): code, messages, the manual, documents."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("api", "ansible", "board/image", "tests", "webui", "*.md", "board/*.md")
"""Everything that is written here by hand, but for patches, and fragments of the kernel's
configuration: their text is part of the keys of caches, and a word would cost hours of building."""
KEYS = ("tests/lab/debian.py", "tests/lab/initrd.py")
"""Files of such keys, too. A change that has to be in them mends their words."""
EXAMPLES = ("tests/unit/test_plain_words.py",)
FOREIGN = frozenset({"node_modules", "dist", "generated", "collections", "__pycache__"})
"""Folders with nothing by hand."""
PHRASES = re.compile(r"\b(what is|of which|as whom|such a one)\b", re.IGNORECASE)
"""A noun says it: "the content of a disk", not "what is on a disk"."""
NAMES = frozenset({"told", "asked", "made", "begun"})
"""Parts of a name that do not tell what it holds."""
SUSPECT = re.compile(
    r"(?:what[\s#*]+is|of[\s#*]+which|as[\s#*]+whom|such[\s#*]+a[\s#*]+one)|told|asked|made|begun",
    re.I,
)
"""Without a match a source has nothing to find. To parse all of them takes long."""
WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\w'\"`/])//[^\n]*", re.DOTALL)
TEXT = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`")
DECLARED = re.compile(r"\b(?:const|let|function|class|type|interface)\s+(?:[{\[]\s*)?([\w, ]+)")

Sentences = Iterator[tuple[int, str]]


def python_sentences(source: str) -> Sentences:
    """Yield each text, and each run of comments, on one line, with its line's number."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, " ".join(node.value.split())
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


def python_names(source: str) -> Sentences:
    """Yield each name that the source defines, passes or uses, with its line's number."""
    for node in ast.walk(ast.parse(source)):
        for field in ("id", "arg", "attr", "name", "asname"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield getattr(node, "lineno", 0), name


def script_sentences(source: str) -> Sentences:
    """Yield each comment and each text of TypeScript, on one line, with its line's number."""
    for match in (*COMMENT.finditer(source), *TEXT.finditer(source)):
        yield source.count("\n", 0, match.start()) + 1, " ".join(re.split(r"[\s*]+", match[0]))


def script_names(source: str) -> Sentences:
    """Yield each name that TypeScript declares, with its line's number."""
    for match in DECLARED.finditer(source):
        for name in match[1].split(","):
            yield source.count("\n", 0, match.start()) + 1, name


def page_sentences(source: str) -> Sentences:
    """Yield each paragraph of Markdown, without blocks of code, with its line's number."""
    text = CODE.sub(lambda match: "\n" * match[0].count("\n"), source)
    number = 1
    for paragraph in text.split("\n\n"):
        yield number, " ".join(paragraph.split())
        number += paragraph.count("\n") + 2


def no_names(_source: str) -> Sentences:
    """Yield none: prose names nothing."""
    return iter(())


READERS: dict[str, tuple[Callable[[str], Sentences], Callable[[str], Sentences]]] = {
    ".py": (python_sentences, python_names),
    **dict.fromkeys((".ts", ".tsx", ".mjs"), (script_sentences, script_names)),
    **dict.fromkeys((".md", ".yml"), (page_sentences, no_names)),
}


def findings(source: str, suffix: str = ".py") -> list[str]:
    """Return a line for each phrase and name that is none."""
    if not SUSPECT.search(source):
        return []
    sentences, names = READERS[suffix]
    found = [
        f'{line}: "{match[0]}" in: {text}'
        for line, text in sentences(source)
        for match in PHRASES.finditer(text)
    ]
    return found + [
        f"{line}: the name {name}"
        for line, name in names(source)
        if not NAMES.isdisjoint(word.lower() for word in WORDS.findall(name))
    ]


def files(part: str) -> list[Path]:
    """Return a part's files that are by hand."""
    inside = (file for path in ROOT.glob(part) for file in (path, *path.rglob("*")))
    return sorted(
        file
        for file in inside
        if file.suffix in READERS
        and FOREIGN.isdisjoint(file.relative_to(ROOT).parts)
        and str(file.relative_to(ROOT)) not in KEYS + EXAMPLES
    )


@pytest.mark.parametrize("part", PARTS)
def test_words_are_plain(part: str) -> None:
    assert files(part)
    wrong = [
        f"{file.relative_to(ROOT)}:{finding}"
        for file in files(part)
        for finding in findings(file.read_text(), file.suffix)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("source", "suffix"),
    [
        ('"""Return what is\n\non a disk."""\n', ".py"),
        ("# One of\n# which nothing is known.\n", ".py"),
        ("x = 1\n'''As whom it runs.'''\n", ".py"),
        ('raise ValueError(f"{x} lost what is at its end")\n', ".py"),
        ("def run(told: str) -> None: ...\n", ".py"),
        ("run(is_begun=True)\n", ".py"),
        ("class VolumesAsked: ...\n", ".py"),
        ("import answers as asked\n", ".py"),
        ("/**\n * Return what\n * is on a disk.\n */\n", ".ts"),
        ("go(); // of which nothing is known\n", ".ts"),
        ("t('It loses what is there.');\n", ".tsx"),
        ("const [isAsked, setOpen] = useState(false);\n", ".tsx"),
        ("A disk, or\nwhat is on it.\n\n```\nwhat is\n```\n", ".md"),
    ],
)
def test_riddles_are_found(source: str, suffix: str) -> None:
    assert len(findings(source, suffix)) == 1


@pytest.mark.parametrize(
    ("source", "suffix"),
    [
        ('"""What it holds; md made it."""\ntext = "told of it"  # It was asked for.\n', ".py"),
        ("what is = made(`told ${x}`); // It was asked for.\n", ".ts"),
        ("What it holds.\n\n```\necho what is\n```\n", ".md"),
    ],
)
def test_plain_words_are_left_alone(source: str, suffix: str) -> None:
    assert findings(source, suffix) == []
