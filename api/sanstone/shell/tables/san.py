"""LUNs, igroups, maps, and the services that export them."""

from __future__ import annotations

from sanstone.shell.place import Extra, Place, Verb

DEVICE_NAMES = {
    "name": "path",
    "location.volume.name": "volume",
    "location.volume.uuid": "volume-uuid",
    "location.node.name": "node",
    "location.node.uuid": "node-uuid",
    "os_type": "ostype",
    "space.size": "size",
    "space.used": "size-used",
    "space.guarantee.requested": "space-reserve",
    "space.guarantee.reserved": "space-reserve-honored",
    "enabled": "enabled",
    "create_time": "creation-time",
    "status.state": "state",
    "status.container_state": "container-state",
    "status.mapped": "mapped",
    "status.read_only": "read-only",
    "allow_delete_while_mapped": "force",
}
"""Words that LUNs and namespaces share."""
FORCE = {"allow_delete_while_mapped": ("f",)}
"""ONTAP's short form of `-force`."""
DEVICE_WORDS = {
    "space.guarantee.requested": ("enabled", "disabled"),
    "space.guarantee.reserved": ("true", "false"),
}


def device_verbs(noun: str) -> tuple[Verb, ...]:
    """Return the commands that LUNs and namespaces share."""
    return (
        Verb(
            "resize",
            "modify",
            f"Change the size of a {noun}",
            takes=("space.size",),
            required=("space.size",),
        ),
        Verb("online", "modify", f"Bring a {noun} online", takes=(), fixed={"enabled": True}),
        Verb(
            "offline",
            "modify",
            f"Take a {noun} offline; hosts lose it",
            takes=(),
            fixed={"enabled": False},
            asks=f'This command will take {noun} "$path" in Vserver "$vserver" offline. '
            "Do you want to continue?",
        ),
    )


def conversion(words: str, source: str, noun: str, into: str) -> Verb:
    """Return the command that puts an object of one kind in the place of one of another.

    `source` is what the API calls the kind that is converted, `noun` and `into` are for people.
    """
    named = f"convert.{source}.name"
    return Verb(
        words,
        "create",
        f"Convert a {noun} to a {into}; its data stays in place",
        takes=("svm.name", named),
        required=(named,),
        names={named: f"{source}-path"},
        says=f'The {noun} "${source}-path" is a {into} now.',
    )


_NO_MOVE = {"movement.progress.state": "!null"}


def _copy_verbs() -> tuple[Verb, ...]:
    """Return the commands that move and copy LUNs; neither moves data."""
    into = Extra("destination-path", "lun_path", "Its new path.", lambda path: {"name": path}, True)
    source = "copy.source.name"
    return (
        Verb(
            "move start",
            "modify",
            "Move a LUN to another volume of its aggregate, at once and with its maps",
            takes=(),
            names={"name": "source-path"},
            extras=(into,),
            says="Moved $vserver:${source-path} to $vserver:${destination-path}.",
        ),
        Verb("move show", "show", "Display the LUNs that are being moved: none", fixed=_NO_MOVE),
        Verb(
            "copy start",
            "create",
            "Copy a LUN, or one in a snapshot, within its aggregate, at once",
            takes=("svm.name", "name", source, "copy.source.svm.name"),
            names={
                "name": "destination-path",
                source: "source-path",
                "copy.source.svm.name": "source-vserver",
            },
            required=(source,),
            says="Copied ${source-path} to $vserver:${destination-path}.",
        ),
        Verb("copy show", "show", "Display the LUNs that are being copied: none", fixed=_NO_MOVE),
    )


_MAP_KEYS = ("svm.name", "lun.name", "igroup.name")
_PARTS = ("volume", "lun")

