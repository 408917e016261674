"""Ports, LIFs, routes, Fibre Channel adapters."""

from __future__ import annotations

from typing import Any

from sanstone.shell.errors import ShellError
from sanstone.shell.place import Extra, Place, Verb

_PORT = {
    "state": "link",
    "enabled": "up-admin",
    "mac_address": "mac",
    "broadcast_domain.name": "broadcast-domain",
    "broadcast_domain.ipspace.name": "ipspace",
}
_CACHE = {
    "cache.age": "cache-age",
    "cache.is_current": "is-cache-current",
    "cache.update_time": "cache-update-time",
}
_MEMBERS = "lag.member_ports.name"
_POLICIES = {"iscsi": "default-data-iscsi", "nvme-tcp": "default-data-nvme-tcp"}
_FIBRE_CHANNEL = "vserver fcp interface create"


def _policy(protocols: list[str]) -> dict[str, Any]:
    """Return the service policy that offers these protocols, which is the SAN's for several."""
    if protocols == ["none"]:
        return {}
    if not set(protocols) <= _POLICIES.keys():
        raise ShellError("Fibre Channel has interfaces of its own, and none serves nothing else.")
    name = _POLICIES[protocols[0]] if len(set(protocols)) == 1 else "default-data-blocks"
    return {"service_policy.name": name}


def _firewall(policy: str) -> dict[str, Any]:
    """Return the service policy for a firewall policy; `data` leaves it open."""
    return {"service_policy.name": "default-management"} if policy == "mgmt" else {}


