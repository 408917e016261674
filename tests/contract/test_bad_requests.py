"""A request with a mistake outside its fields is refused, and changes nothing.

Options that a resource declares are tried for each; the routes' own, for the first resource of
each kind. test_permissions shows that strangers get nothing.
"""

from __future__ import annotations

import re
from typing import Any

import examples
import pytest
from furnished_array import FurnishedArray, at, error, nested
from representatives import OF_EACH_KIND, first_of_each, shape
from simulator import LOGIN

from sanstone.core import errors
from sanstone.core.declaration import filters
from sanstone.core.declaration.resource import Field, Resource
from sanstone.core.declaration.types import Boolean, Integer, Netmask, Timestamp
from sanstone.core.errors import ApiError
from sanstone.resources.declared import RESOURCES

NOBODY = "00000000-0000-4000-8000-000000000000"
ALL = {"GET", "POST", "PATCH", "DELETE"}
EACH = pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
KINDS = pytest.mark.parametrize("resource", OF_EACH_KIND, ids=lambda resource: resource.path)
COLLECTIONS = pytest.mark.parametrize(
    "resource", [r for r in RESOURCES if not r.single], ids=lambda resource: resource.path
)
BELOW = pytest.mark.parametrize(
    "resource", [r for r in RESOURCES if "{" in r.path], ids=lambda resource: resource.path
)
WRITES = [
    pytest.param(resource, method, id=f"{method}-{resource.path}")
    for resource in OF_EACH_KIND
    for method in ("POST", "PATCH")
    if method in resource.methods
]
CHANGING = [
    pytest.param(resource, method, id=f"{method}-{resource.path}")
    for resource in OF_EACH_KIND
    for method in ("PATCH", "DELETE")
    if method in resource.methods and not resource.single
]
OPTIONS = [
    pytest.param(resource, method, option, id=f"{method}-{resource.path}-{option.name}")
    for resource in RESOURCES
    for method in sorted(resource.methods - {"GET"})
    for option in resource.options
]
SECRETS = [
    pytest.param(resource, node.name, id=f"{resource.path}-{node.name}")
    for resource in RESOURCES
    for node in resource.fields
    if isinstance(node, Field) and node.secret
]
NO_JSON = {
    "nothing that ends": b'{"name": "a"',
    "no JSON": b"name=a",
    "a comment": b'{"name": "a"} // a',
    "two objects": b"{}{}",
    "not a number": b'{"size": NaN}',
    "infinity": b'{"size": -Infinity}',
    "a name twice": b'{"name": "a", "name": "b"}',
    "a name twice inside": b'{"space": {"size": 1, "size": 2}}',
    "not UTF-8": b'{"name": "\xff"}',
    "too deep": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "a list": b"[]",
    "a text": b'"name"',
    "a number": b"7",
    "a truth value": b"true",
    "a huge number": b'{"no_such": ' + b"9" * 5000 + b"}",
    "half a surrogate pair": b'{"name": "\\ud800"}',
}


def place(array: FurnishedArray, resource: Resource[Any], method: str) -> str:
    """Return the path that a request of this method goes to."""
    collection = method == "POST" and not resource.single
    return array.collection(resource.path) if collection else array.first(resource.path)


def nobody(array: FurnishedArray, resource: Resource[Any]) -> str:
    """Return the path of an object that does not exist."""
    collection = array.collection(resource.path)
    own = [key for key in resource.keys if f"{{{key}}}" not in resource.path]
    return "/".join((collection, *(NOBODY for _ in own)))


@pytest.mark.parametrize(("resource", "method"), WRITES)
def test_a_body_that_is_no_json_object_is_refused(
    array: FurnishedArray, resource: Resource[Any], method: str
) -> None:
    path = place(array, resource, method)
    with array.unchanged():
        for what, data in NO_JSON.items():
            response = array.simulator.client.open(
                f"/api/{path}", method=method, data=data, auth=LOGIN
            )
            assert error(response), what


