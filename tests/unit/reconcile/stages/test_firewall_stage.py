"""The open ports follow the LIFs and their service policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from scenarios import HOST_NQN
from simulator import Simulator
from sqlalchemy import update

from sanstone.core.database.store import writing
from sanstone.kernel.host import CommandError, RequestError
from sanstone.model.network import IpInterface

LIFS, POLICIES = "network/ip/interfaces", "network/ip/service-policies"
TESTED = (22, 443, 3260, 4420, 80, 111)
BY_POLICY = {
    "default-data-blocks": {3260, 4420},
    "default-data-iscsi": {3260},
    "default-data-nvme-tcp": {4420},
    "default-data-files": set[int](),
    "default-management": {22, 443},
}


@pytest.fixture
def svm(array: Simulator) -> Simulator:
    """An array with an SVM."""
    array.do("POST", "svm/svms", {"name": "svm1"})
    return array


def add(array: Simulator, address: str, policy: str, port: str = "e0a", **more: Any) -> str:
    """Add a LIF and return its path."""
    body: dict[str, Any] = {"svm.name": "svm1", "name": f"lif{address[-1]}"}
    body["service_policy"] = policy
    body |= {"ip": {"address": address, "netmask": "64" if ":" in address else "24"}}
    created = array.make(LIFS, body | {"location.home_port.name": port} | more)
    return f"{LIFS}/{created['uuid']}"


def open_ports(array: Simulator, address: str, link: str = "e0a") -> set[int]:
    """Return at which ports connections are taken that come by a link to an address."""
    return {port for port in TESTED if array.kernel.nftables.takes(link, address, port)}


@pytest.mark.parametrize("address", ["10.10.1.1", "fd00::1"])
@pytest.mark.parametrize("policy", BY_POLICY)
def test_a_lif_takes_what_its_policy_names(svm: Simulator, address: str, policy: str) -> None:
    assert open_ports(svm, address) == set()
    add(svm, address, policy)
    assert open_ports(svm, address) == BY_POLICY[policy]
    assert open_ports(svm, address, "e0b") == open_ports(svm, address, "e0M") == set()


def test_a_change_of_the_policy_is_obeyed_at_once(svm: Simulator) -> None:
    lif = add(svm, "10.10.1.1", "default-data-iscsi")
    svm.do("PATCH", lif, {"service_policy.name": "default-management"})
    assert open_ports(svm, "10.10.1.1") == {22, 443}
    svm.do("PATCH", lif, {"service_policy.name": "default-data-nvme-tcp"})
    assert open_ports(svm, "10.10.1.1") == {4420}


def test_disabled_deleted_or_moved_lifs_have_no_open_ports(svm: Simulator) -> None:
    lif = add(svm, "10.10.1.1", "default-data-blocks")
    svm.do("PATCH", lif, {"location.home_port.name": "e0b"})
    assert (open_ports(svm, "10.10.1.1"), open_ports(svm, "10.10.1.1", "e0b")) == (
        set(),
        {3260, 4420},
    )
    svm.do("PATCH", lif, {"enabled": False})
    assert open_ports(svm, "10.10.1.1", "e0b") == set()
    svm.do("PATCH", lif, {"enabled": True, "ip.address": "10.10.1.2"})
    assert (open_ports(svm, "10.10.1.1", "e0b"), open_ports(svm, "10.10.1.2", "e0b")) == (
        set(),
        {3260, 4420},
    )
    [record] = svm.get("svm/svms")["records"]
    svm.do("PATCH", f"svm/svms/{record['uuid']}", {"state": "stopped"})
    assert open_ports(svm, "10.10.1.2", "e0b") == set()
    svm.do("PATCH", f"svm/svms/{record['uuid']}", {"state": "running"})
    assert open_ports(svm, "10.10.1.2", "e0b") == {3260, 4420}
    svm.do("DELETE", lif)
    assert open_ports(svm, "10.10.1.2", "e0b") == set()


def test_an_address_is_there_only_while_its_connections_are_judged(svm: Simulator) -> None:
    log = svm.kernel.interrupt.log
    lif = add(svm, "10.10.1.1", "default-data-iscsi")
    judged = next(i for i, step in enumerate(log) if "lifs_4 { 10.10.1.1 }" in step)
    assert judged < log.index("add address 10.10.1.1/24 on e0a")
    first = len(log)
    svm.do("DELETE", lif)
    steps = log[first:]
    firewall_step = next(i for i, step in enumerate(steps) if step.startswith("nft"))
    assert firewall_step < steps.index("remove address 10.10.1.1/24 on e0a")


def test_a_data_lif_on_the_management_port_takes_no_management(svm: Simulator) -> None:
    add(svm, "192.0.2.7", "default-data-iscsi", port="e0M")
    assert open_ports(svm, "192.0.2.7", "e0M") == {3260}
    assert open_ports(svm, "10.0.2.15", "e0M") == {22, 443}


def test_the_address_that_the_management_port_has_by_itself_stays_its_own(svm: Simulator) -> None:
    """An administrator who is connected by DHCP's address stays so."""
    add(svm, "10.0.2.15", "default-data-blocks", port="e0M")
    assert open_ports(svm, "10.0.2.15", "e0M") == {22, 443, 3260, 4420}


