"""`storage aggregate auto-provision`: show what to make of the spare disks, and make it."""

from __future__ import annotations

from sanstone.client.rest import Record
from sanstone.shell import rehearsal, simulation
from sanstone.shell.arguments import Arguments
from sanstone.shell.collection import value_at
from sanstone.shell.session import Session
from sanstone.shell.simulation import PRIMARY
from sanstone.shell.tree import Command

PATH = "storage/aggregates"
_QUESTION = "Do you want to create recommended aggregates?"


def run(session: Session, _arguments: Arguments) -> None:
    """Show the recommendation, and create it after confirmation."""
    fields = ",".join((*simulation.SHOWN, f"{PRIMARY}.disks"))
    answer = session.array.get(PATH, {"recommend": "true", "fields": fields})
    recommended = answer["records"]
    if not recommended:
        session.write(["There are too few spare disks for an aggregate."])
        return
    session.write(simulation.lines(answer, session.width(), session.settings.units))
    if not session.confirm(_QUESTION):
        return
    for record in recommended:
        session.array.create(PATH, _body(record))
        if session.settings.dry_run:
            session.write(rehearsal.lines(session.array.tried, session.settings.units))
        else:
            session.write([f"Aggregate {record['name']} was created."])


def _body(record: Record) -> Record:
    """Return the request for exactly what was shown: spares may have changed since."""
    names = ("name", f"{PRIMARY}.raid_type", f"{PRIMARY}.raid_size", f"{PRIMARY}.disks")
    return {name: value_at(record, name) for name in names}


COMMANDS = (
    Command(
        ("storage", "aggregate", "auto-provision"),
        "Recommend aggregates of the spare disks, and create them",
        run,
    ),
)
