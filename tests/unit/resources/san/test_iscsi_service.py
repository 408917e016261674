"""iSCSI services as clients make, change and see them."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import SERIAL, Array

SERVICES = "protocols/san/iscsi/services"


@pytest.fixture
@prepared_once
def path(api: Array) -> str:
    """The path of the service that svm1 may have."""
    return f"{SERVICES}/{api.svm()['uuid']}"


def test_a_service_needs_no_lif_and_names_its_target(api: Array, path: str) -> None:
    response = api.call("POST", SERVICES, {"svm": {"name": "svm1"}})
    assert response.status_code == 201
    assert response.headers["Location"] == f"/api/{path}"
    record = api.get(path)
    assert (record["svm"]["name"], record["enabled"]) == ("svm1", True)
    assert record["target"] == {
        "name": f"iqn.2026-11.org.sanstone:sn.{SERIAL}:vs.1",
        "alias": "svm1",
    }


def test_targets_of_two_svms_differ(api: Array, path: str) -> None:
    api.svm("svm2")
    created = [api.make(SERVICES, {"svm.name": name}) for name in ("svm1", "svm2")]
    assert created[0]["target"]["name"] != created[1]["target"]["name"]


def test_a_target_name_of_ones_own(api: Array, path: str) -> None:
    name = "iqn.1992-08.com.netapp:sn.1:vs.3"
    body = {
        "svm.name": "svm1",
        "target": {"name": name, "alias": "a"},
        "enabled": False,
    }
    created = api.make(SERVICES, body)
    assert (created["target"], created["enabled"]) == ({"name": name, "alias": "a"}, False)
    api.svm("svm2")
    api.refuse("POST", SERVICES, "1", body | {"svm.name": "svm2"})


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("2621707", {}),
        ("2621462", {"svm.name": "svm9"}),
        ("262197", {"svm.name": "svm1", "target.name": "target"}),
        ("262197", {"svm.name": "svm1", "enabled": "maybe"}),
    ],
)
def test_invalid_services_are_refused(
    api: Array, path: str, code: str, body: dict[str, Any]
) -> None:
    api.refuse("POST", SERVICES, code, body)


def test_an_svm_has_one_at_most_and_must_allow_it(api: Array, path: str) -> None:
    api.make(SERVICES, {"svm.name": "svm1"})
    api.refuse("POST", SERVICES, "5374077", {"svm.name": "svm1"})
    api.svm("svm2", **{"iscsi.allowed": False})
    api.refuse("POST", SERVICES, "2621507", {"svm.name": "svm2"})


def test_the_target_is_renamed_only_while_nobody_can_log_in(api: Array, path: str) -> None:
    created = api.make(SERVICES, {"svm.name": "svm1"})
    new = {"target.name": "iqn.2026-11.org.example:t1"}
    api.refuse("PATCH", path, "5373960", new)
    api.patch(path, {"target": {"name": created["target"]["name"], "alias": "other"}})
    api.patch(path, {"enabled": False})
    api.patch(path, new)
    api.patch(path, {"enabled": True})
    assert api.get(path)["target"] == {
        "name": "iqn.2026-11.org.example:t1",
        "alias": "other",
    }


def test_only_a_disabled_service_goes(api: Array, path: str) -> None:
    api.make(SERVICES, {"svm.name": "svm1"})
    api.refuse("DELETE", path, "5373960")
    api.patch(path, {"enabled": False})
    api.delete(path)
    api.refuse("GET", path, "4")
