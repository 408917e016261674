"""The figures, as a table for people and as JSON in output/bench for programs."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from lab import paths

DIRECTORY = paths.REPOSITORY / "output" / "bench"
COLUMNS = ("what", "who", "figure", "against")


@dataclass(frozen=True)
class Line:
    """One figure: `value` in `unit`, or none and the `reason`.

    `what` is measured of `who`; `against` puts it in relation to a peer, as "1.3 x bare writes".
    """

    what: str
    who: str
    value: float | None
    unit: str = "s"
    against: str = ""
    reason: str = ""

    @property
    def number(self) -> str:
        """The figure with three significant digits, without its unit, or why there is none."""
        if self.value is None:
            return f"not measured: {self.reason}"
        digits = 0 if self.value >= 100 else 1 if self.value >= 10 else 2
        return f"{self.value:,.{digits}f}"

    @property
    def figure(self) -> str:
        """The figure with its unit, or why there is none."""
        return self.number if self.value is None else f"{self.number} {self.unit}"


def times(value: float, peer: float, name: str) -> str:
    """Return `value` as a multiple of `peer`, the figure of `name`."""
    return f"{value / peer:.2f} x {name}"


def table(lines: Sequence[Line]) -> str:
    """Return the lines as a table; a cell that repeats the one above is left out."""
    rows = [COLUMNS, *((line.what, line.who, line.figure, line.against) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    printed = []
    above = ""
    for row in rows:
        first = "" if row[0] == above else row[0]
        if first:
            printed.append("-" * (sum(widths) + 3 * len(widths) - 3))
        above = row[0]
        cells = (first, *row[1:])
        printed.append("   ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)).rstrip())
    return "\n".join([*printed[1:], printed[0]])


def across(lines: Sequence[Line]) -> str:
    """Return the lines as a table in Markdown: a column for each `who`, a row for each `what`."""
    columns = list(dict.fromkeys(line.who for line in lines))
    rows: dict[str, dict[str, str]] = {}
    for line in lines:
        cell = f"{line.number} ({line.against})" if line.against else line.number
        rows.setdefault(f"{line.what}, {line.unit}", {})[line.who] = cell
    written = [["what", *columns], ["---"] * (1 + len(columns))]
    written += [[what, *(cells.get(who, "") for who in columns)] for what, cells in rows.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in written)


def save(machine: Mapping[str, str], lines: Sequence[Line]) -> Path:
    """Write all to a new file in DIRECTORY and return its path."""
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    path = DIRECTORY / time.strftime("%Y%m%dT%H%M%S.json")
    content = {"machine": machine, "lines": [asdict(line) for line in lines]}
    path.write_text(json.dumps(content, indent=2) + "\n")
    return path
