"""The array's DNS servers, as clients that know of `name-services/dns` set them."""

from __future__ import annotations

import pytest
from in_process import Array

PATH = "name-services/dns"
ASKED = f"{PATH}?fields=domains,servers,svm"
DNS = {"domains": ["San.example.org"], "servers": ["192.0.2.53", "2001:DB8::53"]}


@pytest.mark.parametrize("whose", [{}, {"svm": {"name": "array1"}}, {"scope": "cluster"}])
def test_it_is_what_the_array_has(api: Array, whose: dict[str, object]) -> None:
    assert api.records(ASKED) == []
    made = api.make(PATH, DNS | whose)
    cluster = api.get("cluster")
    assert (made["uuid"], made["scope"]) == (cluster["uuid"], "cluster")
    assert (made["svm"]["name"], made["svm"]["uuid"]) == ("array1", cluster["uuid"])
    assert cluster["dns_domains"] == made["domains"] == ["san.example.org"]
    assert cluster["name_servers"] == made["servers"] == ["192.0.2.53", "2001:db8::53"]
    api.patch(f"{PATH}/{made['uuid']}", {"servers": ["192.0.2.54"]})
    assert api.get("cluster")["name_servers"] == ["192.0.2.54"]
    api.delete(f"{PATH}/{made['uuid']}")
    cluster = api.get("cluster")
    assert (cluster["name_servers"], cluster["dns_domains"]) == ([], [])
    api.get(f"{PATH}/{made['uuid']}", 404)


def test_what_the_array_was_given_elsewhere_is_shown(api: Array) -> None:
    api.patch("cluster", {"name_servers": ["192.0.2.53"]})
    for query in ("scope=cluster", "svm.name=array1", "servers=192.0.2.53"):
        [record] = api.records(f"{ASKED}&{query}")
        assert record["servers"] == ["192.0.2.53"]
        assert "domains" not in record
    for query in ("scope=svm", "svm.name=svm1"):
        assert api.records(f"{ASKED}&{query}") == []
    api.patch("cluster", {"name_servers": []})
    assert api.records(ASKED) == []


@pytest.mark.parametrize("whose", [{"svm.name": "svm1"}, {"svm": "svm1", "scope": "svm"}])
def test_an_svm_has_none_and_is_told_so(api: Array, whose: dict[str, object]) -> None:
    api.svm()
    error = api.refuse("POST", PATH, "8847360", DNS | whose)
    assert error["target"] == "svm"
    assert "SVMs look up no names" in error["message"]
    assert '"array1"' in error["message"]


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
def test_what_it_cannot_be(api: Array, code: str, change: dict[str, object]) -> None:
    body = {name: value for name, value in (DNS | change).items() if value is not None}
    error = api.refuse("POST", PATH, code, body)
    assert error["target"] == next(iter(change))


def test_neither_list_is_emptied_alone(api: Array) -> None:
    made = api.make(PATH, DNS | {"skip_config_validation": False})
    for name in ("domains", "servers"):
        error = api.refuse("PATCH", f"{PATH}/{made['uuid']}", "262197", {name: []})
        assert "delete the whole" in error["message"]
