"""How many requests a worker of the API takes on at once: as many as it has threads and memory for.

**Where requests enter** they are counted, before anything is known but where they come from. At
most MOST are under way in a worker, fewer than it has threads (gunicorn.conf.py). So a thread is
always there that refuses the next one at once; gunicorn would let it wait for a thread, without an
answer. The last OTHERS of these places are for sources that have no request under way: a source
that fills the rest, with requests that wait for their jobs for example, keeps nobody else out.

**Answers** take memory: a page of 1,500 LUNs with all their fields 23 MB while it is built, and one
of 10,000 takes 140; two of these together 280, and the process keeps a part of that for the next
ones. Python works on one at a time anyway, so READERS are worked on together, and the others wait
in turn, by account and source (see `gate`); each holds its place until its answer is built. A
change needs none: changes take turns (`core/database/turns.py`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing
from threading import Lock
from typing import TYPE_CHECKING

from flask import Flask, g, request
from werkzeug import Response

from sanstone.core import errors
from sanstone.http.answers import PLAIN
from sanstone.security import budget, roles
from sanstone.security.gate import SOON, Gate

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MOST, OTHERS = 56, 16
READERS = 2
ROOM = 30
"""Readers that may wait: more than a script starts at once, and with those that wait to write or
for a password fewer than MOST."""
PATIENCE = 10.0
"""Seconds that a reader waits, which leaves time for its answer within the 45 s after which
`netapp-ontap` gives up."""
CROWDED = "The array works on as many requests as it has room for; try again in a few seconds."


class Admission:
    """A WSGI application that lets another one have at most `most` requests at once.

    The last `others` places are for sources without a request under way.
    """

    def __init__(self, inner: WSGIApplication, most: int = MOST, others: int = OTHERS) -> None:
        self._inner = inner
        self._most, self._others = most, others
        self._lock = Lock()
        self._under_way: Counter[str] = Counter()

    def __call__(
        self, environ: WSGIEnvironment, start: StartResponse
    ) -> Generator[bytes, None, None]:
        """Answer a request. It leaves its place when the last piece of the answer is there to be
        sent (most have one), or when the answer is given up.
        """
        source = budget.source(
            environ.get("REMOTE_ADDR") or environ.get("HTTP_X_FORWARDED_FOR", "")
        )
        if not self._enter(source):
            yield from _refusal()(environ, start)
            return
        with ExitStack() as place:
            place.callback(self._leave, source)
            pieces = place.enter_context(closing(_closed(self._inner(environ, start))))
            piece = next(pieces, b"")
            for following in pieces:
                yield piece
                piece = following
        if piece:
            yield piece

    def _enter(self, source: str) -> bool:
        with self._lock:
            free = self._most - self._under_way.total()
            if free <= (self._others if self._under_way[source] else 0):
                return False
            self._under_way[source] += 1
            return True

    def _leave(self, source: str) -> None:
        with self._lock:
            self._under_way[source] -= 1
            # Of whom nothing is under way nothing is kept.
            self._under_way += Counter()


def _closed(answer: Iterable[bytes]) -> Generator[bytes, None, None]:
    """Yield an application's answer, and close it as PEP 3333 requires."""
    close: Callable[[], None] = getattr(answer, "close", lambda: None)
    try:
        yield from answer
    finally:
        close()


def _refusal() -> Response:
    error = errors.again(503, CROWDED, SOON)
    headers = {"Retry-After": str(error.retry_after)}
    return Response(json.dumps(error.body()), error.status, headers, mimetype=PLAIN)


def install(app: Flask) -> None:
    """Have the application's requests wait in turn, once it is known who sends them."""
    readers = Gate(ROOM, PATIENCE, READERS, CROWDED)

    @app.before_request
    def _take_place() -> None:
        if "actor" not in g or request.method not in roles.READING:
            return
        g.place = ExitStack()
        g.place.enter_context(readers.place(f"{g.actor.account} {budget.source(g.actor.address)}"))

    @app.teardown_request
    def _leave_place(_error: BaseException | None) -> None:
        if place := g.pop("place", None):
            place.close()
