"""Tables and instances as text that fits the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NARROWEST = 6


@dataclass(frozen=True)
class Column:
    """One column of a table; numbers are aligned right."""

    heading: str
    right: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the lines of a table, with cells wrapped so that it fits `width`."""
    natural_widths = [
        max([len(column.heading), *(len(row[index]) for row in rows)])
        for index, column in enumerate(columns)
    ]
    widths = _fitted(natural_widths, width)
    rule = " ".join("-" * size for size in widths)
    heading = _line(columns, [column.heading for column in columns], widths)
    return [*heading, rule, *(line for row in rows for line in _line(columns, row, widths))]


def plain(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table without a rule; none is wrapped."""
    texts = [[column.heading for column in columns], *rows]
    widths = [max(map(len, cells)) for cells in zip(*texts, strict=True)]
    return [line for cells in texts for line in _line(columns, cells, widths)]


def _fitted(widths: list[int], total: int) -> list[int]:
    """Return widths that fit the total, by shrinking the widest columns."""
    fitted = list(widths)
    while sum(fitted) + len(fitted) - 1 > total and max(fitted) > NARROWEST:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _line(columns: Sequence[Column], cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    wrapped = [wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for number in range(max(len(parts) for parts in wrapped)):
        texts = [parts[number] if number < len(parts) else "" for parts in wrapped]
        padded = (
            text.rjust(width) if column.right else text.ljust(width)
            for text, column, width in zip(texts, columns, widths, strict=True)
        )
        lines.append(" ".join(padded).rstrip())
    return lines


def wrap(text: str, width: int) -> list[str]:
    """Split a text into pieces of at most `width`, after a blank or comma where possible."""
    pieces = []
    while len(text) > width:
        cut = max(text.rfind(" ", 0, width + 1), text.rfind(",", 0, width) + 1)
        cut = cut if cut > 0 else width
        pieces.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*pieces, text]


def instance(values: Sequence[tuple[str, str]]) -> list[str]:
    """Return the lines of one object: labels aligned right, a colon, values."""
    edge = max((len(label) for label, _ in values), default=0)
    lines = []
    for label, value in values:
        first, *further = value.splitlines() or [""]
        lines += [f"{label:>{edge}}: {first}", *(f"{'':{edge}}  {line}" for line in further)]
    return lines


def separated(words: Sequence[str], separator: str) -> str:
    """Return one line for a script, each value followed by the separator, as ONTAP does it."""
    return "".join(f"{word}{separator}" for word in words)
