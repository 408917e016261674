"""DNS servers, the array's and those kept of SVMs, as clients set them."""

from __future__ import annotations

import pytest
from in_process import Array

PATH = "name-services/dns"
QUERY = f"{PATH}?fields=domains,servers,svm"
DNS = {"domains": ["San.example.org"], "servers": ["192.0.2.53", "2001:DB8::53"]}


@pytest.mark.parametrize("owner", [{}, {"svm": {"name": "array1"}}, {"scope": "cluster"}])
def test_dns_shows_the_arrays_settings(api: Array, owner: dict[str, object]) -> None:
    assert api.records(QUERY) == []
    created = api.make(PATH, DNS | owner)
    cluster = api.get("cluster")
    assert (created["uuid"], created["scope"]) == (cluster["uuid"], "cluster")
    assert (created["svm"]["name"], created["svm"]["uuid"]) == ("array1", cluster["uuid"])
    assert cluster["dns_domains"] == created["domains"] == ["san.example.org"]
    assert cluster["name_servers"] == created["servers"] == ["192.0.2.53", "2001:db8::53"]
    api.patch(f"{PATH}/{created['uuid']}", {"servers": ["192.0.2.54"]})
    assert api.get("cluster")["name_servers"] == ["192.0.2.54"]
    api.delete(f"{PATH}/{created['uuid']}")
    cluster = api.get("cluster")
    assert (cluster["name_servers"], cluster["dns_domains"]) == ([], [])
    api.get(f"{PATH}/{created['uuid']}", 404)


def test_settings_from_the_cluster_are_shown(api: Array) -> None:
    api.patch("cluster", {"name_servers": ["192.0.2.53"]})
    for query in ("scope=cluster", "svm.name=array1", "servers=192.0.2.53"):
        [record] = api.records(f"{QUERY}&{query}")
        assert record["servers"] == ["192.0.2.53"]
        assert "domains" not in record
    for query in ("scope=svm", "svm.name=svm1"):
        assert api.records(f"{QUERY}&{query}") == []
    api.patch("cluster", {"name_servers": []})
    assert api.records(QUERY) == []


@pytest.mark.parametrize("owner", [{"svm.name": "svm1"}, {"svm": "svm1", "scope": "svm"}])
def test_that_of_an_svm_is_kept_beside_the_arrays(api: Array, owner: dict[str, object]) -> None:
    svm = api.svm()
    api.make(PATH, {"domains": ["example.org"], "servers": ["192.0.2.54"]})
    created = api.make(PATH, DNS | owner)
    assert (created["uuid"], created["scope"], created["svm"]["name"]) == (
        svm["uuid"],
        "svm",
        "svm1",
    )
    api.refuse("POST", PATH, "1", DNS | owner)
    api.patch(f"{PATH}/{created['uuid']}", {"servers": ["192.0.2.55"]})
    [record] = api.records(f"{QUERY}&svm.name=svm1")
    assert (record["domains"], record["servers"]) == (["san.example.org"], ["192.0.2.55"])
    assert api.get("cluster")["name_servers"] == ["192.0.2.54"], "the array asks its own alone"
    api.delete(f"{PATH}/{created['uuid']}")
    assert [record["scope"] for record in api.records(f"{PATH}?fields=scope")] == ["cluster"]
    api.get(f"{PATH}/{created['uuid']}", 404)


def test_scope_and_owner_agree(api: Array) -> None:
    api.svm()
    for owner in ({"svm.name": "svm1", "scope": "cluster"}, {"scope": "svm"}):
        assert api.refuse("POST", PATH, "262197", DNS | owner)["target"] == "scope"


def test_there_is_one(api: Array) -> None:
    api.make(PATH, DNS)
    api.refuse("POST", PATH, "1", DNS)


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("2", {"domains": None}),
        ("262197", {"servers": []}),
        ("262197", {"servers": ["ns.example.org"]}),
        ("262197", {"domains": [f"d{number}.org" for number in range(7)]}),
        ("262179", {"timeout": 3}),
    ],
)
def test_invalid_dns_settings_are_refused(api: Array, code: str, change: dict[str, object]) -> None:
    body = {name: value for name, value in (DNS | change).items() if value is not None}
    error = api.refuse("POST", PATH, code, body)
    assert error["target"] == next(iter(change))


def test_neither_list_is_emptied_alone(api: Array) -> None:
    created = api.make(PATH, DNS | {"skip_config_validation": False})
    for name in ("domains", "servers"):
        error = api.refuse("PATCH", f"{PATH}/{created['uuid']}", "262197", {name: []})
        assert "delete the whole" in error["message"]
