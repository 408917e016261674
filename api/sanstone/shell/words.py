"""A line as words.

Blanks separate words and `;` separates commands, except within "quotation marks", where a backslash
makes the next mark or backslash plain, and within { braces }, which may be nested. A word knows
where it stands, so that completion can replace it, and whether it was quoted: what is quoted is
taken literally, it is neither a parameter nor a query.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.shell.errors import ShellError

QUOTE = '"'


@dataclass(frozen=True)
class Word:
    """One word; `start` is its place in the line, `open` tells a quotation or brace not closed."""

    text: str
    start: int
    quoted: bool = False
    open: bool = False

    @property
    def braced(self) -> bool:
        """Return whether the word is a { set }."""
        return not self.quoted and self.text.startswith("{")


def commands(line: str) -> list[list[Word]]:
    """Return the commands of a line as words. Raises ShellError for what is not closed."""
    found = scan(line)
    for words in found:
        for word in words:
            if word.open:
                what = "brace" if word.braced else "quotation mark"
                raise ShellError(f"missing closing {what} in {line[word.start :]}")
    return [words for words in found if words]


def scan(line: str) -> list[list[Word]]:
    """Return the commands of a line as it stands while it is typed."""
    found: list[list[Word]] = [[]]
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
        elif line[at] == ";":
            found.append([])
            at += 1
        else:
            word, at = _word(line, at)
            found[-1].append(word)
    return found


def _word(line: str, start: int) -> tuple[Word, int]:
    if line[start] == "{":
        return _braced(line, start)
    text, at, quoted, inside = "", start, False, False
    while at < len(line):
        char = line[at]
        if inside and char == "\\" and line[at + 1 : at + 2] in (QUOTE, "\\"):
            text += line[at + 1]
            at += 1
        elif char == QUOTE:
            inside, quoted = not inside, True
        elif not inside and (char.isspace() or char == ";"):
            break
        else:
            text += char
        at += 1
    return Word(text, start, quoted, inside), at


def _braced(line: str, start: int) -> tuple[Word, int]:
    depth, inside = 0, False
    for at in range(start, len(line)):
        char = line[at]
        if char == QUOTE:
            inside = not inside
        elif not inside:
            depth += {"{": 1, "}": -1}.get(char, 0)
        if depth == 0:
            return Word(line[start : at + 1], start), at + 1
    return Word(line[start:], start, open=True), len(line)


def quote(text: str) -> str:
    """Return a text as it must be typed to be one word that is taken literally."""
    if text and not any(char.isspace() or char in '";{}?' for char in text):
        return text
    escaped = text.replace("\\", "\\\\").replace(QUOTE, "\\" + QUOTE)
    return f"{QUOTE}{escaped}{QUOTE}"
