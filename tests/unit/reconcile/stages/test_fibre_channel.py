"""Fibre Channel ports are shown, and serve SVMs by FCP and by NVMe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from scenarios import aggregate, chain, lun, svm, volume
from simulator import NODE_UUID, Simulator

from fakes.files import Directory, Text
from fakes.lio import PortAcl
from sanstone.kernel.host import CommandError

PORTS, SERVICES, LOGINS = "network/fc/ports", "protocols/san/fcp/services", "network/fc/logins"
INTERFACES, PATHS = "network/fc/interfaces", "protocols/san/paths"
REFUSED = "protocols/san/refused-initiators"
HOST, STRANGER = "20:00:00:50:56:00:00:01", "20:00:00:50:56:00:00:09"
QLOGIC, FCOE = "21:00:00:24:ff:00:00:01", "21:00:00:24:ff:00:00:02"
LIO = "target/qla2xxx/21:00:00:24:ff:00:00:01/tpgt_1"


def body(name: str = "fc1", port: str = "0000:03:00.0", protocol: str = "fcp") -> dict[str, Any]:
    """Return a request for an interface of svm1."""
    home = {"name": port, "node": {"name": "array-01"}}
    request = {"svm.name": "svm1", "name": name, "data_protocol": protocol}
    return request | {"location": {"home_port": home}}


def state(array: Simulator, path: str = INTERFACES) -> str:
    """Return the state of the one object of a collection."""
    (record,) = array.get(f"{path}?fields=*")["records"]
    return str(record["state"])


def served(array: Simulator) -> str:
    """Return what the targets hold, which a turn that reads everything anew leaves as it is."""
    before = array.kernel.configfs.dump()
    array.reconciler.verify_all()
    array.settle()
    assert array.kernel.configfs.dump() == before
    return before.replace("/sys/kernel/config/", "")


@pytest.fixture
def fabric(array: Simulator) -> Simulator:
    """An array with a LUN that is mapped to HOST, and a port of QLogic's."""
    array.kernel.fibre_channel.plug()
    array.settle()
    chain(aggregate, svm, volume, lun)(array)
    array.make(SERVICES, {"svm.name": "svm1"})
    igroup = {"svm.name": "svm1", "name": "group1", "os_type": "linux", "protocol": "fcp"}
    array.do("POST", "protocols/san/igroups", igroup | {"initiators": [HOST]})
    mapped = {"svm.name": "svm1", "lun.name": "/vol/vol1/lun1", "igroup.name": "group1"}
    array.do("POST", "protocols/san/lun-maps", mapped)
    return array


