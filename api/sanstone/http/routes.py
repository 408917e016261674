"""Routes derived from a resource's declaration, and the requests they serve.

A request is parsed into one `Call`; GET reads a snapshot, the others run a hook of the resource in
one transaction that also holds the job. A synchronous resource answers when its job has ended, an
asynchronous one with 202 and the job, as ONTAP's clients expect of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from flask import Flask, Response, current_app, jsonify, request
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sanstone.core import errors, fields, jobs, query, values
from sanstone.core.change import Change
from sanstone.core.resource import CREATE, MODIFY, Field, Reader, Reference, Resource
from sanstone.core.store import reading, writing
from sanstone.core.types import Boolean, Integer

CONTROL = frozenset(
    {
        "fields",
        "max_records",
        "order_by",
        "return_records",
        "return_timeout",
        "start",
        "ignore_unknown_fields",
        "return_unmatched_nested_array_objects",
    }
)
DEFAULT_RECORDS, MOST_RECORDS = 10_000, 10_000
SYNCHRONOUS_WAIT = 60.0
_PLACEHOLDER = re.compile(r"{([a-z_.]+)}")


def key_route(resource: Resource[Any]) -> tuple[str, str]:
    """Return Flask's rules for the collection and for one object of a resource."""
    in_path = _PLACEHOLDER.findall(resource.path)
    collection = "/api/" + _PLACEHOLDER.sub(lambda m: f"<{_variable(m[1])}>", resource.path)
    own = [key for key in resource.keys if key not in in_path]
    return collection, collection + "".join(f"/<{_variable(key)}>" for key in own)


def _variable(key: str) -> str:
    return key.replace(".", "__")


def register(app: Flask, resource: Resource[Any]) -> None:
    """Add the routes of a resource to the application."""
    collection, instance = key_route(resource)
    of_collection: dict[str, Callable[[Call], Response]] = {"GET": read_collection}
    of_instance: dict[str, Callable[[Call], Response]] = {"GET": read_instance}
    if "POST" in resource.methods:
        of_collection["POST"] = create
    for method in {"PATCH", "DELETE"} & resource.methods:
        of_collection[method] = of_instance[method] = modify
    if resource.single:
        of_collection = {m: read_instance if m == "GET" else h for m, h in of_collection.items()}
    rules = ((collection, of_collection), (instance, of_instance))
    for rule, handlers in rules[:1] if resource.single else rules:
        _add(app, resource, rule, handlers, rule == instance)


def _add(
    app: Flask,
    resource: Resource[Any],
    rule: str,
    handlers: Mapping[str, Callable[[Call], Response]],
    instance: bool,
) -> None:
    def view(**variables: str) -> Response:
        keys = {name.replace("__", "."): text for name, text in variables.items()}
        method = "GET" if request.method == "HEAD" else request.method
        return handlers[method](Call(resource, keys, instance))

    app.add_url_rule(rule, rule, view, methods=list(handlers), strict_slashes=False)


@dataclass
class Call:
    """One request to a resource. `keys` are the path's, `instance` tells one object from many."""

    resource: Resource[Any]
    keys: dict[str, str]
    instance: bool

    @property
    def database(self) -> Engine:
        """Return the application's database."""
        return current_app.extensions["sanstone"]  # type: ignore[no-any-return]

    def parameter(self, name: str, kind: Any, default: Any) -> Any:
        """Return a control parameter of the query string. Raises ApiError."""
        texts = request.args.getlist(name)
        if not texts:
            return default
        field = Field(name, kind, "", code=errors.INVALID)
        return values.checked(field, texts[-1])

    def filter_parameters(self) -> dict[str, list[str]]:
        """Return the query parameters that are neither control parameters nor options."""
        options = {option.name for option in self.resource.options}
        return {
            name: texts
            for name, texts in request.args.lists()
            if name not in CONTROL and name not in options
        }

    def options(self) -> dict[str, Any]:
        """Return the resource's options, from the query string or a body. Raises ApiError."""
        body = request.get_json(silent=True) if request.method == "DELETE" else None
        raw = {name: texts[-1] for name, texts in request.args.lists()}
        raw |= body if isinstance(body, dict) else {}
        found = {}
        for option in self.resource.options:
            given = option.name in raw
            found[option.name] = (
                values.checked(option, raw[option.name]) if given else option.default
            )
        return found

    def body(self) -> dict[str, Any]:
        """Return the JSON object of the body, {} when there is none. Raises ApiError."""
        if not request.get_data():
            return {}
        body = request.get_json(force=True, silent=True)
        if not isinstance(body, dict):
            raise errors.invalid("The body must be a JSON object.", code=errors.INVALID)
        return body

    def given(self, session: Session) -> dict[str, Any]:
        """Return the values that the path implies: the parents. Raises ApiError (404)."""
        found: dict[str, Any] = {}
        for key in _PLACEHOLDER.findall(self.resource.path):
            name, _, attribute = key.rpartition(".")
            node = self.resource.node(name)
            if isinstance(node, Reference):
                try:
                    found[name] = node.find(session, {attribute: self.keys[key]}, {})
                except errors.ApiError as error:
                    raise errors.unknown(f'{name} "{self.keys[key]}"') from error
        return found

    def rows(self, reader: Reader) -> list[Any]:
        """Return the rows that the path and the query mean. Raises ApiError (404)."""
        self.given(reader.session)
        wanted = query.filters(self.resource, {key: [f'"{v}"'] for key, v in self.keys.items()})
        if self.instance:
            self._refuse_filters()
        else:
            wanted += query.filters(self.resource, self.filter_parameters())
        rows = query.match_all(self.resource, reader, wanted)
        if self.instance and not rows:
            raise errors.unknown(f"entry {'/'.join(self.keys.values())}".strip())
        return rows

    def _refuse_filters(self) -> None:
        for name in self.filter_parameters() if request.method != "GET" else ():
            text = f'Unexpected argument "{name}".'
            raise errors.invalid(text, name, errors.UNEXPECTED_ARGUMENT)


