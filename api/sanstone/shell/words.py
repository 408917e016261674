"""Split a line into words.

Blanks separate words and `;` separates commands, except within "quotation marks", where a backslash
escapes the next mark or backslash, and within { braces }, which may be nested. A word records its
position, so that completion can replace it, and whether it was quoted: a quoted word is literal,
neither a parameter nor a query.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.shell.errors import ShellError

QUOTE = '"'


@dataclass(frozen=True)
class Word:
    """One word; `start` is its position in the line, `open` an unclosed quotation or brace."""

    text: str
    start: int
    quoted: bool = False
    open: bool = False

    @property
    def braced(self) -> bool:
        """Return whether the word is a { set }."""
        return not self.quoted and self.text.startswith("{")


def commands(line: str) -> list[list[Word]]:
    """Return the commands of a line as words. Raises ShellError for unclosed marks."""
    split = scan(line)
    for words in split:
        for word in words:
            if word.open:
                mark = "brace" if word.braced else "quotation mark"
                raise ShellError(f"missing closing {mark} in {line[word.start :]}")
    return [words for words in split if words]


def scan(line: str) -> list[list[Word]]:
    """Return the commands of a line that is still being typed."""
    lists: list[list[Word]] = [[]]
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
        elif line[at] == ";":
            lists.append([])
            at += 1
        else:
            word, at = _word(line, at)
            lists[-1].append(word)
    return lists


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
    """Quote a text so that it is one literal word."""
    if text and not any(char.isspace() or char in '";{}?' for char in text):
        return text
    escaped = text.replace("\\", "\\\\").replace(QUOTE, "\\" + QUOTE)
    return f"{QUOTE}{escaped}{QUOTE}"
