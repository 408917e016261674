"""Every route of the API asks whether the account's role allows it, before anything else."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import pytest
from furnished_array import FurnishedArray, error
from representatives import OF_EACH_KIND

from sanstone.core import errors
from sanstone.core.declaration.resource import Resource
from sanstone.http import descriptions, oidc
from sanstone.http.auth import OWN_PASSWORD
from sanstone.http.sessions import PATH as SESSIONS

PASSWORD = "A long pass phrase 1"
FREE = descriptions.PATHS | {OWN_PASSWORD, SESSIONS} | {path for _, path in oidc.OPEN}
"""Requests without a role: the description, one's own password, logging in and out."""
LOOKING = {"GET", "HEAD"}
BUNDLE = "/api/support/bundles/x/file"
"""Only accounts that may create support bundles may read one: it has everybody's journal."""
HTTP = [{"application": "http", "authentication_methods": ["password"]}]
COLLECTIONS = pytest.mark.parametrize(
    "resource",
    # A privilege cannot name one object whose key holds slashes.
    [r for r in OF_EACH_KIND if not r.single and not r.slashed],
    ids=lambda resource: resource.path,
)


@pytest.fixture(scope="module")
def routes(furnished: Any) -> list[tuple[str, str]]:
    """Return method and path of all that the API serves; keys are made up."""
    array, _ = furnished
    pairs = set()
    for rule in array.simulator.client.application.url_map.iter_rules():
        path = re.sub("<[^>]*>", "x", rule.rule).rstrip("/")
        if path.startswith("/api/") and path not in FREE:
            pairs |= {(method, path) for method in rule.methods or () if method != "OPTIONS"}
    return sorted(pairs)


def someone(array: FurnishedArray, **privileges: str) -> Any:
    """Create an account with accesses to paths, and return a function that sends requests as it."""
    rules = [{"path": path, "access": access} for path, access in privileges.items()]
    array.simulator.do("POST", "security/roles", {"name": "few", "privileges": rules})
    body = {"name": "someone", "password": PASSWORD, "role": "few", "applications": HTTP}
    array.simulator.do("POST", "security/accounts", body)

    def send(method: str, path: str, body: Any = None) -> Any:
        auth = ("someone", PASSWORD)
        return array.simulator.client.open(path, method=method, json=body, auth=auth)

    return send


def refused_routes(
    array: FurnishedArray, routes: list[tuple[str, str]], access: str, path: str
) -> Any:
    """Return the `routes` that are refused to an account with this access to a path."""
    send = someone(array, **{path: access})
    pairs = set()
    with array.unchanged():
        for method, place in routes:
            answer = send(method, place, {"nonsense": 1})
            if answer.status_code == 403:
                assert method == "HEAD" or answer.get_json()["error"]["code"] == errors.FORBIDDEN
                pairs.add((method, place))
    return pairs


def test_there_are_routes(routes: list[tuple[str, str]]) -> None:
    assert len(routes) > 200
    assert {method for method, _ in routes} == LOOKING | {"POST", "PATCH", "DELETE"}


def test_nothing_is_for_strangers(array: FurnishedArray, routes: list[tuple[str, str]]) -> None:
    client = array.simulator.client
    with array.unchanged():
        for method, path in routes:
            answer = client.open(path, method=method, json={})
            assert answer.status_code == 401
            assert method == "HEAD" or error(answer)["code"] == errors.NOT_AUTHENTICATED


def test_a_readonly_account_changes_nothing(
    array: FurnishedArray, routes: list[tuple[str, str]]
) -> None:
    changing = {(method, path) for method, path in routes if method not in LOOKING}
    kept_from = {(method, BUNDLE) for method in LOOKING}
    assert refused_routes(array, routes, "readonly", "/api") == changing | kept_from


def test_a_role_for_one_path_reaches_no_other(
    array: FurnishedArray, routes: list[tuple[str, str]]
) -> None:
    luns = re.compile("/api/storage/luns(/|$)")
    others = {(method, path) for method, path in routes if not luns.match(path)}
    assert refused_routes(array, routes, "all", "/api/storage/luns") == others


@COLLECTIONS
def test_an_object_that_a_role_hides_is_not_in_its_collection_either(
    array: FurnishedArray, resource: Resource[Any]
) -> None:
    collection, hidden = f"/api/{array.collection(resource.path)}", array.first(resource.path)
    send = someone(array, **{"/api": "readonly", unquote(f"/api/{hidden}"): "none"})
    assert send("GET", f"/api/{hidden}").status_code == 403
    everything = array.simulator.get(array.collection(resource.path))["records"]
    answer = send("GET", collection).get_json()
    links = {record["_links"]["self"]["href"] for record in everything}
    hrefs = {record["_links"]["self"]["href"] for record in answer["records"]}
    # Reading is audited and figures go on, so records may have changed in between.
    assert f"/api/{hidden}" not in hrefs
    assert len(hrefs) >= len(links) - 1
    assert answer["num_records"] == len(hrefs)


def test_a_role_hides_an_object_however_its_path_is_written(array: FurnishedArray) -> None:
    volume = f"/api/{array.first('storage/volumes')}"
    uuid = volume.rpartition("/")[2]
    send = someone(array, **{"/api": "all", volume: "none"})
    with array.unchanged():
        for spelling in (uuid, uuid.upper(), uuid.replace("-", "")):
            for below in ("", "/snapshots", "/metrics"):
                for method in ("GET", "POST", "PATCH", "DELETE"):
                    path = f"/api/storage/volumes/{spelling}{below}"
                    if (below, method) != ("", "POST"):
                        assert send(method, path, {}).status_code in (403, 405), (method, path)
