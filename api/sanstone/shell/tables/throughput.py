"""Limits of throughput as ONTAP's commands write them: `1000iops`, `100MB/s`, both, or `INF`.

Their units are powers of ten, and none is left out (ONTAP's `qos policy-group create`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sanstone.shell.errors import ShellError, invalid_value
from sanstone.shell.place import Derived, Extra

WITHOUT = frozenset({"inf", "none", "0"})
"""Words for no limit."""
_PART = re.compile(r"(\d+(?:\.\d+)?)(iops|[kmgt]?b/s)", re.IGNORECASE)
_MEGABYTES = {
    "b/s": Decimal("1e-6"),
    "kb/s": Decimal("1e-3"),
    "mb/s": Decimal(1),
    "gb/s": Decimal(1000),
    "tb/s": Decimal(10**6),
}


def throughput(end: str, doc: str) -> Extra:
    """Return the parameter of one end, `max` or `min`, in place of those for each unit."""
    word = f"{end}-throughput"
    return Extra(word, "text", doc, _members(end, word), many=True, does=("create", "modify"))


def shown_throughput(end: str, without: str, doc: str) -> Derived:
    """Return a column of one end in one word, `without` where there is no limit."""
    units = {f"fixed.{end}_throughput_iops": "IOPS", f"fixed.{end}_throughput_mbps": "MB/s"}

    def text(row: dict[str, Any]) -> str:
        parts = [f"{row[name]}{unit}" for name, unit in units.items() if row[name]]
        return ",".join(parts) or without

    return Derived(f"{end}-throughput", doc, tuple(units), text)


def _members(end: str, word: str) -> Callable[[list[str]], dict[str, Any]]:
    def body(parts: list[str]) -> dict[str, Any]:
        # A limit takes the place of the one before as a whole.
        limit = {"iops": 0, "mbps": 0}
        if len(parts) == 1 and parts[0].lower() in WITHOUT:
            parts = []
        for part in parts:
            unit, count = _read(part, word)
            if limit[unit]:
                raise invalid_value(",".join(parts), f"-{word}")
            limit[unit] = count
        return {f"fixed.{end}_throughput_{unit}": count for unit, count in limit.items()}

    return body


def _read(text: str, word: str) -> tuple[str, int]:
    """Return the unit of the API and the number of one part. Raises ShellError."""
    match = _PART.fullmatch(text)
    if not match:
        usage = f"-{word} {{<integer>iops|<integer>MB/s|INF}}, ..."
        raise invalid_value(text, usage)
    factor = _MEGABYTES.get(match[2].lower())
    count = Decimal(match[1]) * (factor or 1)
    if count != int(count) or not count:
        kept = "whole megabytes per second" if factor else "whole operations per second"
        raise ShellError(f'"{text}": limits are kept in {kept}, one at least.')
    return "mbps" if factor else "iops", int(count)
