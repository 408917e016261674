"""Interfaces that are virtual ports (NPIV) are served as long as their port is in a fabric."""

from __future__ import annotations

from typing import Any

import pytest
from fc_array import HOST, INTERFACES, PORTS, QLOGIC, SERVICES, body, target_dump
from simulator import Simulator

OWN = f"target/qla2xxx/{QLOGIC}/tpgt_1"
VIRTUAL = "target/qla2xxx_npiv/"


@pytest.fixture
def fabric(fc_array: Simulator) -> Simulator:
    """An array with a LUN that is mapped to HOST, a port of QLogic's, and an interface at it."""
    fc_array.make(INTERFACES, body("fc1"))
    return fc_array


def interface(array: Simulator, name: str) -> dict[str, Any]:
    """Return an interface."""
    (record,) = array.get(f"{INTERFACES}?name={name}&fields=*")["records"]
    return dict(record)


def why_down(array: Simulator) -> str:
    """Return the message about the interface that is down."""
    query = "support/ems/events?message.name=lif.down&active=true&fields=log_message"
    (event,) = array.get(query)["records"]
    return str(event["log_message"])


def group(array: Simulator, name: str) -> str:
    """Return the portal group of an interface that is a virtual port."""
    record = interface(array, name)
    names = (record[key].replace(":", "") for key in ("wwpn", "wwnn"))
    return f"{VIRTUAL}{QLOGIC}@{':'.join(names)}/tpgt_1"


def test_a_second_interface_is_a_virtual_port(fabric: Simulator) -> None:
    created = fabric.make(INTERFACES, body("fc2"))
    assert (interface(fabric, "fc1")["virtual"], created["virtual"]) == (False, True)
    assert created["wwpn"] not in (QLOGIC, created["wwnn"])
    (service,) = fabric.get(f"{SERVICES}?fields=*")["records"]
    assert created["wwnn"] == service["target"]["name"]
    assert (created["state"], created["port_address"]) == ("up", "010301")
    assert created["location"]["port"] == interface(fabric, "fc1")["location"]["port"]
    text, its = target_dump(fabric), group(fabric, "fc2")
    for path in (OWN, its):
        assert f"{path}/acls/{HOST}/lun_0/lun_1 -> {path}/lun/lun_1" in text
        assert f"{path}/enable = 1" in text
    (port,) = fabric.get(f"{PORTS}?fields=npiv")["records"]
    assert port["npiv"] == {"maximum": 254, "in_use": 1}


def test_a_virtual_port_is_the_same_after_a_boot(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body("fc2"))
    before = target_dump(fabric)
    fabric.reboot()
    fabric.settle()
    assert target_dump(fabric) == before
    assert interface(fabric, "fc2")["state"] == "up"


def test_a_reconciler_that_was_killed_finds_it(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body("fc2"))
    before = target_dump(fabric)
    fabric.start()
    assert target_dump(fabric) == before


def test_the_first_one_is_served_to_nobody_when_it_is_off(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body("fc2"))
    first = interface(fabric, "fc1")["uuid"]
    before = target_dump(fabric)
    fabric.do("PATCH", f"{INTERFACES}/{first}", {"enabled": False})
    text = target_dump(fabric)
    assert f"{OWN}/enable = 1" in text
    assert f"{OWN}/acls/{HOST}" not in text
    assert f"{OWN}/lun/lun_1" not in text
    assert f"{group(fabric, 'fc2')}/acls/{HOST}/lun_0" in text
    fabric.reboot()
    fabric.settle()
    assert target_dump(fabric) == text
    fabric.do("PATCH", f"{INTERFACES}/{first}", {"enabled": True})
    assert target_dump(fabric) == before


def test_a_virtual_port_is_removed_before_its_port(fabric: Simulator) -> None:
    """The fake adapter does not survive it otherwise."""
    fabric.make(INTERFACES, body("fc2"))
    (svm1,) = fabric.get("svm/svms")["records"]
    fabric.do("PATCH", f"svm/svms/{svm1['uuid']}", {"state": "stopped"})
    text = target_dump(fabric)
    assert "tpgt_1" not in text
    assert VIRTUAL not in text
    fabric.do("PATCH", f"svm/svms/{svm1['uuid']}", {"state": "running"})
    fabric.settle()
    assert f"{group(fabric, 'fc2')}/enable = 1" in target_dump(fabric)


def test_the_first_one_stays_while_there_are_others(fabric: Simulator) -> None:
    second = fabric.make(INTERFACES, body("fc2"))["uuid"]
    fabric.kernel.fibre_channel.plug()
    fabric.settle()
    first = f"{INTERFACES}/{interface(fabric, 'fc1')['uuid']}"
    moved = {"location.home_port.name": "0000:03:00.1"}
    for method, request in (("DELETE", None), ("PATCH", moved)):
        response = fabric.call(method, first, request)
        assert response.status_code == 409
        assert 'as long as interface "fc2" of SVM "svm1"' in response.get_json()["error"]["message"]
    fabric.do("DELETE", f"{INTERFACES}/{second}")
    fabric.do("DELETE", first)
    assert "tpgt_1" not in target_dump(fabric)


