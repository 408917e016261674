"""Requests that no honest client sends are refused as its mistake, for every resource and field.

A refusal that does not blame the client would be our fault: so is an answer of 500, wherever it
comes from. The reader and parser of bodies tries each field; requests are sent to the first
resource of each kind, and of each kind of key.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Hashable, Iterator
from typing import Any

import examples
import pytest
from examples import Body
from furnished_array import FurnishedArray, at, error
from parsing import parser
from representatives import OF_EACH_KIND, first_of_each, kind, shape
from simulator import LOGIN
from werkzeug.test import TestResponse

from sanstone.core.declaration.resource import CREATE, MODIFY, Resource
from sanstone.core.errors import ApiError
from sanstone.http.call import load_json
from sanstone.resources.declared import RESOURCES

DEEP = 700
"""Levels of nesting that Python's own parser still takes."""
VALUES: dict[str, str] = {
    "NUL": r'"a\u0000b"',
    "half a pair": r'"a\ud800b"',
    "the other half": r'"\udfff"',
    "many digits": "9" * 4000,
    "more than 64 bits": str(2**64),
    "less than 64 bits": str(-(2**63) - 1),
    "beyond a float": "1e999",
    "a long text": json.dumps("9" * 100_000),
}
"""JSON that no field takes."""
NESTED: dict[str, str] = {
    "deep lists": "[" * DEEP + "]" * DEEP,
    "deep objects": '{"name":' * DEEP + "1" + "}" * DEEP,
    "deep records": '{"records":[' * DEEP + "]}" * DEEP,
}
"""JSON that no body may hold, in whichever field."""
QUERIES: dict[str, str] = {
    "many unknown fields": "fields=" + ",".join(f"no_such_{n}" for n in range(10_000)),
    "a field with NUL": "fields=name%00",
    "an order that there is not": "order_by=" + "no_such%20desc," * 1000,
    "a field of many parts": "fields=" + "a." * 5000 + "b",
    "many digits": "max_records=" + "9" * 5000,
    "an offset of many digits": "offset=" + "9" * 5000,
    "a parameter that is no text": "%ff%fe=%ff",
    "a parameter with NUL": "na%00me=x",
    "a parameter of many parts": "name." * 2000 + "x=1",
    "a timeout with a fraction": "return_timeout=1e1",
    "a timeout of many digits": "return_timeout=" + "9" * 5000,
}
PLACES: dict[str, str] = {
    "nothing": "[]",
    "an object": "{}",
    "a text": '"x"',
    "too much": json.dumps([1] * 50),
    "no text": "[null, null]",
    "lists": "[[], []]",
    "beyond 64 bits": f"[{2**64}, {2**64}]",
    "beyond a float": "[1e999, 1e999]",
    "not a number": "[NaN, NaN]",
    "half a pair": r'["\ud800", "\ud800"]',
    "deep": "[" * 100_000,
    "deep and whole": "[" * DEEP + "]" * DEEP,
}
"""Beginnings of pages that the array never gives."""
WRITES = [
    pytest.param(resource, method, id=f"{method}-{resource.path}")
    for resource in RESOURCES
    for method in ("POST", "PATCH")
    if method in resource.methods
]


def place_of_page(resource: Resource[Any]) -> Hashable:
    """Return the kind of a collection and of the beginnings of its pages."""
    nodes = [node for key in resource.order for node in resource.fields if key in node.leaves]
    return kind(resource), *map(shape, nodes)


PAGED: list[Resource[Any]] = first_of_each(
    (resource for resource in RESOURCES if not resource.single), place_of_page
)
COLLECTIONS = pytest.mark.parametrize("resource", PAGED, ids=lambda resource: resource.path)
EACH_REQUEST = pytest.mark.parametrize(
    "resource",
    # An account may hold one key twice, under two numbers.
    [
        r
        for r in RESOURCES
        if "POST" in r.methods and r.path != "security/authentication/publickeys"
    ],
    ids=lambda resource: resource.path,
)
CHANGED = pytest.mark.parametrize(
    ("resource", "method"),
    [
        pytest.param(resource, method, id=f"{method}-{resource.path}")
        for resource in OF_EACH_KIND
        for method in ("PATCH", "DELETE")
        if method in resource.methods and not resource.single
    ],
)


def send(array: FurnishedArray, method: str, path: str, data: str) -> TestResponse:
    """Send raw bytes as a body."""
    return array.simulator.client.open(f"/api/{path}", method=method, data=data, auth=LOGIN)


def unrefused(answers: dict[str, TestResponse]) -> dict[str, str]:
    """Return the requests that were not refused as the client's mistake, with their answers."""
    return {
        what: f"{response.status_code} {response.get_data(as_text=True)[:100]}"
        for what, response in answers.items()
        if not 400 <= response.status_code < 500 or not error(response)
    }


@pytest.mark.parametrize(("resource", "method"), WRITES)
def test_no_field_takes_what_is_no_value(
    array: FurnishedArray, resource: Resource[Any], method: str
) -> None:
    access, place = (CREATE, array.collection) if method == "POST" else (MODIFY, array.first)
    body = examples.BY_PATH[resource.path].another if method == "POST" else {}
    fields = [node for node in resource.fields if node.access & access]
    path = place(resource.path)
    with parser(array, resource, method, path) as error_of:
        for node in fields:
            for what, text in bodies_of(body, node.name, VALUES):
                try:
                    refusal = error_of(load_json(text.encode()))
                except ApiError as error:
                    refusal = error
                assert refusal and 400 <= refusal.status < 500, (node.name, what)
    if resource in OF_EACH_KIND:
        answers = {}
        with array.unchanged():
            for node in first_of_each(fields, shape):
                for what, text in bodies_of(body, node.name, VALUES | NESTED):
                    answers[f"{node.name}: {what}"] = send(array, method, path, text)
            assert unrefused(answers) == {}


def bodies_of(body: Body, name: str, values: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Return bodies with values that no field takes."""
    rest = {n: v for n, v in body.items() if not f"{n}.".startswith(f"{name}.")}
    for what, value in values.items():
        yield what, json.dumps({**rest, name: "here"}).replace('"here"', value)


@COLLECTIONS
def test_no_collection_takes_what_is_no_query(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    path = array.collection(resource.path)
    # The beginning of a page makes no difference to these.
    queries = dict(QUERIES) if resource in OF_EACH_KIND else {}
    for order in ("", "&order_by=uuid"):
        for what, text in PLACES.items():
            start = base64.urlsafe_b64encode(text.encode()).decode()
            queries[f"start: {what}{order}"] = f"start={start}{order}"
    with array.unchanged():
        answers = {what: array.send("GET", path, None, query) for what, query in queries.items()}
        assert unrefused(answers) == {}


@CHANGED
def test_no_object_is_meant_twice(
    array: FurnishedArray, resource: Resource[Any], method: str
) -> None:
    path, first = array.collection(resource.path), array.records(resource.path)[0]
    keys = [key for key in resource.keys if f"{{{key}}}" not in resource.path]
    record = {key: at(first, key) for key in keys}
    deep = json.dumps({"records": "here"}).replace('"here"', NESTED["deep records"])
    with array.unchanged():
        answers = {
            "twice": array.send(method, path, {"records": [record, record]}),
            "deep": send(array, method, path, deep),
        }
        assert unrefused(answers) == {}


@EACH_REQUEST
def test_of_two_equal_objects_neither_is_created(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    path, another = array.collection(resource.path), examples.BY_PATH[resource.path].another
    with array.unchanged():
        answer = array.send("POST", path, {"records": [another, another]})
        assert unrefused({"twice": answer}) == {}
