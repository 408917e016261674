"""SRP services as clients make, change and see them."""

from __future__ import annotations

from in_process import Array

SERVICES, LIFS, IGROUPS = (
    "protocols/san/srp/services",
    "network/ip/interfaces",
    "protocols/san/igroups",
)
INITIATOR = "0x0000000000000000505400fffe5a6511"


def test_a_service_is_there_before_it_is_reached(api: Array) -> None:
    api.svm()
    created = api.make(SERVICES, {"svm.name": "svm1"})
    assert (created["svm"]["name"], created["enabled"], created["state"]) == ("svm1", True, "down")
    assert "target" not in created, "nothing serves SRP yet"


def test_an_svm_has_one_service_and_only_where_it_may(api: Array) -> None:
    api.svm()
    api.make(SERVICES, {"svm.name": "svm1"})
    api.refuse("POST", SERVICES, "1", {"svm.name": "svm1"})
    api.patch(f"svm/svms/{api.svm('svm2')['uuid']}", {"srp.allowed": False})
    api.refuse("POST", SERVICES, "2621507", {"svm.name": "svm2"})


def test_a_service_goes_when_it_is_disabled(api: Array) -> None:
    path = f"{SERVICES}/{api.svm()['uuid']}"
    api.make(SERVICES, {"svm.name": "svm1"})
    api.refuse("DELETE", path, "8")
    api.patch(path, {"enabled": False})
    api.delete(path)
    assert api.get(path, 404)["error"]["code"] == "4"


def test_an_igroup_of_srp_takes_identifiers_alone(api: Array) -> None:
    api.svm()
    body = {"svm.name": "svm1", "name": "group1", "os_type": "linux", "protocol": "srp"}
    created = api.make(IGROUPS, body | {"initiators": ["5054:00ff:FE5A:6511"]})
    assert [each["name"] for each in created["initiators"]] == [INITIATOR]
    members = f"{IGROUPS}/{created['uuid']}/initiators"
    api.refuse("POST", members, "2", {"name": "iqn.1994-05.com.example:host1"})
    api.refuse("POST", members, "2", {"name": "20:00:00:50:56:00:00:01"})
    api.refuse("POST", members, "5374035", {"name": INITIATOR.upper()})


def test_other_igroups_take_none(api: Array) -> None:
    api.svm()
    body = {"svm.name": "svm1", "name": "group1", "os_type": "linux", "initiators": [INITIATOR]}
    api.refuse("POST", IGROUPS, "5374039", body | {"protocol": "iscsi"})
    api.refuse("POST", IGROUPS, "5374038", body | {"protocol": "fcp"})
    assert api.make(IGROUPS, body)["protocol"] == "mixed"
