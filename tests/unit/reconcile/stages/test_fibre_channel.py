"""Fibre Channel ports are shown, and serve SVMs by FCP and by NVMe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from fc_array import HOST, INTERFACES, PORTS, QLOGIC, SERVICES, body, target_dump
from scenarios import svm
from simulator import NODE_UUID, Simulator

from fakes.files import Directory, Text
from fakes.lio_ports import PortAcl
from sanstone.kernel.host import CommandError

LOGINS, PATHS = "network/fc/logins", "protocols/san/paths"
REFUSED_INITIATORS = "protocols/san/refused-initiators"
STRANGER, FCOE = "20:00:00:50:56:00:00:09", "21:00:00:24:ff:00:00:02"
LIO = f"target/qla2xxx/{QLOGIC}/tpgt_1"


def state(array: Simulator, path: str = INTERFACES) -> str:
    """Return the state of the one object of a collection."""
    (record,) = array.get(f"{path}?fields=*")["records"]
    return str(record["state"])


def test_a_port_is_shown_as_it_is(array: Simulator) -> None:
    assert array.get(PORTS)["records"] == []
    array.kernel.fibre_channel.plug()
    array.settle()
    [record] = array.get(f"{PORTS}?fields=*")["records"]
    del record["_links"], record["uuid"]
    record["node"].pop("_links", None)
    assert record == {
        "name": "0000:03:00.0",
        "node": {"name": "array-01", "uuid": NODE_UUID},
        "description": "QLE2692 FW:v9.08.02 DVR:v10.02.09",
        "wwnn": "20:00:00:24:ff:00:00:01",
        "wwpn": "21:00:00:24:ff:00:00:01",
        "state": "online",
        "enabled": True,
        "waits_for_restart": False,
        "physical_protocol": "fibre_channel",
        "supported_protocols": ["fcp"],
        "npiv": {"maximum": 254, "in_use": 0},
        "speed": {"configured": "auto", "maximum": "16"},
        "fabric": {
            "connected": True,
            "connected_speed": 16,
            "name": "10:00:00:05:1e:00:00:01",
            "port_address": "010201",
        },
    }


def test_a_port_without_a_link_and_one_that_linux_cannot_serve_with(array: Simulator) -> None:
    unlinked = {"port_state": "Linkdown", "speed": "unknown", "fabric_name": "0x0"}
    array.kernel.fibre_channel.plug(**unlinked, port_id="0x000000")
    array.kernel.fibre_channel.plug("fnic", port_state="Blocked", supported_speeds="unknown")
    array.settle()
    first, second = array.get(f"{PORTS}?fields=*")["records"]
    assert (first["state"], first["fabric"]) == ("link_not_connected", {"connected": False})
    assert (second["state"], second["physical_protocol"]) == ("unknown", "ethernet")
    assert (second["supported_protocols"], second["speed"]) == ([], {"configured": "auto"})


def test_an_array_without_an_adapter_refuses_services_and_interfaces(array: Simulator) -> None:
    svm(array)
    for path, request in ((SERVICES, {"svm.name": "svm1"}), (INTERFACES, body())):
        response = array.call("POST", path, request)
        assert (response.status_code, response.get_json()["error"]["code"]) == (400, "5374092")
    assert array.get(SERVICES)["records"] == []


def test_a_lun_is_served_through_the_port(fc_array: Simulator) -> None:
    assert state(fc_array, SERVICES) == "down"
    created = fc_array.make(INTERFACES, body())
    assert (created["wwpn"], created["wwnn"]) == (QLOGIC, "20:00:00:24:ff:00:00:01")
    assert (created["state"], created["port_address"]) == ("up", "010201")
    assert state(fc_array, SERVICES) == "up"
    text = target_dump(fc_array)
    assert f"{LIO}/acls/{HOST}/lun_0/lun_1 -> {LIO}/lun/lun_1" in text
    assert f"{LIO}/attrib/generate_node_acls = 0" in text
    assert f"{LIO}/enable = 1" in text


def test_a_missing_kernel_module_is_an_event(fc_array: Simulator) -> None:
    def missing(argv: Sequence[str], _stdin: str) -> str:
        raise CommandError(argv, 1, "module tcm_qla2xxx not found")

    fc_array.kernel.commands.register("modprobe", missing)
    response = fc_array.call("POST", INTERFACES, body())
    assert response.status_code == 500
    assert "tcm_qla2xxx not found" in response.get_json()["error"]["message"]
    assert fc_array.get(INTERFACES)["records"] == []


def test_a_disabled_interface_serves_nobody(fc_array: Simulator) -> None:
    uuid = fc_array.make(INTERFACES, body())["uuid"]
    fc_array.do("PATCH", f"{INTERFACES}/{uuid}", {"enabled": False})
    assert state(fc_array) == "down"
    assert "tpgt_1" not in target_dump(fc_array)
    fc_array.do("PATCH", f"{INTERFACES}/{uuid}", {"enabled": True})
    assert LIO in target_dump(fc_array)
    fc_array.do("DELETE", f"{INTERFACES}/{uuid}")
    assert "tpgt_1" not in target_dump(fc_array)


def test_a_port_that_comes_late_is_served_when_it_comes(fc_array: Simulator) -> None:
    fc_array.make(INTERFACES, body())
    fc_array.kernel.fibre_channel.unplug()
    fc_array.settle()
    assert state(fc_array) == "down"
    assert "tpgt_1" not in target_dump(fc_array)
    (event,) = fc_array.get("support/ems/events?message.name=lif.down&fields=log_message")[
        "records"
    ]
    assert f"port {QLOGIC} is not there" in event["log_message"]
    fc_array.kernel.fibre_channel.plug()
    fc_array.settle()
    assert state(fc_array) == "up"
    assert LIO in target_dump(fc_array)


def test_exports_are_back_after_a_boot(fc_array: Simulator) -> None:
    fc_array.make(INTERFACES, body())
    before = target_dump(fc_array)
    fc_array.reboot()
    fc_array.settle()
    assert target_dump(fc_array) == before


def test_an_interface_moves_to_a_port_of_another_driver(fc_array: Simulator) -> None:
    fc_array.kernel.fibre_channel.plug("fcoe")
    fc_array.settle()
    uuid = fc_array.make(INTERFACES, body())["uuid"]
    moved = {"location.home_port.name": "0000:03:00.1"}
    fc_array.do("PATCH", f"{INTERFACES}/{uuid}", moved)
    text = target_dump(fc_array)
    assert "target/qla2xxx/21" not in text
    assert f"target/fc/{FCOE}/tpgt_1/acls/{HOST}/lun_0/lun_1" in text
    (path,) = fc_array.get(f"{PATHS}?fields=*")["records"]
    assert path["transport_protocol"] == "fcp"


def test_a_host_that_is_logged_in_is_shown(fc_array: Simulator) -> None:
    fc_array.make(INTERFACES, body())
    assert fc_array.get(LOGINS)["records"] == []
    acl = fc_array.kernel.configfs.root
    for name in f"{LIO}/acls/{HOST}".split("/"):
        acl = acl.children[name]
    assert isinstance(acl, PortAcl)
    acl.logged_in = True
    fc_array.settle()
    (login,) = fc_array.get(f"{LOGINS}?fields=*")["records"]
    assert (login["initiator"]["wwpn"], login["interface"]["wwpn"]) == (HOST, QLOGIC)
    assert [each["name"] for each in login["igroups"]] == ["group1"]
    (path,) = fc_array.get(f"{PATHS}?fields=*")["records"]
    assert (path["initiator"]["name"], path["state"]) == (HOST, "connected")
    (igroup,) = fc_array.get("protocols/san/igroups?fields=connectivity_tracking")["records"]
    assert igroup["connectivity_tracking"]["connection_state"] == "full"
    acl.logged_in = False
    fc_array.settle()
    assert fc_array.get(LOGINS)["records"] == []
    (path,) = fc_array.get(f"{PATHS}?fields=state")["records"]
    assert path["state"] == "lost"


def see(array: Simulator, name: str = STRANGER, roles: str = "FCP Initiator") -> None:
    """Have the first port see another one."""
    attributes = {"port_name": f"0x{name.replace(':', '')}", "port_id": "0x010300", "roles": roles}
    for attribute, text in (attributes | {"port_state": "Online"}).items():
        path = f"/sys/class/fc_remote_ports/rport-3:0-{name[-1]}/{attribute}"
        array.kernel.files.place(path, Text(f"{text}\n"))
    array.settle()


def refused_initiators(array: Simulator) -> list[dict[str, Any]]:
    """Return who was refused."""
    return list(array.get(f"{REFUSED_INITIATORS}?fields=*")["records"])


def test_an_initiator_in_no_igroup_is_one_event(fc_array: Simulator) -> None:
    fc_array.make(INTERFACES, body())
    see(fc_array)
    see(fc_array)
    (record,) = refused_initiators(fc_array)
    assert record["initiator"] == {"name": STRANGER, "address": "010300"}
    assert (record["transport_protocol"], record["interface"]["name"]) == ("fcp", "fc1")
    assert (record["reason"], record["count"]) == ("not_allowed", 1)
    assert "in no igroup" in record["message"]
    active = fc_array.get("support/ems/events?active=true&message.name=host.refused")["records"]
    assert len(active) == 1
    fc_array.start()
    fc_array.settle()
    assert [each["count"] for each in refused_initiators(fc_array)] == [1]


def test_an_initiator_that_tries_again_is_counted_again(fc_array: Simulator) -> None:
    fc_array.make(INTERFACES, body())
    see(fc_array)
    for state in ("Blocked", "Online"):
        path = f"/sys/class/fc_remote_ports/rport-3:0-{STRANGER[-1]}/port_state"
        fc_array.kernel.files.place(path, Text(f"{state}\n"))
        fc_array.settle()
    assert [each["count"] for each in refused_initiators(fc_array)] == [2]


def test_an_initiator_that_gets_in_is_no_longer_listed(fc_array: Simulator) -> None:
    fc_array.make(INTERFACES, body())
    see(fc_array)
    (igroup,) = fc_array.get("protocols/san/igroups")["records"]
    members = f"protocols/san/igroups/{igroup['uuid']}/initiators"
    fc_array.do("POST", members, {"name": STRANGER})
    fc_array.settle()
    assert refused_initiators(fc_array) == []


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        (HOST, "FCP Initiator"),
        (FCOE, "FCP Initiator"),
        (STRANGER, "FCP Target, FCP Initiator"),
        (STRANGER, "FCP Target"),
    ],
    ids=["allowed", "own", "array", "target"],
)
def test_allowed_initiators_own_ports_and_targets_are_not_listed(
    fc_array: Simulator, name: str, roles: str
) -> None:
    fc_array.kernel.fibre_channel.plug("fcoe")
    fc_array.settle()
    fc_array.make(INTERFACES, body())
    see(fc_array, name, roles)
    assert refused_initiators(fc_array) == []


def test_a_port_that_serves_nothing_refuses_nobody(fc_array: Simulator) -> None:
    uuid = fc_array.make(INTERFACES, body())["uuid"]
    fc_array.do("PATCH", f"{INTERFACES}/{uuid}", {"enabled": False})
    see(fc_array)
    assert refused_initiators(fc_array) == []


def test_nvme_is_served_at_the_same_port_at_the_same_time(fc_array: Simulator) -> None:
    fc_array.make(INTERFACES, body())
    fc_array.kernel.files.place("/sys/class/fcloop/ctl", Directory())
    traddr = "nn-0x20000024ff000001:pn-0x21000024ff000001"
    fc_array.kernel.configfs.nvmet.fc_ports.add(traddr)
    fc_array.settle()
    fc_array.do("POST", "protocols/nvme/services", {"svm.name": "svm1"})
    subsystem = {"svm.name": "svm1", "name": "sub1", "os_type": "linux"}
    host = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"
    fc_array.do("POST", "protocols/nvme/subsystems", subsystem | {"hosts": [{"nqn": host}]})
    created = fc_array.make(INTERFACES, body("fc2", protocol="fc_nvme"))
    assert created["state"] == "up"
    text = target_dump(fc_array)
    assert f"addr_traddr = {traddr}" in text
    assert f"{LIO}/enable = 1" in text


def test_a_port_of_lpfc_waits_for_a_restart_to_become_an_nvme_target(fc_array: Simulator) -> None:
    fc_array.kernel.fibre_channel.plug("lpfc")
    fc_array.settle()
    created = fc_array.make(INTERFACES, body("nvme", port="0000:03:00.1", protocol="fc_nvme"))
    assert created["state"] == "down"
    assert fc_array.get(f"{PORTS}?wwpn={FCOE}&fields=*")["records"][0]["waits_for_restart"]
    query = "support/ems/events?message.name=fc_interface.waits_for_restart"
    assert len(fc_array.get(query)["records"]) == 1
    fc_array.kernel.fibre_channel.make_nvme_target(FCOE)
    fc_array.settle()
    assert state(fc_array) == "up"
    assert not fc_array.get(f"{PORTS}?wwpn={FCOE}&fields=*")["records"][0]["waits_for_restart"]
