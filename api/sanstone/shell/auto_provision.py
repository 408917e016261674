"""`storage aggregate auto-provision`: show what to make of the spare disks, and make it."""

from __future__ import annotations

from typing import Any

from sanstone.client.rest import Record
from sanstone.shell import rehearsal, values
from sanstone.shell.arguments import Arguments
from sanstone.shell.collection import value_at
from sanstone.shell.layout import Column, table
from sanstone.shell.session import Session
from sanstone.shell.tree import Command

PATH = "storage/aggregates"
_PRIMARY = "block_storage.primary"
_COLUMNS = (
    Column("New Data Aggregate"),
    Column("Usable Size", right=True),
    Column("Disks", right=True),
    Column("RAID Type"),
    Column("RAID Size", right=True),
    Column("Class"),
    Column("Spares Left", right=True),
)
_SHOWN = (
    "name",
    "space.block_storage.size",
    f"{_PRIMARY}.disk_count",
    f"{_PRIMARY}.raid_type",
    f"{_PRIMARY}.raid_size",
    f"{_PRIMARY}.disk_class",
    "recommendation.spares_left",
)
_ASKED = "Do you want to create recommended aggregates?"


def run(session: Session, _arguments: Arguments) -> None:
    """Show the recommendation, and create it after confirmation."""
    fields = ",".join((*_SHOWN, f"{_PRIMARY}.disks"))
    found = list(session.array.records(PATH, {"recommend": "true", "fields": fields}))
    if not found:
        session.write(["There are too few spare disks for an aggregate."])
        return
    rows = [_row(record, session.settings.units) for record in found]
    session.write(table(_COLUMNS, rows, session.width()))
    if not session.confirm(_ASKED):
        return
    for record in found:
        session.array.create(PATH, _body(record))
        if session.settings.dry_run:
            session.write(rehearsal.lines(session.array.tried, session.settings.units))
        else:
            session.write([f"Aggregate {record['name']} was created."])


def _row(record: Record, units: str) -> list[str]:
    cells: list[Any] = [value_at(record, name) for name in _SHOWN]
    cells[1] = values.size(cells[1], units)
    return [str(cell) for cell in cells]


def _body(record: Record) -> Record:
    """Return the request for exactly what was shown: spares may have changed since."""
    names = ("name", f"{_PRIMARY}.raid_type", f"{_PRIMARY}.raid_size", f"{_PRIMARY}.disks")
    return {name: value_at(record, name) for name in names}


COMMANDS = (
    Command(
        ("storage", "aggregate", "auto-provision"),
        "Recommend aggregates of the spare disks, and create them",
        run,
    ),
)
