"""A client of the application on the toy resources, with a stand-in for the reconciler."""

from __future__ import annotations

import json
from typing import Any

from beginnings import Watched
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from sanstone.core import jobs
from sanstone.core.database.store import reading, writing
from sanstone.core.errors import Cause
from sanstone.core.jobs import Job

LOGIN = ("admin", "pass-word 7")
VIEWER = ("viewer", "a password")


class Toys(Watched):
    """A client of the API. Paths are without `/api/`.

    The reconciler ends every job as soon as it is queued, with `failure` (code and message) if
    there is one; while `asleep` it does nothing.
    """

    def __init__(self, client: FlaskClient, database: Engine) -> None:
        super().__init__()
        self.client = client
        self.database = database
        self.failure: tuple[str, str] | None = None
        self.asleep = False

    def reconcile(self) -> None:
        """End all jobs."""
        if self.asleep:
            return
        with writing(self.database) as session:
            waiting = jobs.waiting(session)
            touched = {owner for job in waiting for owner in job.touched}
            failures = dict.fromkeys(touched, Cause(*self.failure)) if self.failure else {}
            jobs.finish(session, waiting, failures, frozenset())

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> TestResponse:
        """Send a request, by default as admin and with JSON or, for bytes, with these as body."""
        content = {"data": body} if isinstance(body, bytes) else {"json": body}
        options = {"auth": LOGIN} | (content if body is not None else {}) | more
        return self.client.open(f"/api/{path}", method=method, **options)

    def get(self, path: str, **more: Any) -> dict[str, Any]:
        """Return the body of a GET."""
        return answer(self.call("GET", path, **more), 200)

    def names(self, path: str, **more: Any) -> list[str]:
        """Return the names of a collection's records."""
        return [record["name"] for record in self.get(path, **more)["records"]]

    def svm(self, name: str = "svm1") -> str:
        """Make an owner and return its UUID."""
        return key(self.call("POST", "svm/svms", {"name": name}))

    def shelf(self, name: str, svm: str = "svm1", **more: Any) -> str:
        """Make a shelf and return its UUID."""
        return key(self.call("POST", "toys/shelves", {"name": name, "svm": svm, **more}))

    def jobs(self) -> list[str]:
        """Return the descriptions of all jobs."""
        with reading(self.database) as session:
            return [job.description for job in session.query(Job).order_by(Job.id)]


def answer(response: TestResponse, status: int) -> dict[str, Any]:
    """Assert the status and return the JSON object of the body, without looking at its type."""
    body = json.loads(response.data)
    assert response.status_code == status, body
    assert isinstance(body, dict)
    return body


def refusal_message(response: TestResponse, status: int, code: str, target: str = "") -> str:
    """Assert that a request was refused with ONTAP's error envelope, and return the message."""
    body = answer(response, status)
    assert body.keys() == {"error"}, body
    assert body["error"]["code"] == code, body
    assert body["error"].get("target", "") == target, body
    message: str = body["error"]["message"]
    assert message
    return message


def key(response: TestResponse) -> str:
    """Return the last key in a new object's Location."""
    assert response.status_code in (201, 202), response.data
    return response.headers["Location"].rpartition("/")[2]
