"""Collections of ONTAP that are always empty here, since the array has nothing of the kind.

Clients ask for them in passing, before they delete a volume or remove an interface, and take a 404
for a failure. Whatever is asked of them, the answer is that there is none; who wants to make one is
told why that cannot be.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response

from sanstone.core import errors
from sanstone.core.store import reading
from sanstone.http.answers import answer
from sanstone.resources.fc_port import require_adapter

EMPTY = {
    "cluster/licensing/licenses": "nothing is licensed",
    "cluster/peers": "there are no peers",
    "network/fc/interfaces": "nothing is served over Fibre Channel",
    "network/fc/logins": "nothing is served over Fibre Channel",
    "snapmirror/policies": "nothing is replicated",
    "snapmirror/relationships": "nothing is replicated",
    "svm/peers": "there are no peers",
}
"""Path, and why there is nothing."""


def register(app: Flask) -> None:
    """Add the collections to the application."""
    for path, reason in EMPTY.items():
        rule = f"/api/{path}"
        app.add_url_rule(rule, rule, _nothing, strict_slashes=False)
        app.add_url_rule(f"{rule}/<path:key>", f"{rule}/", _unknown(reason))

    @app.post("/api/network/fc/interfaces", strict_slashes=False)
    def _no_interface() -> Response:
        with reading(app.extensions["sanstone"]) as session:
            require_adapter(session)
        text = "LUNs and namespaces are not served over Fibre Channel yet: it has no interfaces."
        raise errors.ApiError(405, errors.NO_ENDPOINT, text)


def _nothing() -> Response:
    return answer({"records": [], "num_records": 0})


def _unknown(reason: str) -> Callable[[str], Response]:
    def view(key: str) -> Response:
        raise errors.unknown(f'The entry "{key}" ({reason})')

    return view
