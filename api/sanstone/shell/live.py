"""Values that a parameter may have, from the array's current objects."""

from __future__ import annotations

from collections.abc import Mapping

from sanstone.client.errors import ClientError
from sanstone.shell.collection import UP, Collection
from sanstone.shell.parameters import Parameter
from sanstone.shell.session import Session
from sanstone.shell.tree import Command
from sanstone.shell.values import is_literal, to_query
from sanstone.shell.words import Word

MOST = 200
VOLUMES = "storage/volumes"


def values(
    session: Session,
    command: Command,
    parameter: Parameter,
    bound: Mapping[str, Word],
    prefix: str,
) -> list[str]:
    """Return the values that begin with a prefix, at most 200 of them, in order."""
    if parameter.words:
        return [word for word in parameter.words if word.lower().startswith(prefix.lower())]
    if parameter.word == "fields" and not parameter.field:
        shown = [p.word for p in command.visible(session.settings.privilege) if p.field]
        return sorted(word for word in shown if word.startswith(prefix))
    if any(char in prefix for char in '*!|<>"'):
        return []
    try:
        with session.array.without_asking():
            candidates = _live(session, command, parameter, bound, prefix)
    except ClientError:
        # Completion is a convenience: an array that does not answer must not disturb a line that is
        # being typed; the command itself will report the error.
        return []
    return sorted(candidates)[:MOST]


def _live(
    session: Session,
    command: Command,
    parameter: Parameter,
    bound: Mapping[str, Word],
    prefix: str,
) -> set[str]:
    own, field = command.collection, parameter.field
    names_old = field.startswith(UP) or not command.creates
    if own and names_old and any(key.field == field for key in own.keys):
        while field.startswith(UP) and own.parent:
            own, field = own.parent, field.removeprefix(UP)
        return _names(session, own, field, _confined(own, bound), prefix)
    source = session.collections.get(parameter.source)
    if source and source.keys:
        return _names(session, source, source.keys[-1].field, _confined(source, bound), prefix)
    volumes = session.collections.get(VOLUMES)
    if parameter.kind == "lun_path" and volumes:
        start = prefix.removeprefix("/vol/") if prefix.startswith("/vol/") else ""
        if "/" not in start:
            names = _names(session, volumes, "name", _confined(volumes, bound), start)
            return {f"/vol/{name}/" for name in names}
    return set()


def _confined(collection: Collection, bound: Mapping[str, Word]) -> dict[str, str]:
    """Return filters for the keys of a collection that are on the line already."""
    return {
        key.field: to_query(key, bound[key.word])
        for key in collection.keys
        if key.word in bound and is_literal(key, bound[key.word])
    }


def _names(
    session: Session, collection: Collection, field: str, query: dict[str, str], prefix: str
) -> set[str]:
    query = {**query, field: f"{prefix}*"}
    rows = collection.rows(session.array, query, [field])
    return {str(row[field]) for row in rows if row.get(field) is not None}
