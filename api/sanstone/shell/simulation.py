"""The array's answers about objects that are not there: recommended, or only simulated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sanstone.client.rest import Record
from sanstone.shell import values
from sanstone.shell.collection import value_at
from sanstone.shell.layout import Column, table

OPTION = "simulate"
PRIMARY = "block_storage.primary"
_COLUMNS = (
    Column("New Data Aggregate"),
    Column("Usable Size", right=True),
    Column("Disks", right=True),
    Column("RAID Type"),
    Column("RAID Size", right=True),
    Column("Class"),
    Column("Spares Left", right=True),
)
SHOWN = (
    "name",
    "space.block_storage.size",
    f"{PRIMARY}.disk_count",
    f"{PRIMARY}.raid_type",
    f"{PRIMARY}.raid_size",
    f"{PRIMARY}.disk_class",
    "recommendation.spares_left",
)


def is_requested(options: Mapping[str, str]) -> bool:
    """Return whether a change shall only be simulated."""
    return options.get(OPTION) == "true"


def lines(answer: Record, width: int, units: str) -> list[str]:
    """Return the aggregates of an answer as a table, and what the array warns of."""
    rows = [_row(record, units) for record in answer["records"]]
    warnings = [
        f"Warning: {each['warning']['message']} {each['action']['message']}"
        for each in answer.get("warnings", ())
    ]
    return [*table(_COLUMNS, rows, width), *warnings]


def _row(record: Record, units: str) -> list[str]:
    cells: list[Any] = [value_at(record, name) for name in SHOWN]
    cells[1] = values.size(cells[1], units)
    return [str(cell) for cell in cells]
