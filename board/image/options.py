"""Options of Kconfig: requested ones, with their place in a file, against obtained ones.

A file asks by `SYMBOL=value` or `# SYMBOL is not set`; of several that speak of one symbol the last
counts, as it does for Kconfig. A value must be obtained as it stands: a module that became built in
(`m`, `y`) is reported too, since that is decided elsewhere than its line says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

NOT_SET = "n"
_SET = re.compile(r"(?P<symbol>(?:CONFIG|BR2)_\w+)=(?P<value>.+)")
_UNSET = re.compile(r"# (?P<symbol>(?:CONFIG|BR2)_\w+) is not set")
_CONFIG = re.compile(r"(?:menu)?config (?P<symbol>\w+)")
# A selection under a condition need not happen.
_SELECT = re.compile(r"\s+select (?P<symbol>BR2_\w+)\s*(?:#.*)?")


class Malformed(Exception):
    """A line that Kconfig would pass over; the text names file and line."""


@dataclass(frozen=True)
class Request:
    """One option as a file asks for it; `value` is `n` for one that must not be set."""

    file: Path
    line: int
    symbol: str
    value: str

    def answer(self, obtained: Mapping[str, str]) -> str | None:
        """Return what there is to say when it was not obtained, or None when it was."""
        got = obtained.get(self.symbol, NOT_SET)
        if got == self.value:
            return None
        requested, shown = ("not set" if value == NOT_SET else value for value in (self.value, got))
        return f"{self.file}:{self.line}: {self.symbol}: asked for {requested}, obtained {shown}"


def requests(files: Iterable[Path]) -> list[Request]:
    """Return what `files` (defconfigs, fragments) ask for, the last mention of each symbol alone.

    Raises Malformed for a line that is neither an option nor a comment, and OSError.
    """
    last: dict[str, Request] = {}
    for file in files:
        for number, line in _lines(file):
            match = _SET.fullmatch(line)
            unset = _UNSET.fullmatch(line)
            if match:
                last[match["symbol"]] = Request(file, number, match["symbol"], match["value"])
            elif unset:
                last[unset["symbol"]] = Request(file, number, unset["symbol"], NOT_SET)
            elif not line.startswith("#"):
                raise Malformed(f"{file}:{number}: not an option: {line}")
    return list(last.values())


def selections(file: Path, obtained: Mapping[str, str]) -> list[Request]:
    """Return what the options in a Config.in select without a condition, of those that are set."""
    selected = []
    chosen = False
    for number, line in _lines(file):
        config = _CONFIG.fullmatch(line)
        select = _SELECT.fullmatch(line)
        if config:
            chosen = obtained.get(config["symbol"]) == "y"
        elif select and chosen:
            selected.append(Request(file, number, select["symbol"], "y"))
    return selected


def obtained(config: Path) -> dict[str, str]:
    """Return the options that are set in a .config, as they stand there. Raises OSError."""
    matches = (_SET.fullmatch(line) for _, line in _lines(config))
    return {match["symbol"]: match["value"] for match in matches if match}


def written(values: Mapping[str, str]) -> str:
    """Return options as a .config has them, by their names; `n` is one that is not set."""
    return "".join(
        f"# {symbol} is not set\n" if value == NOT_SET else f"{symbol}={value}\n"
        for symbol, value in sorted(values.items())
    )


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        if line.strip():
            yield number, line.rstrip()
