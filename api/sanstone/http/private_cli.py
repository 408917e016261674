"""`private/cli/…`: the few commands of ONTAP's command line that its clients call over REST.

They have no resources and change nothing. Records are flat, with the command's field names; a
client may filter by any of them, with `*` and `|`, and select `fields`. Commands that are not
listed here do not exist: 404. An account of an SVM sees the SVM's records only.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator
from typing import Any

from flask import Flask, Response, g, request
from sqlalchemy import Engine, Select, select
from sqlalchemy.orm import Session

from sanstone.core.fields import split
from sanstone.core.resource import Reader
from sanstone.core.store import reading
from sanstone.http.answers import answer
from sanstone.http.call import CONTROL
from sanstone.model.san import Lun
from sanstone.model.volumes import Volume
from sanstone.resources.cluster.node import the_node
from sanstone.resources.storage.thin_device import state
from sanstone.security import confinement

Record = dict[str, Any]
Table = Callable[[Session], Iterator[Record]]


def _of_svm(session: Session, model: Any) -> Select[Any]:
    """Return the statement for the rows that the caller may see."""
    return confinement.narrow(session, model, select(model).order_by(model.uuid))


def _personality(session: Session) -> Iterator[Record]:
    """Answer what `netapp.ontap` queries before it manages LUNs: this is no ASA r2 system."""
    yield {"node": the_node(session).name, "ASA_R2": False, "ASA_NEXT": False}


def _volumes(session: Session) -> Iterator[Record]:
    node = the_node(session).name
    for row in session.scalars(_of_svm(session, Volume)):
        yield {
            "vserver": row.svm.name,
            "volume": row.name,
            "instance_uuid": row.uuid,
            "aggregate": row.aggregate.name,
            "node": node,
            "size": row.size,
            "state": row.state,
            "type": "RW",
            "volume_style_extended": "flexvol",
        }


def _luns(session: Session) -> Iterator[Record]:
    reader, node = Reader(session), the_node(session).name
    for row in session.scalars(_of_svm(session, Lun)):
        yield {
            "vserver": row.svm.name,
            "path": row.name,
            "volume": row.volume.name,
            "lun": row.base_name,
            "node": node,
            "uuid": row.uuid,
            "serial": row.serial_number,
            "serial_hex": row.serial_number.encode().hex(),
            "ostype": row.os_type,
            "state": state(row, reader),
            "size": row.size,
            "size_used": reader.seen(row.kind, row.uuid).get("used", 0),
        }


def _deleted_volumes(_session: Session) -> Iterator[Record]:
    """Return nothing: a deleted volume is gone at once."""
    yield from ()


def _efficient_volumes(_session: Session) -> Iterator[Record]:
    """Return nothing: no volume's data is reduced."""
    yield from ()


TABLES: dict[str, Table] = {
    "debug/smdb/table/OntapMode": _personality,
    "debug/smdb/table/OntapPersonality": _personality,
    "lun": _luns,
    "volume": _volumes,
    "volume/efficiency": _efficient_volumes,
    "volume/recovery-queue": _deleted_volumes,
}


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
    value = str(record.get(name.replace("-", "_"), ""))
    return any(fnmatch.fnmatchcase(value, part) for part in text.split("|"))
