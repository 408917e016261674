"""`support/bundles/{uuid}/file`: downloading a support bundle.

It has what the array's journal says of everybody, so that only who may make a bundle may have one.
Root writes the file, in a folder of root's; no link is followed nevertheless.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from stat import S_ISREG
from typing import Any, BinaryIO
from uuid import UUID

from flask import Flask, Response, g, request

from sanstone.core import errors, places
from sanstone.core.database.store import reading
from sanstone.model.support import AVAILABLE, SupportBundle
from sanstone.security import roles

COLLECTION = f"/api/{SupportBundle.kind}"
DESCRIBED = f"/{SupportBundle.kind}/{{uuid}}/file"
TYPE = "application/gzip"
_PIECE = 256 << 10


def register(app: Flask) -> None:
    """Add the route."""

    @app.get(f"{COLLECTION}/<uuid>/file")
    def _download(uuid: str) -> Response:
        _require_allowed()
        if request.args:
            raise errors.unexpected(next(iter(request.args)))
        with reading(app.extensions["sanstone"]) as session:
            row = session.get(SupportBundle, _parsed(uuid))
            if row is None:
                raise _unknown(uuid)
            name, state = row.name, row.state
        if state != AVAILABLE:
            raise errors.conflict(f'Support bundle "{name}" is still being created.')
        file = _open(uuid)
        size = os.fstat(file.fileno()).st_size
        response = Response(_pieces(file), mimetype=TYPE)
        response.call_on_close(file.close)
        response.content_length = size
        response.headers.set("Content-Disposition", "attachment", filename=f"{name}.tar.gz")
        response.headers["Cache-Control"] = "no-store"
        return response


def _require_allowed() -> None:
    """Raise ApiError unless the caller may make bundles of the whole array."""
    if g.actor.owner_uuid or "POST" not in roles.allowed(g.actor.privileges, COLLECTION):
        text = f'The role "{g.actor.role}" may make no support bundles, so it may download none.'
        raise errors.ApiError(403, errors.FORBIDDEN, text)


def _parsed(text: str) -> str:
    try:
        parsed = str(UUID(text))
    except ValueError as error:
        raise _unknown(text) from error
    if parsed != text:
        raise _unknown(text)
    return parsed


def _unknown(text: str) -> errors.ApiError:
    return errors.ApiError(404, errors.UNKNOWN, f'There is no support bundle "{text}".')


def _open(key: str) -> BinaryIO:
    """Return the open file of a bundle. Raises ApiError."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        file = os.fdopen(os.open(places.support_bundle(key), flags), "rb")
    except FileNotFoundError as error:
        text = "The file of this support bundle is lost; delete it, and make another."
        raise errors.ApiError(404, errors.UNKNOWN, text) from error
    except OSError as error:
        text = f"The file of this support bundle cannot be read: {error.strerror}."
        raise errors.ApiError(500, errors.INTERNAL, text) from error
    if not S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise errors.ApiError(404, errors.UNKNOWN, "The bundle's place holds no regular file.")
    return file


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


KEYS = [{"name": "uuid", "in": "path", "required": True, "schema": {"type": "string"}}]
"""The parameters of the path, for the OpenAPI description."""


def describe() -> dict[str, Any]:
    """Return the operation for the OpenAPI description."""
    return {
        "get": {
            "summary": "Download a support bundle",
            "description": "Sends the file: a compressed tar archive, with `manifest.json` that "
            "lists its parts and those that are missing. Only who may make bundles may do this.",
            "operationId": "get_support_bundle_file",
            "tags": ["support"],
            "responses": {
                "200": {
                    "description": "The file.",
                    "content": {TYPE: {"schema": {"type": "string", "format": "binary"}}},
                }
            },
        }
    }
