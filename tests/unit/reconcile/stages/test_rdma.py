"""LIFs serve RDMA as configured, by an adapter or by software."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import fabric, patch, svm, tagged
from simulator import Simulator

from sanstone.kernel.host import CommandError

LIFS, PORTS = "network/ip/interfaces", "network/ethernet/ports"
ROCE, NONE = {"rdma_protocols": ["roce"]}, dict[str, Any](rdma_protocols=[])
IWARP = {"rdma_protocols": ["iwarp"]}


def serve(array: Simulator, lif: str = "lif1", body: dict[str, Any] = ROCE) -> None:
    """Have a LIF serve RDMA, or not."""
    patch(LIFS, lif, body)(array)


def devices(array: Simulator) -> list[str]:
    """Return the names of the RDMA devices."""
    return list(array.kernel.rdma.devices())


def rdma_of_nvmet(array: Simulator) -> set[str]:
    """Return the addresses of nvmet's ports for RDMA that are open."""
    files, ports = array.kernel.files, "/sys/kernel/config/nvmet/ports"
    return {
        files.read(f"{ports}/{port}/addr_traddr").strip()
        for port in files.listdir(ports)
        if files.read(f"{ports}/{port}/addr_trtype").strip() == "rdma"
        and files.listdir(f"{ports}/{port}/subsystems")
    }


def tcp_of_nvmet(array: Simulator) -> set[tuple[str, str]]:
    """Return the addresses and ports of nvmet's ports for TCP that are open."""
    files, ports = array.kernel.files, "/sys/kernel/config/nvmet/ports"
    return {
        (files.read(f"{ports}/{port}/addr_traddr"), files.read(f"{ports}/{port}/addr_trsvcid"))
        for port in files.listdir(ports)
        if files.read(f"{ports}/{port}/addr_trtype").strip() == "tcp"
        and files.listdir(f"{ports}/{port}/subsystems")
    }


def rdma_of_lio(array: Simulator) -> list[str]:
    """Return the portals of LIO that take RDMA."""
    lines = array.kernel.configfs.dump().splitlines()
    return [line.partition("/np/")[2].partition("/")[0] for line in lines if "/iser = 1" in line]


def serve_iscsi(array: Simulator) -> None:
    """Serve iSCSI too."""
    array.do("POST", "protocols/san/iscsi/services", {"svm.name": "svm1"})


def test_a_lif_without_rdma_creates_no_device(array: Simulator) -> None:
    fabric(array)
    serve_iscsi(array)
    assert (devices(array), rdma_of_nvmet(array), rdma_of_lio(array)) == ([], set(), [])
    assert not array.kernel.nftables.takes("e0a", "10.10.1.1", 4791, "udp")
    assert array.get(f"{LIFS}?fields=rdma_protocols")["records"][0]["rdma_protocols"] == []


def test_a_lif_serves_nvme_and_iscsi_over_rdma_too(array: Simulator) -> None:
    fabric(array)
    serve_iscsi(array)
    before = array.kernel.configfs.dump()
    serve(array)
    assert devices(array) == ["roce_e0a"]
    assert rdma_of_nvmet(array) == {"10.10.1.1"}
    assert rdma_of_lio(array) == ["10.10.1.1:3260"]
    assert array.kernel.nftables.takes("e0a", "10.10.1.1", 4791, "udp")
    assert not array.kernel.nftables.takes("e0b", "10.10.2.1", 4791, "udp")
    serve(array, body=NONE)
    assert (devices(array), array.kernel.configfs.dump()) == ([], before)
    assert not array.kernel.nftables.takes("e0a", "10.10.1.1", 4791, "udp")


def test_discovery_lists_the_ports_for_rdma(array: Simulator) -> None:
    fabric(array)
    serve(array)
    lines = array.kernel.configfs.dump().splitlines()
    referrals = [
        line for line in lines if "/referrals/" in line and line.endswith("addr_trtype = rdma")
    ]
    # By TCP's ports at both LIFs.
    assert len(referrals) == 2