@pytest.mark.parametrize(("resource", "method"), WRITES)
def test_a_body_that_is_too_large_is_refused(
    array: FurnishedArray, resource: Resource[Any], method: str
) -> None:
    with array.unchanged():
        response = array.send(method, place(array, resource, method), {"name": "x" * 2**22})
        assert (response.status_code, error(response)["code"]) == (413, errors.INVALID)


@EACH
def test_a_method_that_there_is_not_is_refused(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    one = array.first(resource.path)
    collection = array.collection(resource.path)
    only_one = {"PUT"} if resource.single else {"POST", "PUT"}
    of_one = only_one | (ALL - resource.methods - {"GET"})
    of_all = {"PUT"} | (ALL - resource.methods - {"GET"})
    with array.unchanged():
        for path, methods in ((one, of_one), (collection, of_all)):
            for method in methods:
                response = array.send(method, path, {})
                envelope = error(response)
                assert (response.status_code, envelope["code"]) == (405, errors.NO_ENDPOINT)
                assert method not in response.headers["Allow"]


@COLLECTIONS
def test_an_object_that_there_is_not_is_not_found(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    path = nobody(array, resource)
    with array.unchanged():
        for method in sorted({"GET", "PATCH", "DELETE"} & ({"GET"} | resource.methods)):
            code = errors.UNKNOWN if method == "GET" else resource.unknown_code
            for where in (path, f"{path.rpartition('/')[0]}/%20..%00%ff"):
                response = array.send(method, where, {} if method == "PATCH" else None)
                envelope = error(response)
                assert (response.status_code, envelope["code"]) == (404, code), where
                assert envelope["message"].startswith("entry doesn't exist"), where


@BELOW
def test_a_collection_below_an_object_that_there_is_not_is_not_found(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    path = re.sub(r"{[^}]*}", NOBODY, resource.path)
    with array.unchanged():
        for method in sorted({"GET", "POST"} & resource.methods):
            body = examples.BY_PATH[resource.path].another
            response = array.send(method, path, body if method == "POST" else None)
            assert (response.status_code, error(response)["code"]) == (404, errors.UNKNOWN)


@pytest.mark.parametrize(("resource", "method"), CHANGING)
def test_a_change_of_a_collection_needs_a_query(
    array: FurnishedArray, resource: Resource[Any], method: str
) -> None:
    path = array.collection(resource.path)
    key, *others = [key for key in resource.keys if f"{{{key}}}" not in resource.path]
    node = resource.node(key)
    counted = isinstance(node, Field) and isinstance(node.type, Integer)
    nobody, number = ("99", 99) if counted else (NOBODY, 7)
    with array.unchanged():
        assert error(array.send(method, path, {}))["code"] == errors.INVALID
        wrong: list[Any] = ["x", [], ["x"], {}, 7, [{}], [{"no_such": 1}]]
        wrong += [[{key: number}], [{key: [1]}]]
        for records in wrong:
            error(array.send(method, path, {"records": records}))
        if method == "PATCH":
            record = dict.fromkeys((key, *others), nobody)
            response = array.send(method, path, {"records": [record]})
            assert (response.status_code, error(response)["code"]) == (404, resource.unknown_code)
            bad = array.send(method, path, {"no_such": 1}, f"{key}={nobody}")
            assert error(bad)["code"] == errors.UNEXPECTED_ARGUMENT
        nothing = array.send(method, path, {}, f"{key}={nobody}")
        assert (nothing.status_code, nothing.get_json()["num_records"]) == (200, 0)


@KINDS
def test_a_bad_parameter_is_refused(array: FurnishedArray, resource: Resource[Any]) -> None:
    path = array.collection(resource.path)
    bad = ["fields=no_such", "fields=space.no_such"]
    if not resource.single:
        bad += ["max_records=0", "max_records=-1", "max_records=many"]
        bad += ["return_records=maybe", "return_timeout=121", "return_timeout=soon"]
        bad += ["return_total=maybe", "offset=-1", "offset=x", "offset=1&start=WyJhIl0"]
        bad += ["order_by=no_such", "order_by=uuid sideways", "start=x", "start=AAAA", "no_such=1"]
    with array.unchanged():
        for query in bad:
            response = array.send("GET", path, None, query)
            assert (response.status_code, bool(error(response))) == (400, True), query


@pytest.mark.parametrize(("resource", "method"), dict.fromkeys([*WRITES, *CHANGING]))
def test_a_bad_control_parameter_of_a_change_is_refused(
    array: FurnishedArray, resource: Resource[Any], method: str
) -> None:
    bad = ["return_timeout=121", "return_timeout=-1", "return_timeout=soon"]
    if method == "POST":
        bad += ["return_records=maybe", "no_such=1"]
    assert_refused(array, resource, method, bad)


@pytest.mark.parametrize(("resource", "method", "option"), OPTIONS)
def test_a_bad_option_is_refused(
    array: FurnishedArray, resource: Resource[Any], method: str, option: Field
) -> None:
    texts = (bad for bad in option.type.bad if isinstance(bad, str))
    assert_refused(array, resource, method, [f"{option.name}={text}" for text in texts])
    path = place(array, resource, method)
    body = examples.BY_PATH[resource.path].another if method == "POST" else {}
    with array.unchanged():
        for bad in option.type.bad:
            for variant in (body | {option.name: bad}, nested(body | {option.name: bad})):
                envelope = error(array.send(method, path, variant))
                assert (envelope["code"], envelope["target"]) == (errors.BAD_VALUE, option.name), (
                    variant
                )


def test_an_option_is_called_otherwise_than_all_fields() -> None:
    for resource in RESOURCES:
        names = {node.name for node in resource.fields}
        assert names.isdisjoint(option.name for option in resource.options), resource.path


def assert_refused(
    array: FurnishedArray, resource: Resource[Any], method: str, queries: list[str]
) -> None:
    """Assert that a request that would be taken is not with any of the queries."""
    path = place(array, resource, method)
    body = examples.BY_PATH[resource.path].another if method == "POST" else {}
    with array.unchanged():
        for query in queries:
            response = array.send(method, path, body, query)
            assert (response.status_code, bool(error(response))) == (400, True), query


@COLLECTIONS
def test_a_filter_is_refused_where_it_cannot_match_alone(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    fields = [node for node in resource.fields if isinstance(node, Field) and node.leaves]
    for node in fields:
        for text in ("x", ">x", "1..x", "<", "1|x"):
            assert filtered(resource, node.name, text) == matches_text(node), (node.name, text)
        if isinstance(node.type, Boolean):
            assert filtered(resource, node.name, "TRUE|FALSE")
    path = array.collection(resource.path)
    with array.unchanged():
        for node in first_of_each(fields, shape):
            response = array.send("GET", path, None, f"{node.name}=>x")
            assert response.status_code == (200 if matches_text(node) else 400), node.name


def matches_text(node: Field) -> bool:
    """Return whether values of a field may be compared with any text."""
    return not isinstance(node.type, Integer | Timestamp | Netmask)


def filtered(resource: Resource[Any], name: str, text: str) -> bool:
    """Return whether a query may have a text."""
    try:
        filters.parse(resource, {name: [text]})
    except ApiError as error:
        assert error.status == 400
        return False
    return True


@pytest.mark.parametrize(("resource", "name"), SECRETS)
def test_a_secret_is_neither_shown_nor_filtered_nor_ordered_by(
    array: FurnishedArray, resource: Resource[Any], name: str
) -> None:
    path = array.collection(resource.path)
    queries = (f"{name}=x", f"{name}=*", *(() if resource.single else (f"order_by={name}",)))
    for query in queries:
        assert array.send("GET", path, None, query).status_code == 400
    answer = array.send("GET", path, None, f"fields={name}").get_json()
    records = [answer] if resource.single else answer["records"]
    assert records
    assert all(at(record, name) is None for record in records)