def wants_links() -> bool:
    """Return whether the client takes HAL links; only `application/json` alone goes without."""
    return request.headers.get("Accept", "") != "application/json"


def location(resource: Resource[Any], row: Any, reader: Reader) -> str:
    """Return the path of an object."""
    path = resource.path
    for key in resource.keys:
        node = next(n for n in resource.fields if key == n.name or key in fields.leaves(n))
        text = quote(str(fields.values_of(node, key, row, reader)[0]), safe=":")
        placeholder = f"{{{key}}}"
        path = path.replace(placeholder, text) if placeholder in path else f"{path}/{text}"
    return f"/api/{path}"


def shown(call: Call, nodes: Any, row: Any, reader: Reader) -> dict[str, Any]:
    """Return one row as JSON with its link."""
    record = fields.show(nodes, row, reader, wants_links())
    if wants_links() and not call.resource.single:
        record["_links"] = {"self": {"href": location(call.resource, row, reader)}}
    return record


def answer(body: dict[str, Any], status: int = 200) -> Response:
    """Return a JSON answer of the type that the client asked for."""
    response = jsonify(body)
    response.status_code = status
    response.mimetype = "application/hal+json" if wants_links() else "application/json"
    return response


def read_instance(call: Call) -> Response:
    """GET of one object."""
    with reading(call.database) as session:
        reader = Reader(session)
        row = call.rows(reader)[0]
        asked = fields.split(request.args.getlist("fields"))
        ignore = call.parameter("ignore_unknown_fields", Boolean(), False)
        nodes = fields.chosen(call.resource, asked, (), True, ignore)
        return answer(shown(call, nodes, row, reader))


def read_collection(call: Call) -> Response:
    """GET of a collection."""
    maximum = call.parameter("max_records", Integer(1, MOST_RECORDS), DEFAULT_RECORDS)
    records_wanted = call.parameter("return_records", Boolean(), True)
    call.parameter("return_timeout", Integer(0, 120), 15)
    ignore = call.parameter("ignore_unknown_fields", Boolean(), False)
    by_name = call.filter_parameters()
    wanted = query.filters(call.resource, by_name)
    wanted += query.filters(call.resource, {key: [f'"{v}"'] for key, v in call.keys.items()})
    order = query.ordering(call.resource, request.args.getlist("order_by"))
    asked = fields.split(request.args.getlist("fields"))
    also = [*(name.replace("-", "_") for name in by_name), *(name for name, _ in order)]
    nodes = fields.chosen(call.resource, asked, also, False, ignore)
    with reading(call.database) as session:
        reader = Reader(session)
        call.given(session)
        if not records_wanted:
            rows = query.match_all(call.resource, reader, wanted)
            return answer({"num_records": len(rows)})
        start = request.args.get("start", "")
        page = query.page(call.resource, reader, wanted, order, maximum, start)
        records = [shown(call, nodes, row, reader) for row in page.rows]
    body: dict[str, Any] = {"records": records, "num_records": len(records)}
    links = {"self": {"href": request.full_path.rstrip("?")}} if wants_links() else {}
    if page.start:
        again = [(n, t) for n, ts in request.args.lists() if n != "start" for t in ts]
        links["next"] = {"href": f"{request.path}?{urlencode([*again, ('start', page.start)])}"}
    return answer(body | ({"_links": links} if links else {}))


