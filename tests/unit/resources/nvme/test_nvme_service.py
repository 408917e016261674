"""NVMe services as clients make, change and see them."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from in_process import Array

SERVICES = "protocols/nvme/services"


@pytest.fixture
@prepared_once
def path(api: Array) -> str:
    """The path of the service that svm1 may have."""
    return f"{SERVICES}/{api.svm()['uuid']}"


@pytest.fixture
def disabled(api: Array, path: str) -> str:
    """The path of a disabled service."""
    api.make(SERVICES, {"svm.name": "svm1", "enabled": False})
    return path


def test_a_service_is_shown_as_created(api: Array, path: str) -> None:
    response = api.call("POST", SERVICES, {"svm": {"name": "svm1"}})
    assert response.headers["Location"] == f"/api/{path}"
    record = api.get(path)
    assert (record["svm"]["name"], record["enabled"]) == ("svm1", True)
    assert record["mdns_service_discovery_enabled"] is True


def test_a_service_is_announced_by_default(api: Array, path: str) -> None:
    api.make(SERVICES, {"svm.name": "svm1", "mdns_service_discovery_enabled": False})
    assert api.get(path)["mdns_service_discovery_enabled"] is False
    api.patch(path, {"enabled": False})
    assert api.get(path)["mdns_service_discovery_enabled"] is False
    api.patch(path, {"mdns_service_discovery_enabled": True})
    record = api.get(path)
    assert (record["enabled"], record["mdns_service_discovery_enabled"]) == (False, True)


def test_an_svm_has_one_at_most_and_must_allow_it(api: Array, disabled: str) -> None:
    api.refuse("POST", SERVICES, "72089650", {"svm.name": "svm1"})
    api.svm("svm2", **{"nvme.allowed": False})
    api.refuse("POST", SERVICES, "2621507", {"svm.name": "svm2"})
    api.refuse("POST", SERVICES, "2621462", {"svm.name": "svm9"})


def test_only_a_disabled_service_goes(api: Array, disabled: str) -> None:
    api.patch(disabled, {"enabled": True})
    api.refuse("DELETE", disabled, "72090028")
    api.patch(disabled, {"enabled": False})
    api.delete(disabled)
    api.refuse("GET", disabled, "4")


def test_not_while_there_are_subsystems(api: Array, disabled: str) -> None:
    body = {"svm.name": "svm1", "name": "sub", "os_type": "linux"}
    created = api.make("protocols/nvme/subsystems", body)
    api.refuse("DELETE", disabled, "72089653")
    api.delete(f"protocols/nvme/subsystems/{created['uuid']}")
    api.delete(disabled)


def test_not_while_a_lif_serves_nothing_else(api: Array, disabled: str) -> None:
    api.observe("network/ethernet/ports", "e0a", mtu=1500, up=True, carrier=True, kind="")
    lif = {
        "name": "lif1",
        "svm.name": "svm1",
        "ip.address": "10.10.1.7",
        "ip.netmask": 24,
    }
    lif |= {"location.home_port.name": "e0a", "service_policy": "default-data-nvme-tcp"}
    created = api.make("network/ip/interfaces", lif)
    api.refuse("DELETE", disabled, "72089654")
    api.patch(
        f"network/ip/interfaces/{created['uuid']}",
        {"service_policy": "default-data-blocks"},
    )
    api.delete(disabled)