PLACES = (
    Place(
        "storage/luns",
        "lun",
        "LUN",
        keys=("svm.name", "name"),
        names=DEVICE_NAMES
        | {
            "location.logical_unit": "lun",
            "serial_number": "serial",
            "serial_number_hex": "serial-hex",
            "space.scsi_thin_provisioning_support_enabled": "space-allocation",
            "lun_maps.igroup.name": "igroup",
            "lun_maps.igroup.uuid": "igroup-uuid",
            "lun_maps.logical_unit_number": "lun-id",
        },
        columns=("svm.name", "name", "status.state", "status.mapped", "os_type", "space.size"),
        required=("name",),
        parts={"name": _PARTS},
        aliases=FORCE | {"os_type": ("t",)},
        views={"m": "lun mapping show"},
        verbose=("v",),
        words=DEVICE_WORDS
        | {
            "status.mapped": ("mapped", "unmapped"),
            "space.scsi_thin_provisioning_support_enabled": ("enabled", "disabled"),
        },
        rename=("move-in-volume", "new-path"),
        created="Created a LUN of size $size (${size-raw})",
        sources={"convert.namespace.name": "storage/namespaces"},
        verbs=(
            *device_verbs("LUN"),
            conversion("convert-from-namespace", "namespace", "namespace", "LUN"),
            *_copy_verbs(),
        ),
    ),
    Place(
        "protocols/san/lun-maps",
        "lun mapping",
        "LUN map",
        keys=_MAP_KEYS,
        names={
            "lun.name": "path",
            "lun.uuid": "lun-uuid",
            "igroup.name": "igroup",
            "logical_unit_number": "lun-id",
            "igroup.os_type": "ostype",
            "igroup.protocol": "protocol",
            "lun.node.name": "node",
            "lun.node.uuid": "node-uuid",
            "reporting_nodes.name": "reporting-nodes",
        },
        columns=(*_MAP_KEYS, "logical_unit_number", "igroup.protocol"),
        required=("svm.name",),
        parts={"lun.name": _PARTS},
        aliases={"igroup.name": ("g",), "logical_unit_number": ("l",)},
        asks_programs=False,
        verbs=(
            Verb("/lun map", "create", "Map a LUN to an igroup"),
            Verb(
                "/lun unmap",
                "delete",
                "Unmap a LUN from an igroup; its hosts lose it",
                asks='The hosts of igroup "$igroup" will lose LUN "$path" in Vserver "$vserver". '
                "Do you want to continue?",
                asks_programs=False,
            ),
        ),
    ),
    Place(
        "protocols/san/lun-maps/{lun.uuid}/{igroup.uuid}/reporting-nodes",
        "lun mapping reporting-nodes",
        "reporting node",
        keys=("name",),
        names={"name": "node", "uuid": "node-uuid"},
        plain={"delete": "remove"},
        asks_programs=False,
    ),
    Place(
        "protocols/san/igroups",
        "lun igroup",
        "igroup",
        keys=("svm.name", "name"),
        names={
            "name": "igroup",
            "os_type": "ostype",
            "initiators.name": "initiator",
            "initiators.comment": "initiator-comment",
            "lun_maps.lun.name": "lun",
            "lun_maps.lun.uuid": "lun-uuid",
            "lun_maps.logical_unit_number": "lun-id",
            "connectivity_tracking.connection_state": "connection-state",
            "portset.name": "portset",
            "igroups.name": "child-igroups",
            "parent_igroups.name": "parent-igroups",
            "allow_delete_while_mapped": "force",
        },
        columns=("svm.name", "name", "protocol", "os_type", "initiators.name"),
        rename=("rename", "new-name"),
        aliases=FORCE | {"os_type": ("t",), "protocol": ("p",), "initiators.name": ("i",)},
        positional=("initiators.name",),
        asks_programs=False,
        verbs=(
            Verb(
                "bind",
                "modify",
                "Have an igroup see its LUNs through the LIFs of a portset alone",
                takes=("portset.name",),
                required=("portset.name",),
            ),
            Verb(
                "unbind",
                "modify",
                "Have an igroup see its LUNs through all LIFs again",
                takes=(),
                fixed={"portset.name": ""},
            ),
        ),
    ),
    Place(
        "protocols/san/igroups/{igroup.uuid}/initiators",
        "lun igroup initiator",
        "initiator",
        keys=("name",),
        names={"name": "initiator", "allow_delete_while_mapped": "force"},
        aliases=FORCE | {"name": ("i",)},
        asks_programs=False,
        verbs=(
            Verb("/lun igroup add", "create", "Add initiators to an igroup", each="name"),
            Verb(
                "/lun igroup remove",
                "delete",
                "Remove initiators from an igroup",
                takes=("allow_delete_while_mapped",),
                asks='Initiator "$initiator" will lose the LUNs of igroup "$igroup" in Vserver '
                '"$vserver". Do you want to continue?',
                asks_programs=False,
            ),
        ),
    ),
    Place(
        "protocols/san/igroups/{igroup.uuid}/igroups",
        "lun igroup child",
        "child igroup",
        keys=("name",),
        names={"name": "child", "uuid": "child-uuid", "allow_delete_while_mapped": "force"},
        plain={"create": "add", "delete": "remove"},
        asks_programs=False,
    ),
    Place(
        "storage/luns/{lun.uuid}/attributes",
        "lun attribute",
        "attribute",
        keys=("name",),
        names={"name": "attribute"},
    ),
    Place(
        "protocols/san/portsets",
        "lun portset",
        "portset",
        keys=("svm.name", "name"),
        names={
            "name": "portset",
            "interfaces.ip.name": "port-name",
            "interfaces.uuid": "port-uuid",
            "interfaces.ip.uuid": "port-ip-uuid",
            "interfaces.fc.name": "fc-port-name",
            "interfaces.fc.uuid": "port-fc-uuid",
            "igroups.name": "igroup",
            "igroups.uuid": "igroup-uuid",
            "allow_delete_while_bound": "force",
        },
        columns=(
            *("svm.name", "name", "protocol"),
            *("interfaces.ip.name", "interfaces.fc.name", "igroups.name"),
        ),
        asks_programs=False,
    ),
    Place(
        "protocols/san/portsets/{portset.uuid}/interfaces",
        "lun portset port",
        "port of a portset",
        keys=("ip.name",),
        names={
            "ip.name": "port-name",
            "ip.uuid": "port-ip-uuid",
            "fc.name": "fc-port-name",
            "fc.uuid": "port-fc-uuid",
        },
        asks_programs=False,
        verbs=(
            Verb("/lun portset add", "create", "Add LIFs to a portset", each="ip.name"),
            Verb(
                "/lun portset remove",
                "delete",
                "Remove LIFs from a portset",
                asks='Hosts will lose the paths through "${port-name}". Do you want to continue?',
                asks_programs=False,
            ),
        ),
    ),
    Place(
        "protocols/san/fcp/services",
        "vserver fcp",
        "FCP service",
        keys=("svm.name",),
        names={"enabled": "status-admin", "state": "status-oper", "target.name": "target-name"},
        words={"enabled": ("up", "down")},
        columns=("svm.name", "target.name", "enabled", "state"),
        verbs=(
            Verb("start", "modify", "Start the FCP service", takes=(), fixed={"enabled": True}),
            Verb("stop", "modify", "Stop the FCP service", takes=(), fixed={"enabled": False}),
        ),
    ),
    Place(
        "network/fc/interfaces",
        "vserver fcp interface",
        "Fibre Channel interface",
        keys=("svm.name", "name"),
        names={
            "name": "lif",
            "enabled": "status-admin",
            "state": "status-oper",
            "location.home_node.name": "home-node",
            "location.home_port.name": "home-port",
            "location.home_port.node.name": "home-port-node",
            "location.node.name": "curr-node",
            "location.port.name": "curr-port",
            "location.port.node.name": "curr-port-node",
            "location.is_home": "is-home",
        },
        words={"enabled": ("up", "down")},
        required=("location.home_port.name",),
        also=(
            Extra(
                "home-node",
                "name",
                "Node of the port.",
                lambda name: {"location.home_port.node.name": name},
            ),
        ),
        columns=(
            "svm.name",
            "name",
            "data_protocol",
            "enabled",
            "state",
            "wwpn",
            "location.home_port.name",
        ),
    ),
    Place(
        "network/fc/logins",
        "vserver fcp initiator",
        "Fibre Channel initiator",
        keys=("svm.name", "interface.name", "initiator.wwpn"),
        names={
            "interface.name": "lif",
            "interface.uuid": "lif-uuid",
            "interface.wwpn": "target-wwpn",
            "initiator.wwpn": "wwpn",
            "initiator.wwnn": "wwnn",
            "initiator.port_address": "port-address",
            "igroups.name": "igroup",
            "igroups.uuid": "igroup-uuid",
        },
        columns=(
            "svm.name",
            "interface.name",
            "initiator.wwpn",
            "initiator.port_address",
            "protocol",
            "igroups.name",
        ),
    ),
    Place(
        "network/fc/wwpn-aliases",
        "vserver fcp wwpn-alias",
        "WWPN alias",
        keys=("svm.name", "alias"),
        plain={"create": "set", "delete": "remove"},
        columns=("svm.name", "alias", "wwpn"),
    ),
    Place(
        "protocols/san/srp/services",
        "vserver srp",
        "SRP service",
        keys=("svm.name",),
        names={"enabled": "status-admin", "state": "status-oper", "target.name": "target-name"},
        words={"enabled": ("up", "down")},
        columns=("svm.name", "target.name", "enabled", "state"),
        verbs=(
            Verb("start", "modify", "Start the SRP service", takes=(), fixed={"enabled": True}),
            Verb("stop", "modify", "Stop the SRP service", takes=(), fixed={"enabled": False}),
        ),
    ),
    Place(
        "protocols/san/srp/sessions",
        "vserver srp initiator",
        "SRP initiator",
        keys=("svm.name", "interface.name", "initiator.name"),
        names={
            "interface.name": "lif",
            "interface.uuid": "lif-uuid",
            "igroups.name": "igroup",
            "igroups.uuid": "igroup-uuid",
        },
        columns=("svm.name", "interface.name", "initiator.name", "igroups.name"),
    ),
    Place(
        "protocols/san/hosts",
        "vserver host",
        "host",
        keys=("svm.name", "initiator.name"),
        names={
            "name": "host-name",
            "initiator.name": "initiator-name",
            "transport_protocols": "transport-protocols",
            "igroups.name": "igroup",
            "igroups.uuid": "igroup-uuid",
            "subsystems.name": "subsystem",
            "subsystems.uuid": "subsystem-uuid",
            "paths.total": "paths",
            "paths.connected": "paths-connected",
            "paths.lost": "paths-lost",
            "paths.narrow": "paths-narrow",
        },
        columns=(
            "svm.name",
            "initiator.name",
            "state",
            "paths.connected",
            "paths.lost",
            "paths.total",
        ),
    ),
    Place(
        "protocols/san/paths",
        "vserver host path",
        "path",
        keys=("svm.name", "uuid"),
        names={
            "host.name": "host-name",
            "initiator.name": "initiator-name",
            "initiator.addresses": "remote-addresses",
            "interface.name": "lif",
            "interface.uuid": "lif-uuid",
            "interface.ip.address": "local-address",
            "interface.state": "lif-state",
            "interface.mtu": "lif-mtu",
            "igroups.name": "igroup",
            "igroups.uuid": "igroup-uuid",
            "device_count": "devices",
        },
        columns=(
            "svm.name",
            "initiator.name",
            "interface.name",
            "transport_protocol",
            "state",
            "since",
            "device_count",
        ),
    ),
    Place(
        "protocols/san/refused-initiators",
        "vserver host refused",
        "refused host",
        keys=("svm.name", "uuid"),
        names={
            "initiator.name": "initiator-name",
            "initiator.address": "remote-address",
            "interface.name": "lif",
            "interface.uuid": "lif-uuid",
        },
        columns=(
            "svm.name",
            "initiator.name",
            "initiator.address",
            "reason",
            "count",
            "last_time",
        ),
    ),
)
