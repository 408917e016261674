"""A small REST client for tests and the demo: it does as a user's HTTP client would, no more.

The array's certificate is its own, so it is fetched through the machine's agent and trusted
alone; the connection is verified against it. The name in it is not, since the lab reaches the array
through a port of 127.0.0.1.

A connection is kept from request to request, as browsers and the clients' libraries do: a TLS
handshake costs an emulated array more than most requests.
"""

from __future__ import annotations

import base64
import http.client
import json
import select
import ssl
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

from lab import patience

CERTIFICATE = "/var/lib/sanstone/tls/certificate.pem"


class Refused(Exception):
    """The array answered with an error; `status` and `body` are its answer."""

    def __init__(self, request: str, status: int, body: Any) -> None:
        super().__init__(f"{request}: {status} {json.dumps(body)}")
        self.status = status
        self.body = body


class JobFailed(Exception):
    """A job ended in failure; `job` is its record."""

    def __init__(self, request: str, job: dict[str, Any]) -> None:
        super().__init__(f"{request}: job failed: {json.dumps(job)}")
        self.job = job


class _Line(threading.local):
    """The connection of a thread, None before its first request and after a failure."""

    connection: http.client.HTTPSConnection | None = None


@dataclass(frozen=True)
class Api:
    """The REST API at `url` (which ends with a slash), for one account.

    `certificate` is the array's, in PEM.
    """

    url: str
    user: str
    password: str
    certificate: str
    _line: _Line = field(default_factory=_Line, init=False, repr=False, compare=False)

    def get(self, path: str, **query: Any) -> Any:
        """Return the record or collection at `path`, for example "storage/luns".

        `query` is sent as it is, except that `__` in a name stands for a dot: svm__name="svm1".
        """
        return self.send("GET", path, **query)

    def post(self, path: str, body: dict[str, Any], **query: Any) -> Any:
        """Create a record, wait for its job, and return the answer (with `return_records`)."""
        return self._finished("POST", path, body, query)

    def patch(self, path: str, body: dict[str, Any], **query: Any) -> Any:
        """Change a record and wait for its job."""
        return self._finished("PATCH", path, body, query)

    def delete(self, path: str, **query: Any) -> Any:
        """Delete a record and wait for its job."""
        return self._finished("DELETE", path, None, query)

    def send(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Send one request and return the answer's JSON. Raises Refused, and OSError."""
        target = f"/api/{path}"
        if query:
            names = {name.replace("__", "."): value for name, value in query.items()}
            target += "?" + urllib.parse.urlencode(names)
        login = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        headers = {"Authorization": f"Basic {login}", "Accept": "application/json"}
        # No address: one that is link-local has a zone, which this header has no place for.
        headers["Host"] = "array"
        text = None
        if body is not None:
            text = json.dumps(body)
            headers["Content-Type"] = "application/json"
        connection = self._connection()
        try:
            connection.request(method, target, text, headers)
            reply = connection.getresponse()
            answer = _parsed(reply.read())
        except BaseException:
            # Whatever of an answer is still to come would be taken for that of the next request.
            connection.close()
            self._line.connection = None
            raise
        if reply.status >= http.client.BAD_REQUEST:
            raise Refused(f"{method} {self.url.rstrip('/')}{target}", reply.status, answer)
        return answer

    def _connection(self) -> http.client.HTTPSConnection:
        """Return this thread's connection, a new one where the array has ended the last one.

        That is seen before a request is sent: afterwards nobody could tell whether it was done.
        """
        kept = self._line.connection
        if kept and kept.sock and not select.select([kept.sock], [], [], 0)[0]:
            return kept
        if kept:
            kept.close()
        place = urllib.parse.urlsplit(self.url)
        # Without a port http.client would look for one behind the last colon of an IPv6 address.
        port = place.port or http.client.HTTPS_PORT
        self._line.connection = http.client.HTTPSConnection(
            str(place.hostname), port, timeout=patience.SECONDS, context=self.context()
        )
        return self._line.connection

    def wait_for_job(self, uuid: str, request: str) -> dict[str, Any]:
        """Return the job's record once it succeeded. Raises JobFailed, and TimeoutError."""
        deadline = patience.now() + patience.SECONDS
        while True:
            job: dict[str, Any] = self.get(f"cluster/jobs/{uuid}", fields="**")
            if job["state"] == "success":
                return job
            if job["state"] not in ("queued", "running", "paused"):
                raise JobFailed(request, job)
            if patience.now() > deadline:
                raise TimeoutError(f"{request}: job {uuid} is still {job['state']}")
            time.sleep(0.2)

    def _finished(self, method: str, path: str, body: Any, query: dict[str, Any]) -> Any:
        answer = self.send(method, path, body, **{"return_timeout": 60, **query})
        if isinstance(answer, dict) and "job" in answer:
            self.wait_for_job(answer["job"]["uuid"], f"{method} {path}")
        return answer

    def context(self) -> ssl.SSLContext:
        """Return the context that verifies a connection to this array."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.load_verify_locations(cadata=self.certificate)
        return context


def _parsed(body: bytes) -> Any:
    return json.loads(body) if body else {}