def test_nvme_over_iwarp_takes_the_place_of_that_over_tcp(array: Simulator) -> None:
    fabric(array)
    serve_iscsi(array)
    before = array.kernel.configfs.dump()
    serve(array, body=IWARP)
    assert devices(array) == ["iwarp_e0a"]
    assert (rdma_of_nvmet(array), rdma_of_lio(array)) == ({"10.10.1.1"}, [])
    assert tcp_of_nvmet(array) == {("10.10.2.1", "4420")}
    takes = array.kernel.nftables.takes
    assert takes("e0a", "10.10.1.1", 4420) and takes("e0a", "10.10.1.1", 3260)
    assert not takes("e0a", "10.10.1.1", 4791, "udp")
    [record] = array.get(f"{LIFS}?name=lif1&fields=rdma_protocols")["records"]
    assert record["rdma_protocols"] == ["iwarp"]
    array.reboot()
    array.settle()
    assert rdma_of_nvmet(array) == {"10.10.1.1"}
    serve(array, body=NONE)
    assert (devices(array), array.kernel.configfs.dump()) == ([], before)


def test_a_lif_goes_from_one_kind_to_the_other(array: Simulator) -> None:
    fabric(array)
    for body, device in ((ROCE, "roce_e0a"), (IWARP, "iwarp_e0a"), (ROCE, "roce_e0a")):
        serve(array, body=body)
        array.settle()
        assert (devices(array), rdma_of_nvmet(array)) == ([device], {"10.10.1.1"})


def test_a_vlan_has_a_device_for_iwarp_of_its_own(array: Simulator) -> None:
    tagged(array)
    [lif] = array.get(f"{LIFS}?fields=location")["records"]
    array.do("PATCH", f"{LIFS}/{lif['uuid']}", IWARP)
    assert devices(array) == [f"iwarp_{lif['location']['home_port']['name']}"]
    assert rdma_of_nvmet(array) == set()
    array.do("POST", "protocols/nvme/services", {"svm.name": "svm1"})


def test_an_adapter_that_does_iwarp_is_used_for_that_alone(array: Simulator) -> None:
    array.kernel.rdma.plug("e0a", "cxgb4_0", "iwarp")
    fabric(array)
    serve(array, body=IWARP)
    assert (devices(array), rdma_of_nvmet(array)) == (["cxgb4_0"], {"10.10.1.1"})
    [port] = array.get(f"{PORTS}?name=e0a&fields=rdma_protocols")["records"]
    assert port["rdma_protocols"] == ["iwarp"]
    path = f"{LIFS}/{array.get(f'{LIFS}?name=lif1')['records'][0]['uuid']}"
    answer = array.call("PATCH", path, ROCE).get_json()
    assert "the adapter of port e0a does another RDMA" in answer["error"]["message"]
    assert (devices(array), rdma_of_nvmet(array)) == (["cxgb4_0"], {"10.10.1.1"})


def test_two_kinds_at_a_port_are_refused(array: Simulator) -> None:
    fabric(array)
    serve(array)
    body = {"svm.name": "svm1", "name": "lif9", "location.home_port.name": "e0a"}
    body |= {"ip.address": "10.10.1.9", "ip.netmask": "24"}
    answer = array.call("POST", LIFS, body | IWARP)
    assert answer.status_code == 409
    assert answer.get_json()["error"]["target"] == "rdma_protocols"


@pytest.mark.parametrize("policy", ["default-data-iscsi", "default-data-srp"])
def test_iwarp_is_for_nvme_alone(array: Simulator, policy: str) -> None:
    svm(array)
    body = {"svm.name": "svm1", "name": "lif1", "location.home_port.name": "e0a"}
    body |= {"ip.address": "10.10.1.1", "ip.netmask": "24", "service_policy.name": policy}
    answer = array.call("POST", LIFS, body | IWARP)
    assert answer.status_code == 409
    assert "offers nothing over iWARP" in answer.get_json()["error"]["message"]


def test_the_id_of_an_endpoint_comes_back(array: Simulator) -> None:
    fabric(array)
    serve(array)
    before = array.kernel.configfs.dump()
    serve(array, body=NONE)
    serve(array)
    assert array.kernel.configfs.dump() == before


def test_an_adapter_is_used_and_shown(array: Simulator) -> None:
    array.kernel.rdma.plug("e0a")
    fabric(array)
    serve(array)
    assert (devices(array), rdma_of_nvmet(array)) == (["mlx5_0"], {"10.10.1.1"})
    protocols = {
        each["name"]: each.get("rdma_protocols")
        for each in array.get(f"{PORTS}?fields=**")["records"]
    }
    assert (protocols["e0a"], protocols["e0b"]) == (["roce"], None)


