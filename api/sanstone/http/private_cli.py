"""`private/cli/…`: the few commands of ONTAP's command line that its clients call over REST.

They have no resources and change nothing. `private_cli_tables` has their records, which are flat,
with the command's field names; a client may filter by any of them, with `*` and `|`, and select
`fields`. Commands that are not listed there do not exist: 404. An account of an SVM sees the SVM's
records only.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable

from flask import Flask, Response, g, request
from sqlalchemy import Engine

from sanstone.core.fields import split
from sanstone.core.store import reading
from sanstone.http.answers import answer
from sanstone.http.call import CONTROL
from sanstone.http.private_cli_tables import TABLES, Record, Table
from sanstone.security import confinement


def register(app: Flask, database: Engine) -> None:
    """Add the commands to the application."""
    for path, table in TABLES.items():
        rule = f"/api/private/cli/{path}"
        app.add_url_rule(rule, rule, _view(database, table), strict_slashes=False)


def _view(database: Engine, table: Table) -> Callable[[], Response]:
    def view() -> Response:
        requested = split(request.args.getlist("fields"))
        conditions = {n: t for n, t in request.args.items() if n not in CONTROL}
        with reading(database) as session:
            if g.actor.owner_uuid:
                confinement.confine(session, g.actor.owner_uuid, account=True)
            records = [
                {
                    name: value
                    for name, value in record.items()
                    if _is_shown(name, requested, conditions)
                }
                for record in table(session)
                if all(_matches(record, name, text) for name, text in conditions.items())
            ]
        return answer({"records": records, "num_records": len(records)})

    return view


def _is_shown(name: str, requested: list[str], conditions: dict[str, str]) -> bool:
    every = not requested or "*" in requested or "**" in requested
    return every or name in requested or name in conditions or name == "vserver"


def _matches(record: Record, name: str, text: str) -> bool:
    value = record.get(name.replace("-", "_"), "")
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return any(fnmatch.fnmatchcase(shown, part) for part in text.split("|"))
