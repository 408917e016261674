"""Service policies: those built in, the same for each SVM, and those that somebody makes."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import Array

POLICIES, LIFS = "network/ip/service-policies", "network/ip/interfaces"
MINE = {"svm.name": "svm1", "name": "mine", "services": ["data_core", "data_iscsi"]}


@pytest.fixture
def network(api: Array) -> Array:
    """An array with an SVM and two ports."""
    api.svm()
    for name in ("e0a", "e0b"):
        api.observe("network/ethernet/ports", name, mac_address="", mtu=1500, up=True, carrier=True)
    return api


def lif(network: Array, address: str, policy: str, **more: Any) -> str:
    """Add a LIF on e0a, and return its path."""
    body = {"svm.name": "svm1", "name": f"lif{address[-1]}", "location.home_port.name": "e0a"}
    ip = {"ip": {"address": address, "netmask": "24"}}
    created = network.make(LIFS, body | ip | {"service_policy": policy} | more)
    return f"{LIFS}/{created['uuid']}"


def path_of(network: Array, name: str) -> str:
    """Return the path of a policy of svm1."""
    [record] = network.records(f"{POLICIES}?svm.name=svm1&name={name}")
    return f"{POLICIES}/{record['uuid']}"


def offered(network: Array, path: str) -> list[str]:
    """Return the services of a LIF."""
    services: list[str] = network.get(f"{path}?fields=services")["services"]
    return services


def test_each_svm_has_the_built_in_policies(api: Array) -> None:
    api.svm("svm1")
    api.svm("svm2")
    for svm in ("svm1", "svm2"):
        records = api.records(f"{POLICIES}?svm.name={svm}&fields=services,is_built_in,scope")
        services = {record["name"]: record["services"] for record in records}
        assert services["default-data-iscsi"] == ["data_core", "data_iscsi"]
        assert services["default-data-nvme-tcp"] == ["data_core", "data_nvme_tcp"]
        assert services["default-data-blocks"] == ["data_core", "data_iscsi", "data_nvme_tcp"]
        assert all(record["is_built_in"] and record["scope"] == "svm" for record in records)


def test_identities_are_unique_and_lead_to_the_policy(api: Array) -> None:
    api.svm("svm1")
    api.svm("svm2")
    api.make(POLICIES, MINE)
    listed = api.records(POLICIES)
    assert len({record["uuid"] for record in listed}) == len(listed)
    for record in listed:
        assert api.get(f"{POLICIES}/{record['uuid']}")["name"] == record["name"]


def test_management_has_a_policy_of_its_own(api: Array) -> None:
    [record] = api.records(f"{POLICIES}?scope=cluster")
    assert record["name"] == "default-management"


def test_a_policy_is_shown_as_created(network: Array) -> None:
    created = network.make(POLICIES, MINE | {"ipspace": "Default"})
    record = network.get(f"{POLICIES}/{created['uuid']}")
    assert (record["name"], record["scope"], record["is_built_in"]) == ("mine", "svm", False)
    assert (record["svm"]["name"], record["ipspace"]["name"]) == ("svm1", "Default")
    assert record["services"] == ["data_core", "data_iscsi"]


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("53281931", {"name": "default-mine"}),
        ("53281932", {"services": ["data_nfs"]}),
        ("53281932", {"services": ["data_iscsi", "data_iscsi"]}),
        ("2621462", {"svm.name": "svm9"}),
        ("262197", {"scope": "cluster"}),
    ],
)
def test_invalid_policies_are_refused(network: Array, code: str, change: dict[str, Any]) -> None:
    network.refuse("POST", POLICIES, code, MINE | change)


def test_a_name_is_unique_in_its_svm(network: Array) -> None:
    network.svm("svm2")
    network.make(POLICIES, MINE)
    network.make(POLICIES, MINE | {"svm.name": "svm2"})
    network.refuse("POST", POLICIES, "1", MINE)
    network.make(POLICIES, MINE | {"name": "other"})
    network.refuse("PATCH", path_of(network, "other"), "1", {"name": "mine"})


def test_management_serves_no_data(network: Array) -> None:
    body = {"name": "web", "services": ["management_https", "data_iscsi"]}
    error = network.refuse("POST", POLICIES, "53281934", body)
    assert "data_iscsi" in error["message"]
    created = network.make(POLICIES, body | {"services": ["management_https"]})
    assert (created["scope"], "svm" in created) == ("cluster", False)
    lif(network, "10.10.1.8", "web", **{"svm.name": None, "scope": "cluster"})


def test_built_in_policies_cannot_change(network: Array) -> None:
    path = path_of(network, "default-data-iscsi")
    network.refuse("DELETE", path, "53281927")
    network.refuse("PATCH", path, "53281930", {"name": "mine"})
    network.refuse("PATCH", path, "53281911", {"services": ["data_core"]})
    network.patch(path, {"name": "default-data-iscsi", "services": ["data_core", "data_iscsi"]})


def test_a_lif_offers_what_its_policy_does(network: Array) -> None:
    created = network.make(POLICIES, MINE)
    path = lif(network, "10.10.1.7", "mine")
    interface = network.get(path)
    assert interface["service_policy"] == {"name": "mine", "uuid": created["uuid"]}
    assert interface["services"] == ["data_core", "data_iscsi"]
    records = network.records(f"{LIFS}?service_policy.name=mine&services=data_iscsi")
    assert [record["name"] for record in records] == ["lif7"]
    network.patch(path_of(network, "mine"), {"services": ["data_core", "data_nvme_tcp"]})
    assert offered(network, path) == ["data_core", "data_nvme_tcp"]
    network.patch(path_of(network, "mine"), {"name": "yours"})
    assert network.get(path)["service_policy"]["name"] == "yours"
    network.patch(path, {"service_policy": "default-data-iscsi"})
    assert offered(network, path) == ["data_core", "data_iscsi"]


def test_a_policy_of_another_svm_is_none(network: Array) -> None:
    network.svm("svm2")
    network.make(POLICIES, MINE | {"svm.name": "svm2"})
    body = {"svm.name": "svm1", "name": "lif1", "location.home_port.name": "e0a"}
    body |= {"ip.address": "10.10.1.1", "ip.netmask": "24", "service_policy.name": "mine"}
    network.refuse("POST", LIFS, "53281065", body)


def test_a_policy_of_a_lif_cannot_be_deleted(network: Array) -> None:
    network.make(POLICIES, MINE)
    path = lif(network, "10.10.1.7", "mine")
    error = network.refuse("DELETE", path_of(network, "mine"), "53281928")
    assert "lif7" in error["message"]
    network.delete(path)
    network.delete(path_of(network, "mine"))
    assert network.records(f"{POLICIES}?name=mine") == []


def test_a_policy_is_deleted_with_its_svm(network: Array) -> None:
    network.make(POLICIES, MINE)
    [svm] = network.records("svm/svms?name=svm1")
    network.delete(f"svm/svms/{svm['uuid']}")
    assert network.records(f"{POLICIES}?name=mine") == []


def test_a_lifs_policy_must_offer_its_rdma_services(network: Array) -> None:
    network.make(POLICIES, MINE | {"services": ["data_core", "data_srp"]})
    lif(network, "10.10.1.7", "mine", rdma_protocols=["roce"])
    path = path_of(network, "mine")
    error = network.refuse("PATCH", path, "8", {"services": ["data_core"]})
    assert (error["target"], "RoCE" in error["message"]) == ("services", True)
    network.patch(path, {"services": ["data_core", "data_srp", "data_iscsi"]})


def test_one_lif_per_port_serves_srp(network: Array) -> None:
    network.make(POLICIES, MINE)
    for address in ("10.10.1.7", "10.10.1.8"):
        lif(network, address, "mine", rdma_protocols=["roce"])
    error = network.refuse(
        "PATCH", path_of(network, "mine"), "8", {"services": ["data_iscsi", "data_srp"]}
    )
    assert "SRP" in error["message"]


def test_nvme_stays_while_a_lif_is_for_that_alone(network: Array) -> None:
    network.make(POLICIES, MINE | {"services": ["data_core", "data_nvme_tcp"]})
    network.make("protocols/nvme/services", {"svm.name": "svm1"})
    [service] = network.records("protocols/nvme/services")
    path = f"protocols/nvme/services/{service['svm']['uuid']}"
    network.patch(path, {"enabled": False})
    lif(network, "10.10.1.7", "mine")
    [record] = network.records("protocols/nvme/interfaces")
    assert record["name"] == "lif7"
    network.refuse("DELETE", path, "72089654")
    network.patch(path_of(network, "mine"), {"services": ["data_core", "data_iscsi"]})
    network.delete(path)
