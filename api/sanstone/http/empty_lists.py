"""Collections of ONTAP that are always empty here, since the array has no such objects.

Clients query them in passing, before they delete a volume or remove an interface, and treat a 404
as a failure. Every query returns an empty list; a request to create an object is refused with the
reason. A collection below an object is empty if that object exists. One that a resource declares is
that resource's, and not here any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from flask import Flask, Response, request

from sanstone.core import errors
from sanstone.core.database.store import reading
from sanstone.http.answers import answer
from sanstone.http.refusals import refuse
from sanstone.model.aggregates import Aggregate

NO_PEERS = "the array has no peers"
NO_REPLICATION = "nothing is replicated"
EMPTY = {
    "cluster/ntp/keys": "the array asks time servers without keys",
    "cluster/peers": NO_PEERS,
    "snapmirror/policies": NO_REPLICATION,
    "snapmirror/relationships": NO_REPLICATION,
    "storage/aggregates/<aggregate>/cloud-stores": "nothing is tiered to a cloud",
    "storage/file/clone/split-status": "a clone is split off at once",
    "svm/peer-permissions": NO_PEERS,
    "svm/peers": NO_PEERS,
}
"""The path's rule, and why the collection is empty."""


_PLACEHOLDER = re.compile(r"<[^>]*>|\{[^}]*\}")


def undeclared(paths: Iterable[str]) -> dict[str, str]:
    """Return those collections that are at none of the paths of resources, as `EMPTY` does."""
    declared = {_PLACEHOLDER.sub("*", path) for path in paths}
    return {
        path: reason
        for path, reason in EMPTY.items()
        if _PLACEHOLDER.sub("*", path) not in declared
    }


def register(app: Flask, paths: Iterable[str]) -> None:
    """Add the collections to the application that are at none of the paths of resources."""
    for path, reason in undeclared(paths).items():
        rule = f"/api/{path}"
        app.add_url_rule(rule, rule, _nothing(app), strict_slashes=False)
        app.add_url_rule(f"{rule}/<path:key>", f"{rule}/", _unknown(reason))
        refuse(app, rule, f"None can be created: {reason}.", ["POST"])


def _nothing(app: Flask) -> Callable[..., Response]:
    def view(aggregate: str = "") -> Response:
        if aggregate:
            with reading(app.extensions["sanstone"]) as session:
                if session.get(Aggregate, aggregate) is None:
                    raise errors.unknown(f'aggregate "{aggregate}"')
        wants_total = request.args.get("return_total", "").lower() == "true"
        total = {"total_records": 0} if wants_total else {}
        return answer({"records": [], "num_records": 0} | total)

    return view


def _unknown(reason: str) -> Callable[..., Response]:
    def view(key: str, **_parents: str) -> Response:
        raise errors.unknown(f'"{key}" ({reason})')

    return view