def test_before_the_first_pass_data_ports_take_nothing(svm: Simulator) -> None:
    add(svm, "10.10.1.1", "default-data-blocks")
    svm.reboot()
    assert open_ports(svm, "10.10.1.1") == set()
    assert open_ports(svm, "10.0.2.15", "e0M") == {22, 443}
    svm.settle()
    assert open_ports(svm, "10.10.1.1") == {3260, 4420}


def test_hosts_are_let_in_when_all_is_served(svm: Simulator) -> None:
    """Else the target would refuse quick hosts: no such subsystem or LUN."""
    add(svm, "10.10.1.1", "default-data-blocks")
    for service in ("san/iscsi", "nvme"):
        svm.do("POST", f"protocols/{service}/services", {"svm.name": "svm1"})
    of_linux = {"svm.name": "svm1", "os_type": "linux"}
    for number in (1, 2):
        subsystem = of_linux | {"name": f"sub{number}", "hosts": [{"nqn": HOST_NQN}]}
        svm.do("POST", "protocols/nvme/subsystems", subsystem)
    svm.reboot()
    first = len(svm.kernel.interrupt.log)
    svm.settle()
    steps = svm.kernel.interrupt.log[first:]
    [let_in] = [number for number, step in enumerate(steps) if "10.10.1.1 . 4420" in step]
    targets = [number for number, step in enumerate(steps) if "/sys/kernel/config/" in step]
    assert max(targets) < let_in


def test_a_restart_leaves_what_is_right(svm: Simulator) -> None:
    add(svm, "10.10.1.1", "default-data-blocks")
    before = len(svm.kernel.interrupt.log)
    svm.start()
    svm.settle()
    assert not [step for step in svm.kernel.interrupt.log[before:] if step.startswith("nft")]


def test_a_table_that_somebody_flushed_is_put_back(svm: Simulator) -> None:
    add(svm, "10.10.1.1", "default-data-iscsi")
    svm.kernel.nftables.reboot()
    svm.reconciler.look_thoroughly()
    svm.settle()
    assert open_ports(svm, "10.10.1.1") == {3260}


