"""Refuse changes to read-only objects with a reason.

Without a route the web framework would refuse them too, but without a reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, Response

from sanstone.core import errors
from sanstone.http.answers import answer


def refuse(
    app: Flask, rule: str, reason: str, methods: Sequence[str] = ("POST", "PATCH", "DELETE")
) -> None:
    """Make `methods` of a read-only path answer with the reason."""

    def view(**_keys: str) -> Response:
        refusal = errors.ApiError(405, errors.NO_ENDPOINT, reason)
        response = answer(refusal.body(), refusal.status)
        response.headers["Allow"] = "GET, HEAD, OPTIONS"
        return response

    app.add_url_rule(rule, f"{rule} refused", view, methods=methods, strict_slashes=False)
