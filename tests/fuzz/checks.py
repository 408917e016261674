"""Checks after each request, whatever it was."""

from __future__ import annotations

import json
import re
import sqlite3
from functools import cache, lru_cache
from typing import Any, NoReturn
from urllib.parse import quote, unquote

import exceptions
import jsonschema_rs
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from fuzz.array import HIDDEN, TENANT_SVM, FuzzedArray, commits
from fuzz.objects import Object
from fuzz.request import Request, Trouble, shortened
from sanstone.core.database import store
from sanstone.core.database.change import COUNTER
from sanstone.core.database.store import Base
from sanstone.core.events import Event
from sanstone.core.jobs import FAILURE, Job
from sanstone.http import openapi, prometheus
from sanstone.resources.declared import ACTIONS, RESOURCES

JSON = ("application/json", "application/hal+json")
DESCRIPTION = "urn:description"
BY_PATH = {resource.path: resource for resource in RESOURCES}
RESULTS = (
    *("job", "event", "observed", "removal", "login_failure", "software_task"),
    *("last_change", "change_counter"),
)
"""Tables of results and observations, which are no configuration."""
ELSEWHERE = re.compile("The server answered")
"""Failures of jobs that are not the array's doing."""


class Broken(Exception):
    """Something that must hold does not."""


def broken(text: str) -> NoReturn:
    """Raise Broken."""
    raise Broken(text)