def test_an_interface_that_moves_keeps_its_name_beside_others(fabric: Simulator) -> None:
    created = fabric.make(INTERFACES, body("fc2"))
    fabric.kernel.fibre_channel.plug()
    fabric.settle()
    fabric.make(INTERFACES, body("fc3", port="0000:03:00.1"))
    path = f"{INTERFACES}/{created['uuid']}"
    fabric.do("PATCH", path, {"location.home_port.name": "0000:03:00.1"})
    fabric.settle()
    moved = fabric.get(path)
    assert (moved["wwpn"], moved["state"]) == (created["wwpn"], "up")
    text = target_dump(fabric)
    assert f"{VIRTUAL}{QLOGIC}@" not in text
    assert f"{VIRTUAL}21:00:00:24:ff:00:00:02@{created['wwpn'].replace(':', '')}" in text


def test_at_a_port_without_others_it_is_the_port_itself(fabric: Simulator) -> None:
    created = fabric.make(INTERFACES, body("fc2"))
    fabric.kernel.fibre_channel.plug()
    fabric.settle()
    path = f"{INTERFACES}/{created['uuid']}"
    fabric.do("PATCH", path, {"location.home_port.name": "0000:03:00.1"})
    moved = fabric.get(path)
    assert (moved["wwpn"], moved["virtual"]) == ("21:00:00:24:ff:00:00:02", False)
    text = target_dump(fabric)
    assert VIRTUAL not in text
    assert f"target/qla2xxx/{moved['wwpn']}/tpgt_1/acls/{HOST}/lun_0/lun_1" in text


@pytest.mark.parametrize(
    ("shown_by_port", "why"),
    [
        ({"port_state": "Linkdown"}, "has no link"),
        ({"fabric_name": "0xffffffffffffffff"}, "is in no fabric, which virtual ports need"),
    ],
)
def test_without_a_fabric_it_waits(
    fabric: Simulator, shown_by_port: dict[str, str], why: str
) -> None:
    first = interface(fabric, "fc1")["uuid"]
    fabric.do("PATCH", f"{INTERFACES}/{first}", {"enabled": False})
    fabric.kernel.fibre_channel.change(1, **shown_by_port)
    fabric.settle()
    created = fabric.make(INTERFACES, body("fc2"))
    assert created["state"] == "down"
    assert why in why_down(fabric)
    assert VIRTUAL not in target_dump(fabric)
    connected = {"port_state": "Online", "fabric_name": "0x100000051e000001"}
    fabric.kernel.fibre_channel.change(1, **connected)
    fabric.settle()
    assert interface(fabric, "fc2")["state"] == "up"
    assert f"{group(fabric, 'fc2')}/enable = 1" in target_dump(fabric)


def test_a_link_that_is_lost_leaves_it_there(fabric: Simulator) -> None:
    fabric.make(INTERFACES, body("fc2"))
    before = target_dump(fabric)
    fabric.kernel.fibre_channel.change(1, port_state="Linkdown", fabric_name="0x0")
    assert target_dump(fabric) == before
    assert interface(fabric, "fc2")["state"] == "down"


def test_a_fabric_without_npiv_is_reported(fabric: Simulator) -> None:
    fabric.kernel.fibre_channel.refuses_virtual.add(QLOGIC)
    response = fabric.call("POST", INTERFACES, body("fc2"))
    assert response.status_code == 500
    assert "qla2xxx_npiv" in response.get_json()["error"]["message"]
    assert [each["name"] for each in fabric.get(INTERFACES)["records"]] == ["fc1"]
    assert f"{OWN}/enable = 1" in target_dump(fabric)


def test_the_drivers_reason_is_reported(fabric: Simulator) -> None:
    created = fabric.make(INTERFACES, body("fc2"))
    fabric.kernel.fibre_channel.tell_virtual(created["wwpn"], "Fabric Rejected WWN")
    fabric.settle()
    assert interface(fabric, "fc2")["state"] == "down"
    assert "says of it: fabric rejected wwn" in why_down(fabric)
    fabric.kernel.fibre_channel.tell_virtual(created["wwpn"], "Initializing")
    fabric.settle()
    assert interface(fabric, "fc2")["state"] == "down"
    active = "support/ems/events?message.name=lif.down&active=true"
    assert fabric.get(active)["records"] == [], "it soon passes"
    fabric.kernel.fibre_channel.tell_virtual(created["wwpn"], "Active")
    fabric.settle()
    assert interface(fabric, "fc2")["state"] == "up"


def test_emulex_adapters_have_them_too(fabric: Simulator) -> None:
    fabric.kernel.fibre_channel.plug("efct")
    fabric.settle()
    fabric.make(INTERFACES, body("fc3", port="0000:03:00.1"))
    created = fabric.make(INTERFACES, body("fc4", port="0000:03:00.1"))
    assert (created["state"], created["virtual"]) == ("up", True)
    assert "port_address" not in created
    its = f"target/efct_npiv/21:00:00:24:ff:00:00:02@{created['wwpn'].replace(':', '')}:"
    assert its in target_dump(fabric)
