"""The WSGI application: `sanstone.http.app:create_app()`.

Every answer, an error of the framework included, is a JSON object in ONTAP's form. The application
has no privileges and touches nothing but the database and the reconciler's wake-up socket.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from flask import Flask, Response, request
from sqlalchemy.exc import DatabaseError
from werkzeug.exceptions import HTTPException

from sanstone.core import errors
from sanstone.core.database import store, turns
from sanstone.http import (
    actions,
    admission,
    audit,
    auth,
    busy,
    descriptions,
    empty_lists,
    private_cli,
    prometheus,
    routes,
    software_upload,
    support_download,
)
from sanstone.http.answers import answer
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.security import openssl

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MOST_BODY = 1024 * 1024
"""Bytes; nginx accepts a little more (nginx.conf). Uploads come in pieces."""
log = logging.getLogger(__name__)


def create_app() -> Flask:
    """Return the application on the array's database. Raises MissingPrograms."""
    openssl.require()
    # It has no files of its own, for which Flask would search where Python finds packages.
    app = Flask("sanstone", static_folder=None, instance_path="/nonexistent")
    app.url_rule_class = routes.MatchedRule
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY
    app.url_map.merge_slashes = False
    slashed = _with_single_slashes(app.wsgi_app)
    app.wsgi_app = admission.Admission(slashed)  # type: ignore[assignment,method-assign]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    database = store.engine(store.path(), store.PATIENCE)
    app.extensions["sanstone"] = database
    audit.install(app, database)
    auth.install(app, database)
    admission.install(app)
    prometheus.register(app)
    software_upload.register(app)
    support_download.register(app)
    for resource in RESOURCES:
        routes.register(app, resource)
    for action in ACTIONS:
        actions.register(app, action)
    private_cli.register(app, database)
    empty_lists.register(app, (resource.path for resource in RESOURCES))
    descriptions.register(app, (*RESOURCES, *ACTIONS))

    @app.errorhandler(errors.ApiError)
    def _refused(error: errors.ApiError) -> Response:
        response = answer(error.body(), error.status)
        if error.retry_after:
            response.headers["Retry-After"] = str(error.retry_after)
        return response

    @app.errorhandler(turns.NoTurn)
    @app.errorhandler(DatabaseError)
    def _not_written(error: turns.NoTurn | DatabaseError) -> Response:
        refusal = busy.refusal(error)
        return _broken(error) if refusal is None else _refused(refusal)

    @app.errorhandler(HTTPException)
    def _framework(error: HTTPException) -> Response:
        status = error.code or 500
        code = errors.NO_ENDPOINT if status in (404, 405) else errors.INVALID
        refusal = errors.ApiError(status, code, _reason(status, error))
        response = answer(refusal.body(), status)
        if status == 405 and error.get_response().headers.get("Allow"):
            response.headers["Allow"] = error.get_response().headers["Allow"]
        return response

    @app.errorhandler(Exception)
    def _broken(error: Exception) -> Response:
        log.error("internal error", exc_info=error)
        text = "An internal error occurred; the array's log has its details."
        return answer(errors.ApiError(500, errors.INTERNAL, text).body(), 500)

    return app


def _reason(status: int, error: HTTPException) -> str:
    """Return a reason that helps an administrator, in place of the framework's advice."""
    if status == 404:
        return f'There is no endpoint "{request.path}".'
    if status == 405:
        return f'{request.method} is not possible at "{request.path}".'
    return error.description or error.name


def _with_single_slashes(inner: WSGIApplication) -> Callable[..., Iterable[bytes]]:
    """Wrap the application to take several slashes in a path for one, as clients' paths have them.

    Those that are encoded are parts of keys, which may begin with one. Servers decode PATH_INFO and
    keep what they were sent as RAW_URI.
    """

    def application(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        sent = str(environ.get("RAW_URI", "")).partition("?")[0]
        if sent.startswith("/") and "//" in sent:
            single = unquote_to_bytes(re.sub("/+", "/", sent))
            environ["PATH_INFO"] = single.decode("latin-1")
        return inner(environ, start)

    return application
