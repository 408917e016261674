"""Routes derived from a resource's declaration, and the handlers of GET, POST, PATCH and DELETE.

GET reads one snapshot; the others run hooks of the resource in one transaction that also holds the
job, so that a request is applied as a whole or not at all. A synchronous resource answers when its
job has ended, an asynchronous one with 202 and the job, unless the request waits for its end by
`return_timeout`, as ONTAP's clients expect of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, NoReturn
from urllib.parse import quote, urlencode

from flask import Flask, Response, g, request
from sqlalchemy.exc import IntegrityError
from werkzeug.routing import BaseConverter, Rule

from sanstone.core import confirmations, errors, jobs
from sanstone.core.database.change import Change
from sanstone.core.database.rehearsal import Rehearsal
from sanstone.core.declaration import fields, filters, query, values
from sanstone.core.declaration.resource import CREATE, MODIFY, Access, Reader, Resource
from sanstone.core.declaration.types import Boolean, Integer
from sanstone.http import caller, rehearsals, visible
from sanstone.http.answers import answer, identity, location, shown, wants_links
from sanstone.http.call import CONFIRM_WITHIN, PLACEHOLDER, Call
from sanstone.http.refusals import refuse
from sanstone.rules import destinations
from sanstone.security import confinement

MOST_RECORDS = 10_000
SYNCHRONOUS_WAIT = 15
"""Seconds after which a synchronous request is answered with its job too.

`netapp-ontap` times out after 45 s without an answer; ONTAP itself answers within 15 s.
"""
DRY_RUN, SIMULATE = "dry_run", "simulate"
Handler = Callable[[Call], Response]
Part = tuple[dict[str, Any], dict[str, Any]]
"""A request's options, and the fields of its body, or of a record in that."""


class Anything(BaseConverter):
    """A key that may contain slashes: a path within a path."""

    regex = ".+"
    part_isolating = False


class MatchedRule(Rule):
    """A rule that URLs are matched against; none is built from it.

    To compile what builds them takes most of the time in which the application is created.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        return _unbuildable


def _unbuildable(_rule: Rule, **_values: Any) -> NoReturn:
    raise RuntimeError("URLs are built from what resources declare (see `answers`).")


def register(app: Flask, resource: Resource[Any]) -> None:
    """Add the routes of a resource to the application."""
    app.url_map.converters["anything"] = Anything
    collection, instance = key_route(resource)
    of_collection: dict[str, Handler] = {"GET": read_collection}
    of_instance: dict[str, Handler] = {"GET": read_instance}
    if "POST" in resource.methods:
        of_collection["POST"] = create
    for method in {"PATCH", "DELETE"} & resource.methods:
        of_collection[method] = of_instance[method] = modify
    if resource.single:
        _add(app, resource, instance, of_collection | of_instance, True)
    else:
        _add(app, resource, collection, of_collection, False)
        _add(app, resource, instance, of_instance, True)
    if resource.refusal:
        for rule in {collection, instance}:
            refuse(app, rule, resource.refusal)


def key_route(resource: Resource[Any]) -> tuple[str, str]:
    """Return Flask's rules for the collection and for one object of a resource."""
    in_path = PLACEHOLDER.findall(resource.path)
    collection = "/api/" + PLACEHOLDER.sub(lambda m: f"<{variable(m[1])}>", resource.path)
    own = [key for key in resource.keys if key not in in_path]
    kinds = {key: "anything:" if key in resource.slashed else "" for key in own}
    return collection, collection + "".join(f"/<{kinds[k]}{variable(k)}>" for k in own)


def variable(key: str) -> str:
    return key.replace(".", "__")


def _add(
    app: Flask, resource: Resource[Any], rule: str, handlers: Mapping[str, Handler], instance: bool
) -> None:
    allowed = sorted({*handlers, "HEAD", "OPTIONS"})

    def view(**variables: str) -> Response:
        if request.method == "OPTIONS":
            response = answer({})
            response.headers["Allow"] = ", ".join(allowed)
            return response
        g.resource = resource
        keys = {name.replace("__", "."): text for name, text in variables.items()}
        for name in resource.spaced & keys.keys():
            keys[name] = keys[name].replace("+", " ")
        call = Call(resource, keys, instance)
        caller.require_allowed_at(call.place)
        method = "GET" if request.method == "HEAD" else request.method
        return handlers[method](call)

    app.add_url_rule(rule, rule, view, methods=allowed, strict_slashes=False)


