"""The steps from a new array to a host that uses it, derived from the array's state."""

from __future__ import annotations

from typing import Any

from in_process import LOGIN, Array
from sqlalchemy import select

from sanstone.core.database.store import writing
from sanstone.model.security import Account

LIFS, PORTS = "network/ip/interfaces", "network/ethernet/ports"
IQN = "iqn.1994-05.com.redhat:host1"


def steps(api: Array) -> dict[str, Any]:
    """Return the steps by name."""
    return {step["name"]: step for step in api.get("cluster/setup")["steps"]}


def next_step(api: Array) -> str | None:
    """Return the name of the next step."""
    step: str | None = api.get("cluster/setup").get("next")
    return step


def lif(name: str, address: str, **more: Any) -> dict[str, Any]:
    """Return the body that makes a LIF on e0a."""
    ip = {"ip.address": address, "ip.netmask": "24"}
    return {"name": name, "location.home_port.name": "e0a"} | ip | more


def test_an_array_without_disks_reports_the_lack(api: Array) -> None:
    setup = api.get("cluster/setup")
    assert (setup["complete"], setup["next"]) == (False, "disks")
    assert steps(api)["disks"]["message"] == "The array has no disk for data."
    assert steps(api)["password"]["done"]


def test_disks_with_data_are_not_usable(api: Array) -> None:
    api.disks(2, content="ext4")
    assert not steps(api)["disks"]["done"]
    assert "erased" in steps(api)["disks"]["message"]


def test_each_step_is_done_by_what_it_is_about(api: Array) -> None:
    api.observe(PORTS, "e0a", mac_address="", mtu=1500, up=True, carrier=True, kind="")
    api.disks(4)
    assert next_step(api) == "aggregate"
    api.aggregate()
    assert next_step(api) == "svm"
    api.svm()
    assert next_step(api) == "svm", "an SVM without a service serves nobody"
    api.make("protocols/san/iscsi/services", {"svm.name": "svm1"})
    assert next_step(api) == "data_interfaces"
    api.make(LIFS, lif("data", "10.10.1.7", **{"svm.name": "svm1"}))
    assert next_step(api) == "host_access"
    igroup = {"svm.name": "svm1", "name": "hosts", "os_type": "linux"}
    api.make("protocols/san/igroups", igroup | {"initiators": [{"name": IQN}]})
    assert next_step(api) == "storage"
    api.volume()
    api.lun()
    assert next_step(api) == "storage", "a LUN that no host sees is no use"
    mapped = {"svm.name": "svm1", "lun.name": "/vol/vol1/lun1", "igroup.name": "hosts"}
    api.make("protocols/san/lun-maps", mapped)
    setup = api.get("cluster/setup")
    assert setup["complete"] and "next" not in setup
    assert not steps(api)["host"]["done"] and not steps(api)["host"]["needed"]


def test_a_password_that_nobody_chose_is_the_first_thing_to_change(api: Array) -> None:
    with writing(api.database) as session:
        session.scalars(select(Account)).one().generated = True
    assert next_step(api) == "password"
    assert "still the one that the console showed" in steps(api)["password"]["message"]
    body = {"name": LOGIN[0], "password": "another passw0rd"}
    assert api.call("POST", "security/authentication/password", body).status_code == 201
    changed = LOGIN[0], body["password"]
    answer = api.client.get("/api/cluster/setup", auth=changed).get_json()
    assert answer["steps"][0]["done"] and answer["next"] == "disks"


def test_a_step_that_is_undone_is_open_again(api: Array) -> None:
    api.disks(4)
    aggregate = api.aggregate()
    assert steps(api)["aggregate"]["done"]
    api.delete(f"storage/aggregates/{aggregate['uuid']}")
    assert not steps(api)["aggregate"]["done"]


def test_optional_steps_do_not_keep_the_setup_open(api: Array) -> None:
    assert not steps(api)["time"]["done"]
    assert not steps(api)["management"]["done"]
    api.make("cluster/ntp/servers", {"server": "192.0.2.1"})
    api.observe(PORTS, "e0a", mac_address="", mtu=1500, up=True, carrier=True, kind="")
    api.make(LIFS, lif("management", "10.10.1.5", scope="cluster"))
    assert steps(api)["time"]["message"] == "1 time server."
    assert steps(api)["management"]["message"] == "1 management interface."
    assert not {"time", "management", "host"} & {
        name for name, step in steps(api).items() if step["needed"]
    }