@pytest.mark.parametrize(
    "spoilt",
    [
        {"port": 'e0a" . 10.10.1.1 . 22 }; #'},
        {"address": "fd00::1%} ; flush ruleset"},
        {"address": "10.10.1.1 }; flush ruleset"},
        {"address": "127.0.0.1"},
        {"prefix_length": 200},
        {"service_policy": "default-everything"},
    ],
)
def test_a_row_that_the_api_would_not_write_fails_its_lif_alone(
    svm: Simulator, spoilt: dict[str, Any]
) -> None:
    bad = add(svm, "10.10.1.1", "default-data-iscsi")
    add(svm, "10.10.1.2", "default-data-iscsi")
    with writing(svm.database) as session:
        chosen = IpInterface.uuid == bad.rpartition("/")[2]
        session.execute(update(IpInterface).where(chosen).values(**spoilt))
    svm.settle()
    assert open_ports(svm, "10.10.1.2") == {3260}
    assert open_ports(svm, "10.10.1.1") == set()
    events = svm.get("support/ems/events?fields=log_message,message.name")["records"]
    faults = [e for e in events if e["message"]["name"] == f"{LIFS}.fault"]
    assert len(faults) == 1


def test_without_nftables_a_lif_is_refused_with_a_reason(svm: Simulator) -> None:
    def refuse(argv: Sequence[str], _stdin: str) -> str:
        raise CommandError(argv, 1, "Operation not supported")

    svm.kernel.commands.register("nft", refuse)
    body = {"svm.name": "svm1", "name": "lif1", "ip": {"address": "10.10.1.1", "netmask": "24"}}
    response = svm.call("POST", LIFS, body | {"location.home_port.name": "e0a"})
    assert "Operation not supported" in response.get_json()["error"]["message"]
    assert svm.get(LIFS)["records"] == []
    events = svm.get("support/ems/events?fields=message.name")["records"]
    assert "network/firewall.fault" in {event["message"]["name"] for event in events}


def test_a_refusal_of_the_kernel_takes_the_request_back(svm: Simulator) -> None:
    add(svm, "10.10.1.2", "default-data-iscsi")
    before = svm.dump()
    svm.kernel.fail_when(lambda step: "add address" in step, RequestError("add address", 12))
    body = {"svm.name": "svm1", "name": "lif1", "ip": {"address": "10.10.1.1", "netmask": "24"}}
    assert svm.call("POST", LIFS, body | {"location.home_port.name": "e0a"}).status_code >= 400
    svm.kernel.interrupt.clear()
    svm.settle()
    assert svm.dump() == before


def test_snmp_is_open_at_management_lifs_while_it_is_enabled(svm: Simulator) -> None:
    add(svm, "10.10.1.1", "default-management")
    add(svm, "10.10.1.2", "default-data-blocks")
    places = (
        ("e0a", "10.10.1.1"),
        ("e0M", "10.0.2.15"),
        ("e0a", "10.10.1.2"),
        ("e0a", "10.0.2.15"),
    )

    def snmp_is_open() -> list[bool]:
        return [svm.kernel.nftables.takes(link, address, 161, "udp") for link, address in places]

    assert snmp_is_open() == [False] * 4
    svm.do("PATCH", "support/snmp", {"enabled": True})
    assert snmp_is_open() == [True, True, False, False]
    svm.do("PATCH", "support/snmp", {"enabled": False})
    assert snmp_is_open() == [False] * 4


def test_a_change_of_a_policy_is_obeyed_at_all_lifs_that_have_it(svm: Simulator) -> None:
    body = {"svm.name": "svm1", "name": "mine", "services": ["data_core", "data_iscsi"]}
    path = f"{POLICIES}/{svm.make(POLICIES, body)['uuid']}"
    add(svm, "10.10.1.1", "mine")
    add(svm, "10.10.1.2", "mine")
    add(svm, "10.10.1.3", "default-data-iscsi")
    assert open_ports(svm, "10.10.1.1") == open_ports(svm, "10.10.1.2") == {3260}
    svm.do("PATCH", path, {"services": ["data_nvme_tcp", "management_ssh"]})
    assert open_ports(svm, "10.10.1.1") == open_ports(svm, "10.10.1.2") == {22, 4420}
    assert open_ports(svm, "10.10.1.3") == {3260}
    svm.do("PATCH", path, {"services": []})
    assert open_ports(svm, "10.10.1.1") == set()
