"""An installation on a machine of `machine`, and its state afterwards."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from machine import Machine

from sanstone.core.database import store
from sanstone.install import installer
from sanstone.install.answers import Answers
from sanstone.install.installer import Medium


def install(machine: Machine, content: Medium, choices: Answers) -> tuple[str, list[str]]:
    """Install; return the note about the configuration, and the reports."""
    reported: list[str] = []

    def report(what: str, done: int, whole: int) -> None:
        reported.append(f"{what} {done}/{whole}")

    work = machine.folder / "work"
    return installer.install(machine.host, content, choices, report, work), reported


def rows(machine: Machine, device: str, query: str) -> list[tuple[object, ...]]:
    """Return the rows of a query to the database on a device."""
    database = machine.file_system(device) / "database" / store.FILE
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query).fetchall()
