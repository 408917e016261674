"""The interfaces at which NVMe is served."""

from __future__ import annotations

from in_process import Array

INTERFACES = "protocols/nvme/interfaces"


def test_only_lifs_that_serve_nvme_are_shown(api: Array) -> None:
    api.svm()
    api.observe("network/ethernet/ports", "e0a", mtu=1500, up=True, carrier=True, kind="")
    lifs = {}
    for number, policy in enumerate(("blocks", "iscsi", "nvme-tcp")):
        lif = {
            "name": policy,
            "svm.name": "svm1",
            "ip.address": f"10.10.1.{number + 7}",
        }
        lif |= {"ip.netmask": "24", "service_policy": f"default-data-{policy}"}
        lifs[policy] = api.make(
            "network/ip/interfaces",
            lif | {"location.home_port.name": "e0a", "enabled": "true"},
        )
    assert [record["name"] for record in api.records(INTERFACES)] == [
        "blocks",
        "nvme-tcp",
    ]
    interface = api.get(f"{INTERFACES}/{lifs['blocks']['uuid']}")
    assert (interface["svm"]["name"], interface["enabled"]) == ("svm1", True)
    assert interface["interface_type"] == "ip_interface"
    assert (interface["transport_address"], interface["transport_protocols"]) == (
        "10.10.1.7",
        ["nvme_tcp"],
    )
    assert interface["ip_interface"]["ip"]["address"] == "10.10.1.7"
    assert interface["ip_interface"]["location"]["port"]["name"] == "e0a"
    assert interface["node"]["name"] == "array1-01"
    api.refuse("GET", f"{INTERFACES}/{lifs['iscsi']['uuid']}", "4")


def test_a_fibre_channel_interface_is_shown_with_its_names(api: Array) -> None:
    api.svm()
    wwpn, wwnn = "10:00:00:10:9b:00:00:01", "20:00:00:10:9b:00:00:01"
    port = {"name": "0000:05:00.0", "wwnn": wwnn, "supported_protocols": ["fc_nvme"]}
    api.observe("network/fc/ports", wwpn, **port, transports=["nvme_fc"])
    body = {"svm.name": "svm1", "name": "fc1", "data_protocol": "fc_nvme"}
    api.make("network/fc/interfaces", body | {"location.home_port.name": port["name"]})
    (record,) = api.records(f"{INTERFACES}?fields=*")
    assert record["interface_type"] == "fc_interface"
    assert record["transport_protocols"] == ["nvme_fc"]
    assert record["transport_address"] == "nn-0x200000109b000001:pn-0x100000109b000001"
    assert record["fc_interface"]["port"]["name"] == port["name"]
    assert (record["fc_interface"]["wwnn"], record["fc_interface"]["wwpn"]) == (wwnn, wwpn)