def read_instance(call: Call) -> Response:
    """GET of one object."""
    requested = fields.split(request.args.getlist("fields"))
    ignore = call.parameter("ignore_unknown_fields", Boolean(), False)
    nodes = fields.chosen(call.resource, requested, (), True, ignore)
    with call.reading() as session:
        reader = Reader(session, call.keys, call.options())
        row = call.rows(reader)[0]
        if not call.resource.single:
            caller.require_allowed_at(visible.own_path(call.resource, row, reader))
        tag = str(getattr(row, call.resource.etag)) if call.resource.etag else ""
        if tag and request.if_none_match.contains_weak(tag):
            return _with_tag(Response(status=304), tag)
        reader.expect([row])
        response = answer(shown(call.resource, nodes, row, reader))
        return _with_tag(response, tag) if tag else response


def _with_tag(response: Response, tag: str) -> Response:
    """Return an answer with an ETag; a weak one, since links may be in it or not."""
    response.set_etag(tag, weak=True)
    # A browser would show one account its copy of another's answer with the same tag.
    response.headers["Cache-Control"] = "no-store"
    return response


def read_collection(call: Call) -> Response:
    """GET of a collection."""
    maximum = min(MOST_RECORDS, call.parameter("max_records", Integer(1), MOST_RECORDS))
    offset, start = _beginning(call)
    return_records = call.parameter("return_records", Boolean(), True)
    return_total = call.parameter("return_total", Boolean(), False)
    call.parameter("return_timeout", Integer(0, 120), 0)
    ignore = call.parameter("ignore_unknown_fields", Boolean(), False)
    conditions = [*call.filters(), *visible.conditions(call.resource, call.place)]
    order = query.ordering(call.resource, request.args.getlist("order_by"))
    requested = fields.split(request.args.getlist("fields"))
    also = [*(name.replace("-", "_") for name in call.filter_parameters()), *(n for n, _ in order)]
    nodes = fields.chosen(call.resource, requested, also, False, ignore)
    with call.reading() as session:
        reader = Reader(session, call.keys, call.options())
        call.implied(session)
        total: dict[str, Any] = {}
        if return_total or not return_records:
            number = query.count(call.resource, reader, conditions)
            total = {"total_records": number} if return_total else {}
            if not return_records:
                return answer({"num_records": number} | total)
        page = query.page(call.resource, reader, conditions, order, maximum, start, offset)
        reader.expect(page.rows)
        records = [shown(call.resource, nodes, row, reader) for row in page.rows]
        texts_by_field = {name: texts[-1] for name, texts in call.filter_parameters().items()}
        beside = call.resource.beside(reader, page.rows, texts_by_field)
    links = _page_links(page.start)
    return answer({"records": records, "num_records": len(records)} | total | beside | links)


def _beginning(call: Call) -> tuple[int, str]:
    """Return how many rows a page skips, and the `start` that it begins after. Raises ApiError."""
    offset: int = call.parameter("offset", Integer(), 0)
    start = request.args.get("start", "")
    if start and "offset" in request.args:
        text = "A page begins either at an offset or at a start, not at both."
        raise errors.invalid(text, "offset", errors.EXCLUSIVE)
    return offset, start


def _page_links(start: str) -> dict[str, Any]:
    path, links = quote(request.path, safe="/:"), {}
    if wants_links():
        query_string = request.query_string.decode("ascii", "replace")
        links["self"] = {"href": f"{path}?{query_string}" if query_string else path}
    if start:
        fixed = [(n, ts) for n, ts in request.args.lists() if n not in ("start", "offset")]
        again = [(n, t) for n, ts in fixed for t in ts]
        links["next"] = {"href": f"{path}?{urlencode([*again, ('start', start)])}"}
    return {"_links": links} if links else {}


def create(call: Call) -> Response:
    """POST of one object, or of several as `records`."""
    call.refuse_filters()
    timeout = call.parameter("return_timeout", Integer(0, 120), 0)
    return_records = call.parameter("return_records", Boolean(), False)
    tried = call.parameter(DRY_RUN, Boolean(), False)
    confirm_within = _confirm_within(call)
    resource, parts = call.resource, _parts(call)
    simulates = _simulates(parts)
    prepared = [call.prepared(part) for _, part in parts]
    with call.writing() as session:
        change = Rehearsal(session) if tried or simulates else Change(session)
        rows = []
        for (own, part), ahead in zip(parts, prepared, strict=True):
            with change.trying():
                implied = call.implied(session)
                parsed = _parsed(change, resource, part, CREATE, implied)
                parsed |= own | ahead
                rows.append(guarded(change, partial(resource.create, change, parsed)))
        confirmations.refuse_meanwhile(change)
        if isinstance(change, Rehearsal):
            return _tried(call, change, len(parts), rows, simulates and not tried)
        reader = Reader(session)
        identities = [identity(resource, row, reader) for row in rows]
        shown_once = [_once(resource, change.shown_once(row), reader) for row in rows]
        place = location(resource, rows[0], reader)
        svm = confinement.common_svm(session, rows)
        job = jobs.queue(change, f"POST {place}", svm, confirm_within)
        session.expunge(job)
    # Values shown once would be lost without the records.
    shows_records = return_records or bool(resource.answer)
    created = partial(_created, call, identities, shown_once) if shows_records else dict
    response = finish(call, job, timeout, 201, created)
    response.headers["Location"] = place
    return response


