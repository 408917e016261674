"""Copies of rows, put into the database as they are: for lists that are longer than any example.

A copy has another value in each column that identifies a row, and refers to the rows copied with
it. So they are as good as created ones for a reader.
"""

from __future__ import annotations

import ipaddress
import re
import sqlite3
from contextlib import closing
from typing import Any

from sqlalchemy import Column, Table, UniqueConstraint

from sanstone.core.database import store
from sanstone.core.database.store import Base

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SINGLE = frozenset({"cluster"})
"""Tables with one row."""


def copy_everything(number: int) -> None:
    """Add a copy of each row of all tables; `number` distinguishes it from other copies."""
    _copy([table for table in Base.metadata.sorted_tables if table.name not in SINGLE], number)


def copy_table(table: Table, number: int) -> None:
    """Add a copy of each row of a table, and of the rows that belong to it alone."""
    copied = {table}
    for each in Base.metadata.sorted_tables:
        keys = [column for column in each.primary_key if column.foreign_keys]
        if any(key.column.table in copied for column in keys for key in column.foreign_keys):
            copied.add(each)
    _copy([each for each in Base.metadata.sorted_tables if each in copied], number)


def _copy(tables: list[Table], number: int) -> None:
    with closing(sqlite3.connect(store.path())) as database, database:
        database.row_factory = sqlite3.Row
        for table in tables:
            changed = {column.name for column in _telling(table, tables)}
            for original in database.execute(f"SELECT * FROM {table.name}").fetchall():
                row = dict(original)
                if table.name == "observed" and not _UUID.search(row["key"]):
                    continue  # A part of the machine, which has no more of them.
                row |= {name: _another(row[name], number) for name in changed}
                marks = ", ".join(f":{name}" for name in row)
                names = ", ".join(f'"{name}"' for name in row)
                database.execute(
                    f"INSERT OR IGNORE INTO {table.name} ({names}) VALUES ({marks})", row
                )


def _telling(table: Table, copied: list[Table]) -> set[Column[Any]]:
    """Return the columns in which a copy has values of its own."""
    unique = {column for column in table.columns if column.primary_key or column.unique}
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            unique |= set(constraint.columns)
    unique |= {column for index in table.indexes if index.unique for column in index.columns}
    referring = {column for column in table.columns if column.foreign_keys}
    to_copies = {
        column
        for column in referring
        if any(key.column.table in copied for key in column.foreign_keys)
    }
    return {c for c in (unique - referring) | to_copies if c.name != "kind"}


def _another(value: Any, number: int) -> Any:
    """Return the value of a copy that stands for a value; empty ones stay what they are."""
    if isinstance(value, int | float):
        return value + number * 100_000
    if not value:
        return value
    replaced = _UUID.sub(lambda uuid: _another_uuid(uuid[0], number), value)
    if replaced != value:
        return replaced
    try:
        return str(ipaddress.ip_address(value) + (number << 16))
    except ValueError:
        return f"{value}-{number}"


def _another_uuid(uuid: str, number: int) -> str:
    return f"{uuid[:-12]}{int(uuid[-12:], 16) + (number << 36):012x}"