PLACES = (
    Place(
        "network/ip/interfaces",
        "network interface",
        "LIF",
        keys=("svm.name", "name"),
        names={
            "name": "lif",
            "ip.address": "address",
            "ip.netmask": "netmask-length",
            "ip.family": "address-family",
            "enabled": "status-admin",
            "state": "status-oper",
            "service_policy.name": "service-policy",
            "rdma_protocols": "rdma-protocols",
            "location.home_node.name": "home-node",
            "location.home_port.name": "home-port",
            "location.home_port.node.name": "home-port-node",
            "location.node.name": "curr-node",
            "location.port.name": "curr-port",
            "location.port.node.name": "curr-port-node",
            "location.is_home": "is-home",
            "location.auto_revert": "auto-revert",
            "location.failover": "failover-policy",
            "location.broadcast_domain.name": "broadcast-domain",
            "ipspace.name": "ipspace",
            "vip": "is-vip",
        },
        words={"enabled": ("up", "down")},
        dashes=("services",),
        columns=(
            "svm.name",
            "name",
            "enabled",
            "state",
            "ip.address",
            "ip.netmask",
            "location.node.name",
            "location.port.name",
            "location.is_home",
        ),
        also=(
            Extra(
                "data-protocol",
                "choice",
                "What hosts reach through it, in place of a service policy.",
                _policy,
                many=True,
                choices=(*_POLICIES, "none", "fcp", "fc-nvme"),
            ),
            Extra(
                "firewall-policy",
                "choice",
                "mgmt for a LIF of management, in place of a service policy.",
                _firewall,
                choices=("data", "mgmt"),
            ),
        ),
        spelled={
            "location.failover": (
                ("disabled", "home_port_only"),
                ("system-defined", "default"),
                ("local-only", "home_node_only"),
                ("sfo-partner-only", "sfo_partners_only"),
                ("broadcast-domain-wide", "broadcast_domain_only"),
            )
        },
        instead={"data-protocol": {"fcp": _FIBRE_CHANNEL, "fc-nvme": _FIBRE_CHANNEL}},
        verbs=(
            Verb(
                "migrate",
                "modify",
                "Move a LIF to another port",
                takes=("location.node.name", "location.port.name"),
                required=("location.port.name",),
                names={
                    "location.node.name": "destination-node",
                    "location.port.name": "destination-port",
                },
            ),
            Verb(
                "revert",
                "modify",
                "Bring a LIF back to its home port",
                takes=(),
                fixed={"location.is_home": True},
            ),
        ),
    ),
    Place(
        "network/ip/service-policies",
        "network interface service-policy",
        "service policy",
        keys=("svm.name", "name"),
        names={"name": "policy", "ipspace.name": "ipspace"},
        dashes=("services",),
        columns=("svm.name", "name", "services"),
        optional=("svm.name",),
        verbs=(
            Verb(
                "add-service",
                "modify",
                "Have LIFs of a service policy serve more",
                takes=("services",),
                required=("services",),
                names={"services": "service"},
                adds="services",
            ),
            Verb(
                "remove-service",
                "modify",
                "Have LIFs of a service policy no longer serve something",
                takes=("services",),
                required=("services",),
                names={"services": "service"},
                removes="services",
            ),
        ),
        rename=("rename", "new-name"),
    ),
    Place(
        "network/ip/routes",
        "network route",
        "route",
        keys=("svm.name", "destination.address", "gateway"),
        names={
            "destination.address": "destination",
            "destination.netmask": "netmask-length",
            "destination.family": "address-family",
            "ipspace.name": "ipspace",
            "interfaces.name": "lif",
            "interfaces.ip.address": "lif-address",
        },
        networks={"destination.address": "destination.netmask"},
        asks_programs=False,
        optional=("gateway",),
        columns=("svm.name", "destination.address", "gateway", "metric"),
    ),
    Place(
        "network/ethernet/ports",
        "network port",
        "port",
        keys=("node.name", "name"),
        names=_PORT | {"name": "port"},
        columns=(
            "node.name",
            "name",
            "broadcast_domain.ipspace.name",
            "broadcast_domain.name",
            "state",
            "mtu",
            "speed",
        ),
        optional=("node.name",),
        plain={"create": "", "delete": ""},
    ),
    Place(
        "network/ethernet/ports",
        "network port ifgrp",
        "interface group",
        only={"type": "lag"},
        hidden=("vlan.",),
        keys=("node.name", "name"),
        names=_PORT
        | {
            "name": "ifgrp",
            "lag.mode": "mode",
            "lag.distribution_policy": "distr-func",
            _MEMBERS: "ports",
            "lag.active_ports.name": "up-ports",
        },
        columns=(
            "node.name",
            "name",
            "lag.distribution_policy",
            "lag.mode",
            "mac_address",
            "state",
            _MEMBERS,
        ),
        optional=("node.name",),
        required=("name", "lag.mode", "lag.distribution_policy"),
        verbs=(
            Verb(
                "add-port",
                "modify",
                "Add ports to an interface group",
                takes=(_MEMBERS,),
                required=(_MEMBERS,),
                names={_MEMBERS: "port"},
                adds=_MEMBERS,
            ),
            Verb(
                "remove-port",
                "modify",
                "Remove ports from an interface group",
                takes=(_MEMBERS,),
                required=(_MEMBERS,),
                names={_MEMBERS: "port"},
                removes=_MEMBERS,
            ),
        ),
    ),
    Place(
        "network/ethernet/ports",
        "network port vlan",
        "VLAN",
        only={"type": "vlan"},
        hidden=("lag.",),
        keys=("node.name", "name"),
        names=_PORT | {"name": "vlan-name", "vlan.base_port.name": "port", "vlan.tag": "vlan-id"},
        columns=(
            "node.name",
            "name",
            "vlan.base_port.name",
            "vlan.tag",
            "mac_address",
            "state",
            "mtu",
        ),
        optional=("node.name",),
    ),
    Place(
        "network/ipspaces",
        "network ipspace",
        "IPspace",
        keys=("name",),
        names={"name": "ipspace"},
        columns=("name",),
    ),
    Place(
        "network/ethernet/broadcast-domains",
        "network port broadcast-domain",
        "broadcast domain",
        keys=("ipspace.name", "name"),
        names={"name": "broadcast-domain", "ports.name": "ports"},
        optional=("ipspace.name",),
        columns=("ipspace.name", "name", "mtu", "ports.name"),
    ),
    Place(
        "network/fc/ports",
        "network fcp adapter",
        "adapter",
        keys=("node.name", "name"),
        names={
            "name": "adapter",
            "state": "status-oper",
            "fabric.connected": "connection-established",
            "fabric.connected_speed": "data-link-rate",
            "fabric.port_address": "port-address",
            "fabric.name": "fabric-name",
            "speed.configured": "speed",
            "speed.maximum": "max-speed",
            "supported_protocols": "data-protocols-supported",
        },
        columns=("node.name", "name", "wwpn", "state", "speed.maximum", "supported_protocols"),
    ),
    Place(
        "network/fc/fabrics",
        "network fcp fabric",
        "fabric",
        keys=("name",),
        names={
            "name": "fabric-name",
            "connections.cluster_port.name": "adapter",
            "connections.cluster_port.uuid": "adapter-uuid",
            "connections.cluster_port.wwpn": "adapter-wwpn",
            "connections.cluster_port.node.name": "node",
            "connections.switch.wwn": "switch-wwn",
            "connections.switch.port.wwpn": "switch-port-wwpn",
            "zoneset.name": "zoneset",
            **_CACHE,
        },
        columns=(
            "name",
            "connections.cluster_port.node.name",
            "connections.cluster_port.name",
            "zoneset.name",
            "cache.age",
        ),
    ),
    Place(
        "network/fc/fabrics/{fabric.name}/switches",
        "network fcp topology",
        "switch",
        keys=("wwn",),
        names={
            "wwn": "switch-wwn",
            "name": "switch-name",
            "domain_id": "domain-id",
            "vendor": "switch-vendor",
            "release": "switch-release",
            "ports.wwpn": "port-wwpn",
            "ports.slot": "port-slot",
            "ports.state": "port-state",
            "ports.type": "port-type",
            "ports.attached_device.wwpn": "port-attached",
            **_CACHE,
        },
        columns=("wwn", "name", "domain_id", "vendor", "release"),
    ),
    Place(
        "network/fc/fabrics/{fabric.name}/zones",
        "network fcp zone",
        "zone",
        keys=("name",),
        names={
            "name": "zone",
            "members.name": "member",
            "members.type": "member-type",
            **_CACHE,
        },
        columns=("name", "members.type", "members.name"),
    ),
)