def modify(call: Call) -> Response:
    """PATCH or DELETE of one object, of all that a query matches, or of listed `records`."""
    timeout = call.parameter("return_timeout", Integer(0, 120), 0)
    tried = call.parameter(DRY_RUN, Boolean(), False)
    confirm_within = _confirm_within(call)
    resource, parts = call.resource, _parts(call)
    simulates = _simulates(parts)
    with call.writing() as session:
        change = Rehearsal(session) if tried or simulates else Change(session)
        reader = Reader(session)
        targets = _targets(call, reader, parts)
        if not targets:
            if request.method == "PATCH":
                # A mistake is reported even if there is nothing to change.
                values.parse(session, resource.fields, parts[0][1], MODIFY)
            return answer({"num_records": 0})
        alone = location(resource, targets[0][0], reader) if len(targets) == 1 else ""
        svm_uuid = confinement.common_svm(session, (row for row, _ in targets))
        for row, changes in targets:
            # A role may treat one object differently from its collection.
            caller.require_allowed(visible.own_path(resource, row, reader))
            with change.trying():
                _modify_one(change, resource, row, changes)
        confirmations.refuse_meanwhile(change)
        if isinstance(change, Rehearsal):
            rows = [row for row, _ in targets]
            return _tried(call, change, len(rows), rows, simulates and not tried)
        description = f"{request.method} {alone or call.place}"
        job = jobs.queue(change, description, svm_uuid, confirm_within)
        session.expunge(job)
    count = {} if call.instance else {"num_records": len(targets)}
    return finish(call, job, timeout, 200, lambda: count)


def _confirm_within(call: Call) -> int | None:
    """Return the seconds within which the change must be confirmed, None if it need not be."""
    if not call.resource.confirmable:
        return None
    bounds = Integer(confirmations.SHORTEST, confirmations.LONGEST)
    seconds: int | None = call.parameter(CONFIRM_WITHIN, bounds, None)
    return seconds


def _modify_one(
    change: Change,
    resource: Resource[Any],
    row: Any,
    changes: Part,
) -> None:
    """Change or delete one object, by options and fields. Raises ApiError."""
    options, body = changes
    hook: Callable[[], Any]
    if request.method == "DELETE":
        hook = partial(resource.delete, change, row, options)
    else:
        svm = getattr(row, "svm", None) if resource.node("svm") else None
        confined = {"svm": svm} if svm else {}
        parsed = _parsed(change, resource, body, MODIFY, confined)
        new = {n: v for n, v in parsed.items() if n not in confined}
        hook = partial(resource.update, change, row, new | options)
    guarded(change, hook)


def _parsed(
    change: Change,
    resource: Resource[Any],
    body: dict[str, Any],
    access: Access,
    implied: dict[str, Any],
) -> dict[str, Any]:
    """Parse a body; no hook runs if a field is refused. Raises ApiError."""
    parsed = values.parse(
        change.session, resource.fields, body, access, implied, collecting=change.collecting
    )
    with change.collecting():
        destinations.refuse_own(change.session, resource.fields, parsed)
    change.settle()
    return parsed


def _parts(call: Call) -> list[Part]:
    """Return the body, or each of its `records`. Raises ApiError."""
    options, body = call.divided(call.body())
    several = "records" in body and not call.instance
    if several and request.method == "POST" and len(body) > 1:
        raise errors.unexpected("records")
    return [call.divided(r) for r in _records(body)] if several else [(options, body)]


def _simulates(parts: Iterable[Part]) -> bool:
    """Return whether a request is to show its objects as they would be, by ONTAP's `simulate`."""
    simulates = any(options.get(SIMULATE) for options, _ in parts)
    if simulates and request.method == "DELETE":
        raise errors.unexpected(SIMULATE)
    return simulates


def _tried(
    call: Call, change: Rehearsal, count: int, rows: Sequence[Any], simulates: bool
) -> Response:
    """Answer a request that was only tried, and take its changes back.

    `rows` are the objects as it would leave them, which the answer shows if it `simulates`. Raises
    ApiError for one that is simulated and would be refused.
    """
    g.tried = True
    if simulates:
        if change.refusals:
            raise change.refusals[0]
        response = _simulated(call, change, rows)
    else:
        response = rehearsals.tell(call, change, count)
    change.session.rollback()
    return response


