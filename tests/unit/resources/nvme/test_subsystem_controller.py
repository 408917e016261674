"""NVMe controllers as they were observed."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array
from sqlalchemy import select

from sanstone.core.database.store import reading
from sanstone.model.network import IpEndpoint

CONTROLLERS = "protocols/nvme/subsystem-controllers"
NQN = "nqn.2014-08.org.example:host"


@pytest.fixture
@prepared_once
def subsystem(api: Array) -> str:
    """The UUID of a subsystem to which NQN is connected through lif1."""
    api.svm()
    api.observe("network/ethernet/ports", "e0a", mtu=1500, up=True, carrier=True, kind="")
    lif = {
        "name": "lif1",
        "svm.name": "svm1",
        "ip.address": "10.10.1.7",
        "ip.netmask": 24,
    }
    api.make("network/ip/interfaces", lif | {"location.home_port.name": "e0a"})
    api.make("protocols/nvme/services", {"svm.name": "svm1"})
    body = {"svm.name": "svm1", "name": "sub1", "os_type": "linux"}
    uuid = str(api.make("protocols/nvme/subsystems", body)["uuid"])
    with reading(api.database) as session:
        port = session.scalars(select(IpEndpoint.id).filter_by(family="nvme")).one()
    facts: dict[str, Any] = {
        "subsystem": uuid,
        "id": 64,
        "host_nqn": NQN,
        "host_address": "10.10.1.100",
    }
    api.observe(CONTROLLERS, f"{uuid}/64", **facts, port=port, keep_alive_ms=5000)
    return uuid


def test_a_controller_is_shown_with_its_path(api: Array, subsystem: str) -> None:
    record = api.get(f"{CONTROLLERS}/{subsystem}/0040h")
    assert (record["id"], record["transport_protocol"]) == ("0040h", "nvme_tcp")
    assert (record["subsystem"]["name"], record["svm"]["name"]) == ("sub1", "svm1")
    assert record["host"] == {"nqn": NQN, "transport_address": "10.10.1.100"}
    assert record["interface"]["name"] == "lif1"
    assert record["interface"]["transport_address"] == "10.10.1.7"
    assert record["keep_alive_timeout"] == 5000


def test_controllers_are_found_by_host(api: Array, subsystem: str) -> None:
    assert len(api.records(f"{CONTROLLERS}?host.nqn={NQN}")) == 1
    assert api.records(f"{CONTROLLERS}?host.nqn=nqn.2014-08.org.example:nobody") == []


def test_a_controller_of_a_deleted_subsystem_is_left_out(api: Array, subsystem: str) -> None:
    api.delete(f"protocols/nvme/subsystems/{subsystem}")
    assert api.records(CONTROLLERS) == []
