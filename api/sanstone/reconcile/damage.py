"""A database that turns out to be damaged while the array runs.

Hosts are served on: the targets are the kernel's, and what they serve stays. The reconciler leaves
word of the damage, and has `sanstone-setup` run again. That stops all that uses the database, and
takes the newest copy back from the aggregates, as at a boot (`sanstone.setup`).

The word is in /run, where root alone writes, and is believed: a check of the whole file may miss
the cause of a query's failure, such as an index that lacks an entry.
"""

from __future__ import annotations

from pathlib import Path

from sanstone.core import places
from sanstone.kernel.host import Files, Host

SETUP = "sanstone-setup.service"


class DamagedDatabase(Exception):
    """The database is damaged; the text is what SQLite says of it."""


def report(host: Host, why: str) -> None:
    """Leave word of a damaged database, and have it replaced. Raises HostError."""
    host.files.replace(str(_word()), f"it is damaged: {why}\n")
    host.commands.run(["systemctl", "restart", "--no-block", SETUP])


def reported(files: Files) -> str:
    """Return why the database cannot be used, '' where nobody left word. Raises FileError."""
    return files.read(str(_word())) if files.exists(str(_word())) else ""


def forget(files: Files) -> None:
    """Remove the word, since the database was replaced. Raises FileError."""
    if files.exists(str(_word())):
        files.unlink(str(_word()))


def _word() -> Path:
    return places.run_directory() / "database-damaged"