def test_a_port_is_shown_as_it_is(array: Simulator) -> None:
    assert array.get(PORTS)["records"] == []
    array.kernel.fibre_channel.plug()
    array.settle()
    [shown] = array.get(f"{PORTS}?fields=*")["records"]
    del shown["_links"], shown["uuid"]
    shown["node"].pop("_links", None)
    assert shown == {
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


def test_a_lun_is_served_through_the_port(fabric: Simulator) -> None:
    assert state(fabric, SERVICES) == "down"
    made = fabric.make(INTERFACES, body())
    assert (made["wwpn"], made["wwnn"]) == (QLOGIC, "20:00:00:24:ff:00:00:01")
    assert (made["state"], made["port_address"]) == ("up", "010201")
    assert state(fabric, SERVICES) == "up"
    text = served(fabric)
    assert f"{LIO}/acls/{HOST}/lun_0/lun_1 -> {LIO}/lun/lun_1" in text
    assert f"{LIO}/attrib/generate_node_acls = 0" in text
    assert f"{LIO}/enable = 1" in text


def test_a_kernel_without_the_module_is_told_of(fabric: Simulator) -> None:
    def missing(argv: Sequence[str], _stdin: str) -> str:
        raise CommandError(argv, 1, "module tcm_qla2xxx not found")

    fabric.kernel.commands.register("modprobe", missing)
    response = fabric.call("POST", INTERFACES, body())
    assert response.status_code == 500
    assert "tcm_qla2xxx not found" in response.get_json()["error"]["message"]
    assert fabric.get(INTERFACES)["records"] == []


def test_one_that_is_switched_off_serves_nobody(fabric: Simulator) -> None:
    uuid = fabric.make(INTERFACES, body())["uuid"]
    fabric.do("PATCH", f"{INTERFACES}/{uuid}", {"enabled": False})
    assert state(fabric) == "down"
    assert "tpgt_1" not in served(fabric)
    fabric.do("PATCH", f"{INTERFACES}/{uuid}", {"enabled": True})
    assert LIO in served(fabric)
    fabric.do("DELETE", f"{INTERFACES}/{uuid}")
    assert "tpgt_1" not in served(fabric)


def test_a_port_that_comes_late_is_served_when_it_comes(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body())
    fabric.kernel.fibre_channel.unplug()
    fabric.settle()
    assert state(fabric) == "down"
    assert "tpgt_1" not in served(fabric)
    (told,) = fabric.get("support/ems/events?message.name=lif.down&fields=log_message")["records"]
    assert f"port {QLOGIC} is not there" in told["log_message"]
    fabric.kernel.fibre_channel.plug()
    fabric.settle()
    assert state(fabric) == "up"
    assert LIO in served(fabric)


def test_what_was_served_is_served_after_a_boot(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body())
    before = served(fabric)
    fabric.reboot()
    fabric.settle()
    assert served(fabric) == before


def test_it_moves_to_a_port_of_another_driver(fabric: Simulator) -> None:
    fabric.kernel.fibre_channel.plug("fcoe")
    fabric.settle()
    uuid = fabric.make(INTERFACES, body())["uuid"]
    moved = {"location.home_port.name": "0000:03:00.1"}
    fabric.do("PATCH", f"{INTERFACES}/{uuid}", moved)
    text = served(fabric)
    assert "target/qla2xxx/21" not in text
    assert f"target/fc/{FCOE}/tpgt_1/acls/{HOST}/lun_0/lun_1" in text
    (path,) = fabric.get(f"{PATHS}?fields=*")["records"]
    assert path["transport_protocol"] == "fcp"


def test_a_host_that_is_logged_in_is_shown(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body())
    assert fabric.get(LOGINS)["records"] == []
    acl = fabric.kernel.configfs.root
    for name in f"{LIO}/acls/{HOST}".split("/"):
        acl = acl.children[name]
    assert isinstance(acl, PortAcl)
    acl.logged_in = True
    fabric.settle()
    (login,) = fabric.get(f"{LOGINS}?fields=*")["records"]
    assert (login["initiator"]["wwpn"], login["interface"]["wwpn"]) == (HOST, QLOGIC)
    assert [each["name"] for each in login["igroups"]] == ["group1"]
    (path,) = fabric.get(f"{PATHS}?fields=*")["records"]
    assert (path["initiator"]["name"], path["state"]) == (HOST, "connected")
    (igroup,) = fabric.get("protocols/san/igroups?fields=connectivity_tracking")["records"]
    assert igroup["connectivity_tracking"]["connection_state"] == "full"
    acl.logged_in = False
    fabric.settle()
    assert fabric.get(LOGINS)["records"] == []
    (path,) = fabric.get(f"{PATHS}?fields=state")["records"]
    assert path["state"] == "lost"


def see(array: Simulator, name: str = STRANGER, roles: str = "FCP Initiator") -> None:
    """Have the first port see another one."""
    shown = {"port_name": f"0x{name.replace(':', '')}", "port_id": "0x010300", "roles": roles}
    for attribute, text in (shown | {"port_state": "Online"}).items():
        path = f"/sys/class/fc_remote_ports/rport-3:0-{name[-1]}/{attribute}"
        array.kernel.files.place(path, Text(f"{text}\n"))
    array.settle()


def refused(array: Simulator) -> list[dict[str, Any]]:
    """Return who was refused."""
    return list(array.get(f"{REFUSED}?fields=*")["records"])


def test_an_initiator_in_no_igroup_is_told_of_once(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body())
    see(fabric)
    see(fabric)
    (told,) = refused(fabric)
    assert told["initiator"] == {"name": STRANGER, "address": "010300"}
    assert (told["transport_protocol"], told["interface"]["name"]) == ("fcp", "fc1")
    assert (told["reason"], told["count"]) == ("not_allowed", 1)
    assert "in no igroup" in told["message"]
    active = fabric.get("support/ems/events?active=true&message.name=host.refused")["records"]
    assert len(active) == 1
    fabric.start()
    fabric.settle()
    assert [each["count"] for each in refused(fabric)] == [1]


def test_one_that_comes_again_is_counted_again(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body())
    see(fabric)
    for state in ("Blocked", "Online"):
        path = f"/sys/class/fc_remote_ports/rport-3:0-{STRANGER[-1]}/port_state"
        fabric.kernel.files.place(path, Text(f"{state}\n"))
        fabric.settle()
    assert [each["count"] for each in refused(fabric)] == [2]


def test_one_that_is_let_in_is_refused_no_more(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body())
    see(fabric)
    (igroup,) = fabric.get("protocols/san/igroups")["records"]
    members = f"protocols/san/igroups/{igroup['uuid']}/initiators"
    fabric.do("POST", members, {"name": STRANGER})
    fabric.settle()
    assert refused(fabric) == []


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
def test_others_are_not_refused(fabric: Simulator, name: str, roles: str) -> None:
    fabric.kernel.fibre_channel.plug("fcoe")
    fabric.settle()
    fabric.make(INTERFACES, body())
    see(fabric, name, roles)
    assert refused(fabric) == []


def test_a_port_that_serves_nothing_refuses_nobody(fabric: Simulator) -> None:
    uuid = fabric.make(INTERFACES, body())["uuid"]
    fabric.do("PATCH", f"{INTERFACES}/{uuid}", {"enabled": False})
    see(fabric)
    assert refused(fabric) == []


def test_nvme_is_served_at_the_same_port_at_the_same_time(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body())
    fabric.kernel.files.place("/sys/class/fcloop/ctl", Directory())
    traddr = "nn-0x20000024ff000001:pn-0x21000024ff000001"
    fabric.kernel.configfs.nvmet.fc_ports.add(traddr)
    fabric.settle()
    fabric.do("POST", "protocols/nvme/services", {"svm.name": "svm1"})
    subsystem = {"svm.name": "svm1", "name": "sub1", "os_type": "linux"}
    host = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"
    fabric.do("POST", "protocols/nvme/subsystems", subsystem | {"hosts": [{"nqn": host}]})
    made = fabric.make(INTERFACES, body("fc2", protocol="fc_nvme"))
    assert made["state"] == "up"
    text = served(fabric)
    assert f"addr_traddr = {traddr}" in text
    assert f"{LIO}/enable = 1" in text


def test_a_port_of_lpfc_waits_for_a_restart_to_become_an_nvme_target(fabric: Simulator) -> None:
    fabric.kernel.fibre_channel.plug("lpfc")
    fabric.settle()
    made = fabric.make(INTERFACES, body("nvme", "0000:03:00.1", "fc_nvme"))
    assert made["state"] == "down"
    assert fabric.get(f"{PORTS}?wwpn={FCOE}&fields=*")["records"][0]["waits_for_restart"]
    query = "support/ems/events?message.name=fc_interface.waits_for_restart"
    assert len(fabric.get(query)["records"]) == 1
    fabric.kernel.fibre_channel.make_nvme_target(FCOE)
    fabric.settle()
    assert state(fabric) == "up"
    assert not fabric.get(f"{PORTS}?wwpn={FCOE}&fields=*")["records"][0]["waits_for_restart"]
