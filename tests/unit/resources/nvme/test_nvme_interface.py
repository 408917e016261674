"""The interfaces at which NVMe is served."""

from __future__ import annotations

from in_process import Array

INTERFACES = "protocols/nvme/interfaces"


def test_only_lifs_that_serve_nvme_are_shown(api: Array) -> None:
    api.svm()
    api.observe("network/ethernet/ports", "e0a", mtu=1500, up=True, carrier=True, kind="")
    made = {}
    for number, policy in enumerate(("blocks", "iscsi", "nvme-tcp")):
        lif = {
            "name": policy,
            "svm.name": "svm1",
            "ip.address": f"10.10.1.{number + 7}",
        }
        lif |= {"ip.netmask": "24", "service_policy": f"default-data-{policy}"}
        made[policy] = api.make(
            "network/ip/interfaces",
            lif | {"location.home_port.name": "e0a", "enabled": "true"},
        )
    assert [record["name"] for record in api.records(INTERFACES)] == [
        "blocks",
        "nvme-tcp",
    ]
    shown = api.get(f"{INTERFACES}/{made['blocks']['uuid']}")
    assert (shown["svm"]["name"], shown["enabled"]) == ("svm1", True)
    assert shown["interface_type"] == "ip_interface"
    assert (shown["transport_address"], shown["transport_protocols"]) == (
        "10.10.1.7",
        ["nvme_tcp"],
    )
    assert shown["ip_interface"]["ip"]["address"] == "10.10.1.7"
    assert shown["ip_interface"]["location"]["port"]["name"] == "e0a"
    assert shown["node"]["name"] == "array1-01"
    api.refuse("GET", f"{INTERFACES}/{made['iscsi']['uuid']}", "4")


def test_a_fibre_channel_interface_is_shown_with_its_names(api: Array) -> None:
    api.svm()
    wwpn, wwnn = "10:00:00:10:9b:00:00:01", "20:00:00:10:9b:00:00:01"
    port = {"name": "0000:05:00.0", "wwnn": wwnn, "supported_protocols": ["fc_nvme"]}
    api.observe("network/fc/ports", wwpn, **port, transports=["nvme_fc"])
    body = {"svm.name": "svm1", "name": "fc1", "data_protocol": "fc_nvme"}
    api.make("network/fc/interfaces", body | {"location.home_port.name": port["name"]})
    (shown,) = api.records(f"{INTERFACES}?fields=*")
    assert shown["interface_type"] == "fc_interface"
    assert shown["transport_protocols"] == ["nvme_fc"]
    assert shown["transport_address"] == "nn-0x200000109b000001:pn-0x100000109b000001"
    assert shown["fc_interface"]["port"]["name"] == port["name"]
    assert (shown["fc_interface"]["wwnn"], shown["fc_interface"]["wwpn"]) == (wwnn, wwpn)
