"""Fibre Channel services as clients make, change and see them."""

from __future__ import annotations

import re

import pytest
from beginnings import prepared_once
from in_process import Array

SERVICES = "protocols/san/fcp/services"


@pytest.fixture
@prepared_once
def path(api: Array) -> str:
    """The path of the service that svm1 may have, in an array with an adapter."""
    api.observe("network/fc/ports", "21:00:00:24:ff:00:00:01", name="0000:03:00.0")
    return f"{SERVICES}/{api.svm()['uuid']}"


def test_a_service_names_its_svm_to_the_fabric(api: Array, path: str) -> None:
    response = api.call("POST", SERVICES, {"svm": {"name": "svm1"}})
    assert (response.status_code, response.headers["Location"]) == (201, f"/api/{path}")
    record = api.get(path)
    assert (record["svm"]["name"], record["enabled"], record["state"]) == ("svm1", True, "down")
    assert re.fullmatch(r"3[0-9a-f](:[0-9a-f]{2}){7}", record["target"]["name"])
    api.svm("svm2")
    other = api.make(SERVICES, {"svm.name": "svm2"})
    assert other["target"]["name"] != record["target"]["name"]


def test_a_recreated_service_keeps_its_name(api: Array, path: str) -> None:
    first = api.make(SERVICES, {"svm.name": "svm1", "enabled": False})
    api.delete(path)
    assert api.make(SERVICES, {"svm.name": "svm1"})["target"] == first["target"]


def test_a_machine_without_an_adapter_has_no_service(api: Array) -> None:
    api.svm()
    api.refuse("POST", SERVICES, "5374092", {"svm.name": "svm1"})


def test_an_svm_has_one_service_and_only_where_it_may(api: Array, path: str) -> None:
    api.make(SERVICES, {"svm.name": "svm1"})
    api.refuse("POST", SERVICES, "5374082", {"svm.name": "svm1"})
    api.patch(f"svm/svms/{api.svm('svm2')['uuid']}", {"fcp.allowed": False})
    api.refuse("POST", SERVICES, "2621507", {"svm.name": "svm2"})


def test_a_service_goes_when_it_is_disabled(api: Array, path: str) -> None:
    api.make(SERVICES, {"svm.name": "svm1"})
    api.refuse("DELETE", path, "5373960")
    api.patch(path, {"enabled": False})
    api.delete(path)
    assert api.get(path, 404)["error"]["code"] == "4"
    api.refuse("PATCH", path, "5374083", {"enabled": True})
    api.refuse("DELETE", path, "5374083")


def test_a_new_svm_may_have_it_at_once(api: Array, path: str) -> None:
    api.make("svm/svms", {"name": "new", "fcp.enabled": True})
    [svm] = api.records("svm/svms?name=new&fields=fcp")
    assert svm["fcp"] == {"allowed": True, "enabled": True}
    assert [each["svm"]["name"] for each in api.records(SERVICES)] == ["new"]
