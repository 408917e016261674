"""LIFs serve SRP where their policy is for it, each at a port of its own."""

from __future__ import annotations

from typing import Any

from scenarios import HOST_IQN, aggregate, chain, lun, lun_map, svm, tagged, volume
from simulator import Simulator

from fakes.lio_ports import PortAcl
from sanstone.kernel.target import srp

LIFS, SERVICES, IGROUPS = (
    "network/ip/interfaces",
    "protocols/san/srp/services",
    "protocols/san/igroups",
)
INITIATOR = "0x0000000000000000505400fffe5a6511"
POLICY = {"service_policy": "default-data-srp", "rdma_protocols": ["roce"]}
DISCOVERY = "/sys/kernel/config/target/srpt/discovery_auth/rdma_cm_port"


def lif(name: str = "srp1", port: str = "e0a", address: str = "10.10.1.3") -> dict[str, Any]:
    """Return a request for a LIF that serves SRP."""
    place = {"ip": {"address": address, "netmask": "24"}, "location.home_port.name": port}
    return {"svm.name": "svm1", "name": name, **place, **POLICY}


def serve(array: Simulator) -> None:
    """Have an SVM with a LUN that is mapped to an initiator of SRP."""
    chain(aggregate, svm, volume, lun)(array)
    array.do("POST", LIFS, lif())
    array.do("POST", SERVICES, {"svm.name": "svm1"})
    group = {"svm.name": "svm1", "name": "group1", "os_type": "linux"}
    array.do("POST", IGROUPS, group | {"initiators": [INITIATOR, HOST_IQN]})
    lun_map(array)


def srp_dump(array: Simulator) -> list[str]:
    """Return LIO's configuration of SRP."""
    start = "/sys/kernel/config/target/srpt/"
    lines = array.kernel.configfs.dump().splitlines()
    return [line.removeprefix(start) for line in lines if line.startswith(start)]


def target(array: Simulator, port: str = "e0a") -> str:
    """Return the name of the target that a port is."""
    link = next(each for each in array.kernel.network.links() if each.name == port)
    digits = link.mac_address.replace(":", "")
    first = f"{int(digits[:2], 16) ^ 2:02x}"
    return f"0xfe80000000000000{first}{digits[2:6]}fffe{digits[6:]}"


def groups(array: Simulator) -> set[str]:
    """Return the targets that serve."""
    return {line.partition("/")[0] for line in srp_dump(array) if line.endswith("/enable = 1")}


def test_a_lif_is_a_target_that_shows_luns_to_initiators_of_srp(array: Simulator) -> None:
    serve(array)
    group = f"{target(array)}/tpgt_1"
    acls = {line for line in srp_dump(array) if line.startswith(f"{group}/acls/")}
    assert f"{group}/acls/{INITIATOR}" in acls
    assert not any("iqn." in line for line in acls)
    assert any(line.startswith(f"{group}/acls/{INITIATOR}/lun_0/lun_") for line in acls)
    assert groups(array) == {target(array)}
    assert array.kernel.files.read(DISCOVERY).strip() == "5555"
    assert array.kernel.nftables.takes("e0a", "10.10.1.3", 4791, "udp")


def test_the_module_is_loaded_with_the_services_identifier(array: Simulator) -> None:
    chain(aggregate, svm)(array)
    assert not array.kernel.files.exists(srp.IDENTIFIER)
    array.do("POST", LIFS, lif())
    array.do("POST", SERVICES, {"svm.name": "svm1"})
    [service] = array.get(f"{SERVICES}?fields=**")["records"]
    identifier = service["target"]["name"]
    assert array.kernel.files.read(srp.IDENTIFIER).strip() == f"0x{identifier}"
    assert (len(identifier), identifier[:2], service["state"]) == (16, "02", "up")
    array.reboot()
    array.settle()
    assert array.get(f"{SERVICES}?fields=target")["records"][0]["target"]["name"] == identifier