def create(call: Call) -> Response:
    """POST of one object, or of several as `records`."""
    _only_options(call)
    timeout = call.parameter("return_timeout", Integer(0, 120), 0)
    body = call.body()
    bodies = body["records"] if set(body) == {"records"} else [body]
    if not isinstance(bodies, list) or not bodies:
        raise errors.invalid("records must be a list of objects.", "records")
    resource = call.resource
    options = call.options()
    with writing(call.database) as session:
        change = Change(session)
        rows = []
        for part in bodies:
            parsed = values.parse(session, resource.fields, part, CREATE, call.given(session))
            rows.append(_guarded(lambda p=parsed: resource.create(change, p | options)))  # type: ignore[misc]
        job = jobs.queue(change, f"POST /api/{resource.path}")
        session.expunge(job)
        session.expire_all()
        reader = Reader(session)
        places = [location(resource, row, reader) for row in rows]
        identities = [_identity(resource, row, reader) for row in rows]
    response = _finish(call, job, timeout, 201, identities)
    response.headers["Location"] = places[0]
    return response


def _identity(resource: Resource[Any], row: Any, reader: Reader) -> dict[str, str]:
    found = {}
    for key in resource.keys:
        node = next(n for n in resource.fields if key == n.name or key in fields.leaves(n))
        found[key] = str(fields.values_of(node, key, row, reader)[0])
    return found


def modify(call: Call) -> Response:
    """PATCH or DELETE of one object, or of all that a query matches."""
    timeout = call.parameter("return_timeout", Integer(0, 120), 0)
    resource, method = call.resource, request.method
    body = call.body() if method == "PATCH" else {}
    options = call.options()
    if not call.instance and not call.filter_parameters():
        raise errors.invalid("Say which objects are meant by a query.", code=errors.INVALID)
    with writing(call.database) as session:
        change, reader = Change(session), Reader(session)
        rows = call.rows(reader)
        for row in rows:
            if method == "DELETE":
                _guarded(lambda r=row: resource.delete(change, r, options))  # type: ignore[misc]
            else:
                given = {
                    n: getattr(row, n) for n in ("svm",) if resource.node(n) and hasattr(row, n)
                }
                parsed = values.parse(session, resource.fields, body, MODIFY, given)
                new = {n: v for n, v in parsed.items() if n not in given}
                _guarded(lambda r=row, n=new: resource.update(change, r, n | options))  # type: ignore[misc]
        if rows:
            path = (
                location(resource, rows[0], reader)
                if method == "PATCH"
                else f"/api/{resource.path}"
            )
            job = jobs.queue(change, f"{method} {path}")
            session.expunge(job)
    if not rows:
        return answer({"num_records": 0})
    many = None if call.instance else len(rows)
    return _finish(call, job, timeout, 200, None, many)


def _guarded(hook: Callable[[], Any]) -> Any:
    """Run a hook; a unique constraint that two requests raced for becomes a conflict."""
    try:
        return hook()
    except IntegrityError as error:
        code = errors.EXISTS if "UNIQUE" in str(error.orig) else errors.IN_USE
        raise errors.conflict(
            f"The object conflicts with another: {error.orig}.", code=code
        ) from error


def _only_options(call: Call) -> None:
    for name in call.filter_parameters():
        text = f'Unexpected argument "{name}".'
        raise errors.invalid(text, name, errors.UNEXPECTED_ARGUMENT)


def _finish(
    call: Call,
    job: jobs.Job,
    timeout: int,
    status: int,
    identities: list[dict[str, str]] | None,
    many: int | None = None,
) -> Response:
    jobs.wake()
    wait = float(timeout) if call.resource.asynchronous else SYNCHRONOUS_WAIT
    job = jobs.wait(call.database, job.id, wait) if wait else job
    if not call.resource.asynchronous and job.state == jobs.FAILURE:
        raise jobs.failure(job)
    pending = call.resource.asynchronous or job.state != jobs.SUCCESS
    body: dict[str, Any] = {} if many is None else {"num_records": many}
    if pending:
        link = {"self": {"href": f"/api/cluster/jobs/{job.uuid}"}}
        body["job"] = {"uuid": job.uuid, "_links": link}
    if identities is not None and call.parameter("return_records", Boolean(), False):
        with reading(call.database) as session:
            body["records"] = _created(call, Reader(session), identities)
        body["num_records"] = len(body["records"])
    return answer(body, 202 if pending else status)


def _created(call: Call, reader: Reader, identities: list[dict[str, str]]) -> list[dict[str, Any]]:
    nodes = fields.chosen(call.resource, (), (), True, False)
    records = []
    for keys in identities:
        wanted = query.filters(call.resource, {key: [f'"{text}"'] for key, text in keys.items()})
        rows = query.match_all(call.resource, reader, wanted)
        records += [shown(call, nodes, row, reader) for row in rows]
    return records
