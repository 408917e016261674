"""Ports of Ethernet and Fibre Channel, network interfaces, routes."""

from __future__ import annotations

import uuid

from simulator import NODE_UUID

from examples.example import SVM1, Body, Example, node


def _port(name: str) -> str:
    """Return the identity of a port."""
    return str(uuid.uuid5(uuid.UUID(NODE_UUID), name))


def _lif(name: str, address: str, netmask: str | int) -> Body:
    return {"name": name, "ip.address": address, "ip.netmask": netmask}


EXAMPLES = (
    Example(
        "network/ethernet/ports",
        objects=(
            {
                "name": "a0a",
                "type": "lag",
                **node("node"),
                "enabled": True,
                "mtu": 9000,
                "lag.mode": "multimode_lacp",
                "lag.distribution_policy": "ip",
                "lag.member_ports": [{"name": "e0d", "uuid": _port("e0d"), **node("node")}],
                "broadcast_domain.name": "Default",
                "broadcast_domain.ipspace.name": "Default",
            },
            {
                "type": "vlan",
                "vlan.base_port.name": "a0a",
                **node("vlan.base_port.node"),
                "vlan.tag": 1092,
            },
            {"vlan.base_port.uuid": _port("e0b"), "vlan.tag": 4094, "enabled": False},
        ),
        another={"type": "vlan", "vlan.base_port.name": "e0a", "vlan.tag": 7},
        exists_code="1",
        changes=(
            {"lag.mode": "multimode_lacp", "lag.distribution_policy": "port", "mtu": 1500},
            {"lag.member_ports": [{"name": "e0d"}], "enabled": False},
            {"broadcast_domain.name": "Default", "broadcast_domain.ipspace.name": "Default"},
        ),
    ),
    Example("network/ipspaces"),
    Example("network/ethernet/broadcast-domains"),
    Example("network/fc/ports"),
    Example("network/fc/fabrics"),
    Example("network/fc/fabrics/{fabric.name}/switches"),
    Example("network/fc/fabrics/{fabric.name}/zones"),
    Example(
        "network/fc/interfaces",
        objects=(
            {
                "svm.name": "svm2",
                "name": "fc1",
                "data_protocol": "fcp",
                "comment": "the first",
                "enabled": True,
                "location.home_port.name": "0000:03:00.0",
                "location.home_port.uuid": _port("21:00:00:24:ff:00:00:01"),
                **node("location.home_port.node"),
                "location.port.name": "0000:03:00.0",
                "location.port.uuid": _port("21:00:00:24:ff:00:00:01"),
                **node("location.port.node"),
            },
            {
                **SVM1,
                "name": "fc2",
                "data_protocol": "fc_nvme",
                "location.home_port.name": "0000:03:00.2",
            },
        ),
        another={
            "svm.name": "svm2",
            "name": "fc9",
            "data_protocol": "fcp",
            "location.port.name": "0000:03:00.1",
            **node("location.port.node"),
        },
        exists_code="1966140",
        changes=(
            {"name": "renamed", "comment": "another", "enabled": False},
            {"location.port.name": "0000:03:00.1", **node("location.port.node")},
            {"location.home_port.name": "0000:03:00.1", **node("location.home_port.node")},
        ),
    ),
    Example("network/fc/logins"),
    Example(
        "network/ip/service-policies",
        objects=(
            {
                **SVM1,
                "name": "blocks-and-management",
                "scope": "svm",
                "services": ["data_core", "data_iscsi", "management_https"],
                "ipspace.name": "Default",
            },
            {"name": "web-alone", "scope": "cluster", "services": ["management_https"]},
        ),
        another={**SVM1, "name": "another", "services": ["data_core", "data_nvme_tcp"]},
        exists_code="1",
        changes=({"name": "renamed"}, {"services": ["data_core", "data_srp"]}, {"services": []}),
    ),
    Example(
        "network/ip/interfaces",
        objects=(
            {
                **SVM1,
                **_lif("lif1", "10.10.1.1", "24"),
                "scope": "svm",
                "enabled": True,
                "service_policy.name": "default-data-blocks",
                "rdma_protocols": ["roce"],
                "location.home_port.name": "e0a",
                **node("location.home_node"),
                **node("location.home_port.node"),
                "location.failover": "home_port_only",
                "location.auto_revert": True,
                "location.broadcast_domain.name": "Default",
            },
            {
                **SVM1,
                **_lif("lif2", "10.10.2.1", "255.255.255.0"),
                "location.broadcast_domain.name": "Default",
            },
            {"svm.name": "svm2", **_lif("lif1", "fd00::1", 64), "location.home_port.name": "e0c"},
            {
                **_lif("management", "192.168.9.9", "24"),
                "scope": "cluster",
                "ipspace.name": "Default",
                "location.home_port.name": "e0M",
            },
            {**SVM1, **_lif("lif3", "10.10.1.3", "24"), "location.home_port.name": "e0a"},
            {
                "svm.name": "svm2",
                **_lif("srp1", "10.10.2.3", "24"),
                "service_policy.name": "default-data-srp",
                "rdma_protocols": ["roce"],
                "location.home_port.name": "e0c",
            },
        ),
        another={**SVM1, **_lif("lif9", "10.10.1.9", "24"), "location.home_port.name": "e0b"},
        exists_code="1966140",
        changes=(
            {
                "location.port.name": "e0a",
                **node("location.home_port.node"),
                **node("location.node"),
                **node("location.port.node"),
            },
            {"location.port.name": "e0b", "location.is_home": False},
            {"rdma_protocols": [], "location.failover": "broadcast_domain_only"},
            {"rdma_protocols": ["iwarp"], "location.failover": "home_port_only"},
            {
                "name": "renamed",
                "service_policy.name": "default-data-iscsi",
                "rdma_protocols": ["roce"],
                "enabled": False,
            },
            {"ip.address": "10.10.1.77", "ip.netmask": "28", "location.auto_revert": False},
            {"rdma_protocols": []},
            {"location.home_port.name": "a0a-1092", **node("location.home_node")},
        ),
    ),
    Example(
        "network/ip/routes",
        objects=(
            {**SVM1, "gateway": "10.10.1.254"},
            {
                **SVM1,
                "destination.address": "10.20.0.0",
                "destination.netmask": "16",
                "gateway": "10.10.2.254",
                "metric": 30,
            },
            {"gateway": "192.168.9.1", "destination.address": "172.16.0.0/12"},
        ),
        another={
            **SVM1,
            "destination.address": "10.30.0.0",
            "destination.netmask": "16",
            "gateway": "10.10.1.254",
        },
        exists_code="1966345",
        shown_otherwise={"destination.address": "the prefix length in it is shown on its own"},
    ),
)