def _simulated(call: Call, change: Rehearsal, rows: Sequence[Any]) -> Response:
    """Answer with objects as they would be, with all their fields."""
    resource = call.resource
    change.session.expire_all()
    reader = Reader(change.session, call.keys, call.options())
    proposed = [resource.simulated(row, reader) for row in rows]
    nodes = fields.chosen(resource, (), (), True, False)
    records = [shown(resource, nodes, row, reader) for row in proposed]
    beside = resource.beside(reader, proposed, {})
    return answer({"num_records": len(records), "records": records} | beside)


def _targets(call: Call, reader: Reader, parts: list[Part]) -> list[tuple[Any, Part]]:
    """Return the rows that a PATCH or DELETE addresses, each with its options and changes."""
    if call.instance or "records" not in call.body():
        if not call.instance and not call.filter_parameters():
            text = "Say by a query or by records which objects are meant."
            raise errors.invalid(text, code=errors.INVALID)
        return [(row, parts[0]) for row in call.rows(reader)]
    targets, meant = [], set()
    for options, record in parts:
        own = [name for name in call.resource.keys if name not in call.keys]
        keys = {name: filters.spelled(call.resource, name, _take(record, name)) for name in own}
        if tuple(keys.values()) in meant:
            text = f'"{"/".join(keys.values())}" is among the records twice.'
            raise errors.invalid(text, "records", errors.GIVEN_TWICE)
        meant.add(tuple(keys.values()))
        targets += [(row, (options, record)) for row in call.rows(reader, keys)]
    return targets


def _records(body: dict[str, Any]) -> list[Any]:
    records = body["records"]
    if (
        not isinstance(records, list)
        or not records
        or not all(isinstance(r, dict) for r in records)
    ):
        raise errors.invalid("records must be a list of objects.", "records")
    return records


def _take(record: dict[str, Any], name: str) -> str:
    """Remove a key from a record, in which it may be nested or dotted. Raises ApiError."""
    holder, last = record, name
    first, _, rest = name.partition(".")
    if rest and isinstance(record.get(first), dict):
        holder, last = record[first], rest
    value = holder.pop(last, None)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise errors.missing(f"records.{name}")
    return str(value)


def guarded(change: Change, hook: Callable[[], Any]) -> Any:
    """Run a hook; report a constraint that two requests raced for as a conflict."""
    try:
        result = hook()
        change.session.flush()
    except IntegrityError as error:
        reason = str(error.orig)
        code = errors.EXISTS if reason.startswith("UNIQUE") else errors.IN_USE
        if not reason.startswith(("UNIQUE", "FOREIGN KEY")):
            raise
        text = "The object already exists" if code == errors.EXISTS else "Others refer to it"
        raise errors.conflict(f"{text}: {reason}.", code=code) from error
    return result


def finish(
    call: Call,
    job: jobs.Job,
    timeout: int,
    status: int,
    more: Callable[[], dict[str, Any]],
) -> Response:
    """Wait for the job up to the time-out, and answer with it or with its result, and `more`.

    What ends within the time-out is answered as ended, as ONTAP does. Raises ApiError for a job
    that fails within it. An asynchronous request that need not wait is answered with its job.
    """
    jobs.wake()
    asynchronous = call.resource.asynchronous
    wait = timeout if asynchronous else max(timeout, SYNCHRONOUS_WAIT)
    job = jobs.wait(call.database, job.id, wait) if wait else job
    if job.state == jobs.FAILURE and wait:
        raise jobs.failure(job)
    ended = job.state == jobs.SUCCESS and wait > 0
    body = more()
    if asynchronous or not ended:
        link = {"self": {"href": f"/api/cluster/jobs/{job.uuid}"}}
        body["job"] = {"uuid": job.uuid, "_links": link}
    return answer(body, status if ended else 202)


def _once(resource: Resource[Any], values: dict[str, Any], reader: Reader) -> dict[str, Any]:
    """Return the values of an object that only the answer to a POST has."""
    return fields.show(resource.answer, SimpleNamespace(**values), reader, False) if values else {}


def _created(
    call: Call, identities: list[dict[str, str]], shown_once: list[dict[str, Any]]
) -> dict[str, Any]:
    resource = call.resource
    nodes = fields.chosen(resource, (), (), True, False)
    with call.reading() as session:
        reader = Reader(session, call.keys, call.options())
        records = [
            shown(resource, nodes, row, reader) | once
            for keys, once in zip(identities, shown_once, strict=True)
            for row in query.match_all(resource, reader, filters.exactly(resource, keys))
        ]
    return {"num_records": len(records), "records": records}
