"""`cluster/software/upload`: giving the array an update package that lies on one's own machine.

The file comes in pieces, in order, each the body of one POST that tells its `offset` and the `size`
of the whole. So no connection is held for minutes, nginx buffers no more than one piece, a sender
knows how far it is, and a piece that was lost is sent again. The last one answers with the job of
looking at the package, as a download does (`cluster/software/download` tells how that goes).

An upload is kept in the API's own folder and is a stranger's until its signature is checked, by
root, on a copy that the API cannot change (`reconcile.long_jobs.package_download`).
"""

from __future__ import annotations

import fcntl
import os
import shutil
from typing import Any

from flask import Flask, Response, current_app, g, request

from sanstone.core import errors, jobs, places
from sanstone.core.database import store
from sanstone.core.database.change import Change
from sanstone.core.declaration import values
from sanstone.core.declaration.resource import Field
from sanstone.core.declaration.types import Integer
from sanstone.http.answers import answer
from sanstone.resources.cluster import software_download
from sanstone.resources.cluster.software import require_idle
from sanstone.security import accounts

PATH = "/api/cluster/software/upload"
TYPE = "application/octet-stream"
LARGEST = 1 << 31
"""Bytes of a file; what a package may have is checked where it is looked at."""
RESERVE = 256 << 20
"""Bytes that an upload leaves free beside its copy."""
_PARAMETERS = (
    Field("offset", Integer(0, LARGEST), "Where the piece begins.", required=True),
    Field("size", Integer(1, LARGEST), "Bytes of the whole file.", required=True),
)


def register(app: Flask) -> None:
    """Add the route."""

    @app.post(PATH)
    def _upload() -> Response:
        if g.actor.owner_uuid:
            text = "Accounts of an SVM may not POST cluster/software/upload."
            raise errors.ApiError(403, errors.FORBIDDEN, text)
        offset, size = _place()
        piece = request.get_data()
        if not piece or offset + len(piece) > size:
            raise errors.invalid("The piece does not lie within the file.", "offset")
        if offset == 0:
            with store.reading(current_app.extensions["sanstone"]) as session:
                require_idle(session)
            _require_room(size)
        _append(piece, offset, size)
        received = {"received": offset + len(piece), "size": size}
        if offset + len(piece) < size:
            # Of some hundred pieces the audit log has the last.
            g.tried = True
            return answer(received)
        return answer(received | {"job": _order()}, 202)


def _place() -> tuple[int, int]:
    """Return the offset of the piece and the size of the file. Raises ApiError."""
    if request.mimetype != TYPE:
        raise errors.invalid(f"The body must be {TYPE}.", code=errors.INVALID)
    for name in request.args.keys() - {each.name for each in _PARAMETERS}:
        raise errors.unexpected(name)
    for each in _PARAMETERS:
        if each.name not in request.args:
            raise errors.missing(each.name)
    offset, size = (values.checked(each, request.args[each.name]) for each in _PARAMETERS)
    return offset, size


def _require_room(size: int) -> None:
    """Raise ApiError unless there is room for the file and the copy that is looked at."""
    room = shutil.disk_usage(places.api_directory()).free - RESERVE
    if 2 * size > room:
        text = f"There is room for a package of {max(0, room // 2) >> 20} MiB, not of {size >> 20}."
        raise errors.conflict(text, "size")


def _append(piece: bytes, offset: int, size: int) -> None:
    """Write the next piece of the file. Raises ApiError when it is not the next one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    with os.fdopen(os.open(places.uploaded_package(), flags, 0o600), "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if offset == 0:
            file.truncate(0)
        there = os.fstat(file.fileno()).st_size
        # A piece comes twice if its answer was lost.
        if offset > there or offset + len(piece) < there:
            text = f"The array has the first {there} bytes of the file; another upload may run."
            raise errors.conflict(text, "offset")
        file.seek(offset)
        file.write(piece)
        file.flush()
        if offset + len(piece) == size:
            os.fsync(file.fileno())


def _order() -> dict[str, Any]:
    """Have the package looked at; return the link of the job."""
    with store.writing(current_app.extensions["sanstone"]) as session:
        accounts.act(session, g.actor)
        change = Change(session)
        software_download.take_uploaded(change)
        job = jobs.queue(change, f"POST {PATH}", "")
        session.expunge(job)
    jobs.wake()
    return {"uuid": job.uuid, "_links": {"self": {"href": f"/api/cluster/jobs/{job.uuid}"}}}


def describe() -> dict[str, Any]:
    """Return the operation for the OpenAPI description, but for its answers."""
    return {
        "summary": "Upload a piece of a software package",
        "description": "Gives the array an update package from one's own machine, in pieces of at "
        "most 1 MiB, in order. `offset` is where a piece begins, 0 begins a new file; `size` is "
        "that of the whole file. The answer to the last piece has the job of looking at the "
        "package, which is then in `cluster/software/packages`; `cluster/software/download` tells "
        "how that goes.",
        "parameters": [
            {
                "name": each.name,
                "in": "query",
                "required": True,
                "schema": {"type": "integer", "minimum": least, "maximum": LARGEST},
                "description": each.doc,
            }
            for each, least in zip(_PARAMETERS, (0, 1), strict=True)
        ],
        "requestBody": {
            "required": True,
            "content": {TYPE: {"schema": {"type": "string", "format": "binary"}}},
        },
    }


def described_answer() -> dict[str, Any]:
    """Return the schema of the answer."""
    number = {"type": "integer"}
    return {
        "type": "object",
        "properties": {"received": number, "size": number, "job": {"type": "object"}},
    }