def test_a_session_shows_in_igroup_path_and_service(array: Simulator) -> None:
    serve(array)
    acl = array.kernel.configfs.root
    for name in f"target/srpt/{target(array)}/tpgt_1/acls/{INITIATOR}".split("/"):
        acl = acl.children[name]
    assert isinstance(acl, PortAcl)
    acl.logged_in = True
    array.settle()
    [session] = array.get("protocols/san/srp/sessions?fields=**")["records"]
    assert session["initiator"]["name"] == INITIATOR
    assert (session["interface"]["name"], session["svm"]["name"]) == ("srp1", "svm1")
    [path] = array.get("protocols/san/paths?transport_protocol=srp&fields=**")["records"]
    assert (path["state"], path["initiator"]["name"]) == ("connected", INITIATOR)
    [group] = array.get(f"{IGROUPS}?fields=connectivity_tracking")["records"]
    assert group["connectivity_tracking"]["connection_state"] == "partial"


def test_another_lif_at_a_port_is_refused(array: Simulator) -> None:
    serve(array)
    for change in (lif("srp2", address="10.10.1.4"), lif("srp1", address="10.10.1.5")):
        answer = array.call("POST", LIFS, change)
        assert answer.status_code == 409
        assert answer.get_json()["error"]["target"] == "location.home_port.name"
    array.do("POST", LIFS, lif("srp2", "e0b", "10.10.2.3"))
    assert groups(array) == {target(array), target(array, "e0b")}


def test_a_lif_on_a_vlan_is_at_the_port_below(array: Simulator) -> None:
    tagged(array)
    [vlan] = array.get(LIFS)["records"]
    array.do("PATCH", f"{LIFS}/{vlan['uuid']}", POLICY)
    answer = array.call("POST", LIFS, lif(port="a0a"))
    assert answer.status_code == 409


def test_a_stopped_service_serves_nobody(array: Simulator) -> None:
    serve(array)
    [service] = array.get(SERVICES)["records"]
    array.do("PATCH", f"{SERVICES}/{service['svm']['uuid']}", {"enabled": False})
    assert groups(array) == set()
    array.do("PATCH", f"{SERVICES}/{service['svm']['uuid']}", {"enabled": True})
    assert groups(array) == {target(array)}


def test_a_lif_without_a_link_has_no_target_until_it_is_back(array: Simulator) -> None:
    serve(array)
    array.kernel.network.plug("e0a", connected=False)
    array.settle()
    assert groups(array) == set()
    assert not any("/acls/0x" in line for line in srp_dump(array))
    array.kernel.network.plug("e0a", connected=True)
    array.settle()
    assert groups(array) == {target(array)}


def test_a_port_that_is_another_by_now_is_served_under_its_name(array: Simulator) -> None:
    serve(array)
    before = target(array)
    array.kernel.remove_link("e0a")
    array.settle()
    assert groups(array) == set()
    array.kernel.add_link("e0a")
    array.settle()
    assert groups(array) == {target(array)} != {before}


def test_the_policy_needs_rdma(array: Simulator) -> None:
    svm(array)
    answer = array.call("POST", LIFS, lif() | {"rdma_protocols": []})
    assert answer.get_json()["error"]["target"] == "rdma_protocols"


def test_a_refused_initiator_is_shown_with_its_name(array: Simulator) -> None:
    serve(array)
    digits = target(array).removeprefix("0x")
    port = ":".join(digits[i : i + 4] for i in range(0, 32, 4))
    array.kernel.log.say(
        "ib_srpt Received SRP_LOGIN_REQ with i_port_id 0000:0000:0000:0000:5054:00ff:fe5a:9999, "
        "t_port_id 0200:0000:0000:0001:0200:0000:0000:0001 and it_iu_len 8260 on port 1 "
        f"(guid={port}); pkey 0xffff"
    )
    array.kernel.log.say("ib_srpt Rejected login for initiator 10.10.1.101: ret = -13.")
    array.settle()
    [record] = array.get("protocols/san/refused-initiators?fields=**")["records"]
    assert record["initiator"] == {
        "name": "0x0000000000000000505400fffe5a9999",
        "address": "10.10.1.101",
    }
    assert (record["transport_protocol"], record["interface"]["name"]) == ("srp", "srp1")