class Checks:
    """Checks requests to an array. `watcher` sees who commits to its database."""

    def __init__(self, array: FuzzedArray, watcher: sqlite3.Connection) -> None:
        self._array, self._watcher = array, watcher

    def send(self, request: Request) -> None:
        """Send a request, and check its result. Raises Broken."""
        array = self._array
        log = array.simulator.kernel.interrupt.log
        before, steps = commits(self._watcher), len(log)
        refused = request.trouble is Trouble.REFUSED
        configuration, jobs = (self._configuration(), self._last_job()) if refused else ("", 0)
        others = self._others() if request.actor == "tenant" and _writes(request) else ""
        response = array.send(request)
        if response is None:
            self._recovered()
            return
        status, text = response.status_code, response.get_data(as_text=True)
        self._not_broken(request, response, text)
        answer = self._form(request, response, text)
        written = commits(self._watcher) != before
        if status >= 400 and status not in (401, 500) and not request.trouble:
            if written:
                broken(f"{status}, yet the database was written to: {text}")
            if log[steps:]:
                broken(f"{status}, yet the machine was changed: {log[steps:]}")
        if (
            configuration
            and self._job_failed(since=jobs)
            and self._configuration() != configuration
        ):
            self._not_taken_back(configuration)
        if others and written and self._others() != others:
            broken(f"{status}, and objects of other SVMs are others now")
        if request.actor == "tenant":
            self._nothing_hidden(request, text)
        if status == 401 and request.actor in ("admin", "tenant", "watcher"):
            array.readmit()
        if status < 300 and answer is not None:
            self._note(request, response, answer)
            if _writes(request) and not request.trouble and request.actor == "admin":
                self._done(request, response, answer)

    def _not_broken(self, request: Request, response: TestResponse, text: str) -> None:
        status = response.status_code
        if status < 500:
            return
        refused = request.trouble is Trouble.REFUSED and "refused by the test" in text
        failed = refused or ELSEWHERE.search(text)
        if (status == 500 and failed) or (status == 503 and "Retry-After" in response.headers):
            self._array.called_for.append(f"{status} {shortened(text, 300)} to {request}")
            return
        logged = "\n".join(self._array.tracebacks.texts)
        broken(f"{status}: {text}\n{logged}")

    def _recovered(self) -> None:
        with store.reading(self._array.simulator.database) as session:
            if waiting := session.scalars(
                select(Job.description).where(Job.end_time.is_(None))
            ).all():
                broken(f"jobs that never end: {waiting}")

    def _form(self, request: Request, response: TestResponse, text: str) -> Any:
        """Return the answer, None if it is no JSON and need not be. Raises Broken."""
        path, _, _ = request.path.partition("?")
        if request.method in ("HEAD", "OPTIONS") or not text:
            return None
        if path == prometheus.PATH and response.status_code == 200:
            return None
        if response.mimetype not in JSON:
            broken(f"{response.status_code} of the type {response.mimetype}: {text[:300]}")
        answer = json.loads(text)
        if response.status_code >= 400:
            error = answer.get("error", {})
            if not isinstance(error.get("message"), str) or not error["message"].strip():
                broken(f"an error without a message: {text}")
            if not re.fullmatch("[0-9]+", str(error.get("code"))):
                broken(f"an error without a code: {text}")
            return answer
        template = _template(path)
        if template and (validator := _validator(template, request.method, response.status_code)):
            for error in validator.iter_errors(answer):
                broken(f"not as described: {error.message[:300]} at {error.instance_path}")
        return answer

    def _nothing_hidden(self, request: Request, text: str) -> None:
        """Raise Broken when an answer shows the account of an SVM another SVM."""
        if HIDDEN in text and HIDDEN not in unquote(str(request)):
            at = text.index(HIDDEN)
            broken(f"the SVM's account learns of another: …{text[max(0, at - 200) : at + 200]}…")

    def _others(self) -> str:
        """Return all that there is of other SVMs than the tenant's, as text."""
        tables = Base.metadata.tables
        with store.reading(self._array.simulator.database) as session:
            own = session.scalar(select(tables["svm"].c.uuid).filter_by(name=TENANT_SVM)) or ""
            rows = [
                session.execute(select(table).where(table.c.svm_uuid != own)).all()
                for table in tables.values()
                if "svm_uuid" in table.c
            ]
            svms = select(tables["svm"]).where(tables["svm"].c.uuid != own)
            return repr((rows, session.execute(svms).all()))

    def _note(self, request: Request, response: TestResponse, answer: Any) -> None:
        """Note the objects that the answer shows."""
        path = request.path.partition("?")[0]
        template = _template(path)
        objects = self._array.objects
        link = answer.get("_links", {}).get("next", {}).get("href")
        if link and len(objects.next_pages) < 20:
            objects.next_pages.append(link)
        if template is None:
            return
        kind = template.removeprefix("/")
        if request.method == "DELETE" and "records" not in answer:
            objects.forget(path.removeprefix("/api/").rstrip("/"))
        for record in answer.get("records", ()):
            if kind in BY_PATH and (known := Object.of(record)):
                objects.note(kind, known)
        if request.method == "POST" and kind in BY_PATH and "Location" in response.headers:
            self._note_new(kind, response.headers["Location"])

    def _note_new(self, kind: str, location: str) -> None:
        place = location.removeprefix("/api/")
        with_name = BY_PATH[kind].node("name") is not None
        answer = self._array.ask("GET", f"{place}{'?fields=name,svm' if _named(kind) else ''}")
        if answer.status_code == 200:
            record = answer.get_json()
            record.setdefault("_links", {"self": {"href": location}})
            if known := Object.of(record):
                self._array.objects.note(kind, known)
        elif with_name and not self._job_failed():
            broken(f"{location} was created, yet GET says {answer.status_code}")

    def _last_job(self) -> int:
        with store.reading(self._array.simulator.database) as session:
            return session.scalar(select(func.max(Job.id))) or 0

    def _job_failed(self, since: int = 0) -> bool:
        """Return whether the last job failed, if it is newer than another."""
        with store.reading(self._array.simulator.database) as session:
            last = session.scalar(select(Job).order_by(Job.id.desc()).limit(1))
            return last is not None and last.id > since and last.state == FAILURE

    def _configuration(self) -> str:
        """Return the array's configuration, as text; numbers that only count are left out."""
        with store.reading(self._array.simulator.database) as session:
            return "\n".join(
                repr((table.name, sorted(map(repr, session.execute(select(*columns))))))
                for table in Base.metadata.sorted_tables
                if table.name not in RESULTS
                and (columns := [c for c in table.c if not c.info.get(COUNTER)])
            )

    def _not_taken_back(self, configuration: str) -> None:
        """Raise Broken, unless an event says that the change of a failed job stays."""
        kept = select(Event).filter_by(name="job.revert.failed")
        with store.reading(self._array.simulator.database) as session:
            if session.scalars(kept).first():
                return
        now = self._configuration().splitlines()
        broken(f"a job failed, yet there is: {set(now) - set(configuration.splitlines())}"[:1500])

    def _done(self, request: Request, response: TestResponse, answer: Any) -> None:
        """Check that a change is there once its answer says so."""
        if "job" in answer:
            self._job(answer["job"]["uuid"])
        path = request.path.partition("?")[0].removeprefix("/api/").rstrip("/")
        template = (_template(f"/api/{path}") or "").removeprefix("/")
        if request.method == "DELETE" and "num_records" not in answer and not self._job_failed():
            kind = max((k for k in BY_PATH if _is_instance(k, template)), key=len, default="")
            if not kind or kind in exceptions.MOVES_UP or "reporting-nodes" in template:
                return
            status = self._array.ask("GET", path).status_code
            if status == 401 and kind == "security/accounts":
                # The administrator deleted its own.
                self._array.readmit()
            elif status != 404:
                broken(f"{path} was deleted, yet GET says {status}")

    def _job(self, uuid: str) -> None:
        with store.reading(self._array.simulator.database) as session:
            job = session.scalar(select(Job).filter_by(uuid=uuid))
            if job is not None and job.state == FAILURE and not ELSEWHERE.search(job.message):
                broken(f"{job.description} failed: {job.code} {job.message}")


