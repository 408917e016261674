"""Refusals that say why: of changes to what can only be looked at.

Without a route the web framework refuses them too, and an administrator would not learn the reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, Response

from sanstone.core import errors
from sanstone.http.answers import answer


def refuse(
    app: Flask, rule: str, reason: str, methods: Sequence[str] = ("POST", "PATCH", "DELETE")
) -> None:
    """Have `methods` of what can only be read answer with the reason."""

    def view(**_keys: str) -> Response:
        refusal = errors.ApiError(405, errors.NO_ENDPOINT, reason)
        response = answer(refusal.body(), refusal.status)
        response.headers["Allow"] = "GET, HEAD, OPTIONS"
        return response

    app.add_url_rule(rule, f"{rule} refused", view, methods=methods, strict_slashes=False)
