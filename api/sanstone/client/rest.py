"""Calls of the API: records, changes, jobs.

    array = Array(local("/run/sanstone/shell.sock"))
    for record in array.records("storage/luns", {"fields": "space.size"}): ...
    array.create("storage/volumes", {"svm.name": "svm1", "name": "vol1", "size": "1g"})

A call waits for the job of a change, so that it returns when the change is complete, and raises
JobFailed with the job's error when it failed. One connection is kept open for GET, and opened again
when the server has closed it. A change gets a connection of its own: if that breaks, nobody knows
whether the change came into effect, so it is never sent twice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from types import TracebackType
from typing import Any, BinaryIO
from urllib.parse import quote, urlencode

from sanstone.client.connection import Way
from sanstone.client.errors import (
    BadAnswer,
    ClientError,
    JobFailed,
    NotAuthenticated,
    StillRunning,
    Unreachable,
    refusal,
)

Record = dict[str, Any]
JOB_WAIT = 15
"""Seconds after which the API answers a change with a job that is still running."""
PAUSE = 0.5
SESSION, CODE = "/api/security/session", "verification_code"
CODES = 3
"""How many codes the shell asks for before a call fails, as sshd does with passwords."""
PIECE = 1 << 20
"""Bytes of a file that the API takes at once."""


class Array:
    """An array. Paths are without `/api/`; all methods raise ClientError.

    `headers` are sent with every call; `job` is the UUID of the last change's job, if any. With
    `dry_run` changes are only tried, and `tried` is what the last of them would do. `wait_timeout`
    is how many seconds a change's job may take before StillRunning is raised; without it a call
    waits for as long as that takes. It ends a `with` by closing its connection.

    Where the array asks for a code (a second factor), `ask_code` asks the user, with the reason why
    the code before was refused, and a session begins in which calls go on; `log_out` ends it.
    """

    def __init__(self, way: Way, ask_code: Callable[[str], str] | None = None) -> None:
        self._way = way
        self._ask_code = ask_code
        self._session: dict[str, str] = {}
        self._cookies = ""
        self._open: HTTPConnection | None = None
        self.headers: dict[str, str] = {"Accept": "application/json"}
        self.job = ""
        self.dry_run = False
        self.tried: Record = {}
        self.wait_timeout: float | None = None

    def __enter__(self) -> Array:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Record:
        """Return the answer to GET."""
        return self._call("GET", path, query)

    def records(self, path: str, query: Mapping[str, str] | None = None) -> Iterator[Record]:
        """Yield the records of a collection, page by page."""
        answer = self._call("GET", path, query)
        while True:
            yield from answer["records"]
            following = answer.get("_links", {}).get("next", {}).get("href", "")
            if not following:
                return
            answer = self._send("GET", following, None)

    def create(self, path: str, body: Record, options: Mapping[str, str] | None = None) -> Record:
        """Create an object and return its record."""
        answer = self._change("POST", path, body, {**(options or {}), "return_records": "true"})
        records: list[Record] = answer.get("records") or [{}]
        return records[0]

    def modify(self, path: str, body: Record, options: Mapping[str, str] | None = None) -> Record:
        """Change an object, and return the answer."""
        return self._change("PATCH", path, body, options)

    def delete(self, path: str, options: Mapping[str, str] | None = None) -> Record:
        """Delete an object, and return the answer."""
        return self._change("DELETE", path, None, options)

    def upload(self, path: str, file: BinaryIO, size: int) -> Record:
        """Give the array a file of `size` bytes, in pieces, and return the last answer.

        It returns when what the array makes of the file is done.
        """
        answer: Record = {}
        for offset in range(0, size, PIECE):
            place = urlencode({"offset": offset, "size": size})
            answer = self._send("POST", f"/api/{path}?{place}", file.read(PIECE))
        self.job = str(answer.get("job", {}).get("uuid", ""))
        if self.job:
            started = time.monotonic()
            self._wait(self.job, None if self.wait_timeout is None else started + self.wait_timeout)
        return answer

    def simulate(self, method: str, path: str, body: Record, options: Mapping[str, str]) -> Record:
        """Return the array's answer to a change that `options` have it simulate."""
        return self._call(method, path, options, body)

    def _change(
        self, method: str, path: str, body: Record | None, options: Mapping[str, str] | None
    ) -> Record:
        patience = self.wait_timeout
        at_once = JOB_WAIT if patience is None else min(JOB_WAIT, int(patience))
        query = {**(options or {}), "return_timeout": str(at_once)}
        started = time.monotonic()
        if self.dry_run:
            self.tried = self._call(method, path, query | {"dry_run": "true"}, body)
            return {}
        answer = self._call(method, path, query, body)
        self.job = str(answer.get("job", {}).get("uuid", ""))
        if self.job:
            self._wait(self.job, None if patience is None else started + patience)
        return answer

    def _wait(self, job: str, deadline: float | None) -> None:
        """Wait for the end of a job, or until it must be confirmed. Raises JobFailed."""
        while True:
            seen = self.get(f"cluster/jobs/{quote(job)}", {"fields": "state,message,code,error"})
            if seen["state"] in ("success", "paused"):
                return
            if seen["state"] == "failure":
                error = seen.get("error", {})
                message = str(error.get("message") or seen.get("message") or "The job failed.")
                raise JobFailed(500, str(seen.get("code", "")), message, error.get("target", ""))
            if deadline is not None and time.monotonic() >= deadline:
                raise StillRunning(job, self.wait_timeout or 0)
            time.sleep(PAUSE)

    def _call(
        self, method: str, path: str, query: Mapping[str, str] | None, body: Record | None = None
    ) -> Record:
        place = f"/api/{path}"
        return self._send(method, f"{place}?{urlencode(query)}" if query else place, body)

    def log_out(self) -> None:
        """End the session that a code began, if there is one; else it ends by itself later."""
        if self._session:
            with suppress(ClientError):
                self._once("DELETE", SESSION, None)
            self._session = {}

    @contextmanager
    def without_asking(self) -> Iterator[None]:
        """Have calls fail for want of a code, as while a line is being typed."""
        asking, self._ask_code = self._ask_code, None
        try:
            yield
        finally:
            self._ask_code = asking

    def _send(self, method: str, place: str, body: Record | bytes | None) -> Record:
        try:
            return self._once(method, place, body)
        except NotAuthenticated as error:
            if error.target != CODE or self._ask_code is None:
                raise
            self._begin_session(error, self._ask_code)
        return self._once(method, place, body)

    def _begin_session(self, refused: NotAuthenticated, ask: Callable[[str], str]) -> None:
        """Log in by a code of the user's. Raises the last refusal."""
        self._session = {}
        why = ""
        for _ in range(CODES):
            code = ask(why)
            if not code:
                break
            try:
                answer = self._once("POST", SESSION, {**self._way.login, CODE: code})
            except NotAuthenticated as error:
                if error.target != CODE:
                    raise
                refused, why = error, error.message
            else:
                self._session = {"Cookie": self._cookies, "X-CSRF-Token": str(answer["csrf_token"])}
                return
        raise refused

    def _headers(self) -> dict[str, str]:
        """Return the headers of a call; in a session it takes no name and password."""
        way = {n: t for n, t in self._way.headers.items() if n != "Authorization"}
        return {**(way if self._session else self._way.headers), **self.headers, **self._session}

    def _once(self, method: str, place: str, body: Record | bytes | None) -> Record:
        headers = self._headers()
        data: bytes | None = None
        if isinstance(body, bytes):
            data, headers["Content-Type"] = body, "application/octet-stream"
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        if method != "GET":
            self.close()
        kept = self._open is not None
        try:
            status, raw = self._exchange(method, place, data, headers)
        except (OSError, HTTPException) as error:
            self.close()
            if not kept:
                raise Unreachable(f"The array does not answer: {_reason(error)}.") from error
            return self._once(method, place, body)
        return _answer(status, raw)

    def _exchange(
        self, method: str, place: str, data: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        if self._open is None:
            self._open = self._way.connect()
        self._open.request(method, place, data, dict(headers))
        response = self._open.getresponse()
        cookies = response.headers.get_all("Set-Cookie", [])
        self._cookies = "; ".join(cookie.partition(";")[0] for cookie in cookies)
        return response.status, response.read()

    def close(self) -> None:
        """Close the connection; the next call opens another one."""
        if self._open is not None:
            self._open.close()
            self._open = None


def _reason(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error or type(error).__name__)


def _answer(status: int, raw: bytes) -> Record:
    try:
        answer = json.loads(raw) if raw else {}
    except ValueError as error:
        raise BadAnswer(f"What answers is no array (HTTP status {status}).") from error
    if not isinstance(answer, dict):
        raise BadAnswer(f"What answers is no array (HTTP status {status}).")
    if status >= 400:
        error_object = answer.get("error", {})
        message = str(error_object.get("message", f"HTTP status {status}"))
        raise refusal(
            status, str(error_object.get("code", "")), message, str(error_object.get("target", ""))
        )
    return answer