def _writes(request: Request) -> bool:
    return request.method in ("POST", "PATCH", "DELETE")


def _named(kind: str) -> bool:
    return all(BY_PATH[kind].node(name) for name in ("name", "svm"))


def _is_instance(kind: str, template: str) -> bool:
    return template.startswith(f"{kind}/{{")


@cache
def _templates() -> list[tuple[re.Pattern[str], str]]:
    """Return the paths of the description, longest first, each with its pattern."""
    paths = sorted(_described()["paths"], key=lambda path: (path.count("{"), -len(path)))
    templates = []
    for path in paths:
        pattern = re.sub(r"{[^}]*}", "[^/]+", path)
        templates.append((re.compile(f"/api{pattern}/?"), path))
    return templates


@lru_cache(maxsize=1000)
def _template(path: str) -> str | None:
    """Return the path of the description that a request's is one of, None for none."""
    return next((t for pattern, t in _templates() if pattern.fullmatch(path)), None)


@cache
def _described() -> Any:
    return openapi.describe((*RESOURCES, *ACTIONS))


@cache
def _validator(template: str, method: str, status: int) -> Any:
    """Return the validator of an answer, None where the description promises nothing."""
    operation = _described()["paths"][template].get(method.lower())
    if operation is None:
        return None
    promised = operation["responses"].get(str(status))
    if promised is None:
        broken(f"{method} {template} may not answer with {status}")
    parts = (
        "paths",
        template,
        method.lower(),
        "responses",
        str(status),
        "content",
        JSON[1],
        "schema",
    )
    pointer = "/".join(quote(part.replace("/", "~1"), safe="~") for part in parts)
    return jsonschema_rs.validator_for(
        {"$ref": f"{DESCRIPTION}#/{pointer}"}, registry=_registry(), validate_formats=False
    )


@cache
def _registry() -> jsonschema_rs.Registry:
    """Return the description as a registry for validators: else each would read all of it."""
    return jsonschema_rs.Registry([(DESCRIPTION, _described())], draft=jsonschema_rs.Draft202012)