def test_a_soft_device_of_somebody_else_is_used_and_stays(array: Simulator) -> None:
    array.kernel.host.commands.run(["rdma", "link", "add", "rxe0", "type", "rxe", "netdev", "e0a"])
    fabric(array)
    serve(array)
    assert (devices(array), rdma_of_nvmet(array)) == (["rxe0"], {"10.10.1.1"})
    serve(array, body=NONE)
    assert devices(array) == ["rxe0"]


def test_a_vlan_on_a_lag_is_served_by_a_device_of_the_lag(array: Simulator) -> None:
    tagged(array)
    serve_iscsi(array)
    [lif] = array.get(LIFS)["records"]
    array.do("PATCH", f"{LIFS}/{lif['uuid']}", ROCE)
    assert devices(array) == ["roce_a0a"]
    assert len(rdma_of_lio(array)) == 1


def test_a_port_that_comes_late_is_served_then(array: Simulator) -> None:
    fabric(array)
    serve(array)
    array.kernel.remove_link("e0a")
    array.settle()
    assert (devices(array), rdma_of_nvmet(array)) == ([], set())
    array.kernel.add_link("e0a")
    array.settle()
    assert (devices(array), rdma_of_nvmet(array)) == (["roce_e0a"], {"10.10.1.1"})


def test_listeners_are_opened_again_where_a_device_was_replaced(array: Simulator) -> None:
    fabric(array)
    serve(array)
    array.kernel.remove_link("e0a")
    array.kernel.add_link("e0a")
    array.reconciler.run()
    assert rdma_of_nvmet(array) == set()
    array.settle()
    assert rdma_of_nvmet(array) == {"10.10.1.1"}


def test_a_boot_serves_it_again(array: Simulator) -> None:
    fabric(array)
    serve(array)
    array.reboot()
    array.settle()
    assert (devices(array), rdma_of_nvmet(array)) == (["roce_e0a"], {"10.10.1.1"})


def test_tcp_is_served_where_rdma_is_refused(array: Simulator) -> None:
    fabric(array)
    before = array.kernel.configfs.dump()
    array.kernel.fail_when(lambda step: step.startswith("rdma"), CommandError(["rdma"], 255, "no"))
    path = f"{LIFS}/{array.get(f'{LIFS}?name=lif1')['records'][0]['uuid']}"
    answer = array.call("PATCH", path, ROCE).get_json()
    assert "rdma" in answer["error"]["message"]
    assert array.kernel.configfs.dump() == before


def test_a_policy_without_such_a_transport_is_refused(array: Simulator) -> None:
    svm(array)
    body = {"svm.name": "svm1", "name": "lif1", "location.home_port.name": "e0a"}
    body |= {
        "ip.address": "10.10.1.1",
        "ip.netmask": "24",
        "service_policy.name": "default-management",
    }
    answer = array.call("POST", LIFS, body | ROCE)
    assert answer.status_code == 409
    assert answer.get_json()["error"]["target"] == "rdma_protocols"


def test_a_device_that_lost_its_messages_is_recreated(array: Simulator) -> None:
    fabric(array)
    serve_iscsi(array)
    serve(array)
    before = array.kernel.configfs.dump()
    array.kernel.rdma.lose_messages("roce_e0a")
    array.kernel.commands.calls.clear()
    array.settle()
    assert (devices(array), rdma_of_nvmet(array), rdma_of_lio(array)) == ([], set(), [])
    array.settle()
    link_commands = [
        call[1:4] for call in array.kernel.commands.calls if call[:2] == ("rdma", "link")
    ]
    assert link_commands == [("link", "delete", "roce_e0a"), ("link", "add", "roce_e0a")]
    assert (devices(array), array.kernel.configfs.dump()) == (["roce_e0a"], before)


def test_a_device_whose_link_is_away_waits_for_that(array: Simulator) -> None:
    fabric(array)
    serve(array)
    array.kernel.rdma.lose_messages("roce_e0a")
    array.kernel.network.plug("e0a", connected=False)
    array.kernel.commands.calls.clear()
    array.settle()
    assert not any(call[:2] == ("rdma", "link") for call in array.kernel.commands.calls)
    array.kernel.network.plug("e0a", connected=True)
    array.settle()
    assert devices(array) == []
    array.settle()
    assert rdma_of_nvmet(array) == {"10.10.1.1"}
