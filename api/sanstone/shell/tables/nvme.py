"""Namespaces, subsystems, and the NVMe service."""

from __future__ import annotations

from sanstone.shell.place import Place, Verb
from sanstone.shell.tables.san import DEVICE_NAMES, DEVICE_WORDS, conversion, device_verbs

_SUBSYSTEM = "protocols/nvme/subsystems"
_HOST_NAMES = {
    "dh_hmac_chap.mode": "dhchap-mode",
    "dh_hmac_chap.hash_function": "dhchap-hash-function",
    "dh_hmac_chap.group_size": "dhchap-group",
    "dh_hmac_chap.host_secret_key": "dhchap-host-secret",
    "dh_hmac_chap.controller_secret_key": "dhchap-controller-secret",
    "tls.key_type": "tls-key-type",
    "tls.configured_psk": "tls-configured-psk",
}

PLACES = (
    Place(
        "protocols/nvme/services",
        "vserver nvme",
        "NVMe service",
        keys=("svm.name",),
        names={"enabled": "status-admin"},
        words={"enabled": ("up", "down")},
        columns=("svm.name", "enabled"),
        verbs=(
            Verb("start", "modify", "Start the NVMe service", takes=(), fixed={"enabled": True}),
            Verb(
                "stop",
                "modify",
                "Stop the NVMe service; hosts lose their namespaces",
                takes=(),
                fixed={"enabled": False},
                asks='Hosts will lose the namespaces that Vserver "$vserver" serves by NVMe. '
                "Do you want to continue?",
            ),
        ),
    ),
    Place(
        "storage/namespaces",
        "vserver nvme namespace",
        "namespace",
        keys=("svm.name", "name"),
        names=DEVICE_NAMES
        | {
            "location.namespace": "namespace",
            "space.block_size": "block-size",
            "subsystem_map.subsystem.name": "subsystem",
            "subsystem_map.subsystem.uuid": "subsystem-uuid",
            "subsystem_map.nsid": "nsid",
            "subsystem_map.anagrpid": "anagrpid",
        },
        words=DEVICE_WORDS,
        aliases={"allow_delete_while_mapped": ("f", "skip-mapped-check")},
        columns=(
            "svm.name",
            "name",
            "status.state",
            "space.size",
            "subsystem_map.subsystem.name",
            "subsystem_map.nsid",
        ),
        required=("name",),
        rename=("rename", "new-path"),
        created="Created a namespace of size $size (${size-raw}).",
        sources={"convert.lun.name": "storage/luns"},
        verbs=(
            *device_verbs("namespace"),
            conversion("convert-from-lun", "lun", "LUN", "namespace"),
        ),
    ),
    Place(
        _SUBSYSTEM,
        "vserver nvme subsystem",
        "subsystem",
        keys=("svm.name", "name"),
        names={
            "name": "subsystem",
            "os_type": "ostype",
            "target_nqn": "target-nqn",
            "serial_number": "serial-number",
            "hosts.nqn": "host-nqn",
            "subsystem_maps.namespace.name": "path",
            "subsystem_maps.namespace.uuid": "namespace-uuid",
            "subsystem_maps.nsid": "nsid",
            "subsystem_maps.anagrpid": "anagrpid",
        }
        | {f"hosts.{name}": f"host-{word}" for name, word in _HOST_NAMES.items()},
        columns=("svm.name", "name", "os_type", "target_nqn"),
        aliases={
            "allow_delete_while_mapped": ("skip-mapped-check",),
            "allow_delete_with_hosts": ("skip-host-check",),
        },
    ),
    Place(
        f"{_SUBSYSTEM}/{{subsystem.uuid}}/hosts",
        "vserver nvme subsystem host",
        "host",
        keys=("nqn",),
        names={"nqn": "host-nqn"} | _HOST_NAMES,
        columns=(
            *("../svm.name", "../name", "nqn", "priority"),
            *("dh_hmac_chap.mode", "tls.key_type"),
        ),
        plain={"create": "add", "delete": "remove"},
        asks_programs=False,
    ),
    Place(
        "protocols/nvme/subsystem-maps",
        "vserver nvme subsystem map",
        "subsystem map",
        keys=("svm.name", "subsystem.name", "namespace.name"),
        names={"namespace.name": "path", "namespace.uuid": "namespace-uuid"},
        columns=("svm.name", "subsystem.name", "namespace.name", "nsid", "anagrpid"),
        required=("svm.name",),
        plain={"create": "add", "delete": "remove"},
        asks_programs=False,
    ),
    Place(
        "protocols/nvme/subsystem-controllers",
        "vserver nvme subsystem controller",
        "controller",
        keys=("svm.name", "subsystem.name", "id"),
        names={
            "id": "controller-id",
            "host.nqn": "host-nqn",
            "interface.name": "lif",
            "interface.uuid": "lif-uuid",
            "interface.transport_address": "local-address",
            "host.transport_address": "remote-address",
            "keep_alive_timeout": "kato",
            "tls.key_type": "tls-key-type",
            "tls.psk_identity": "tls-psk-identity",
            "tls.cipher": "tls-cipher",
        },
        columns=("svm.name", "subsystem.name", "id", "host.nqn", "interface.name"),
    ),
    Place(
        "protocols/nvme/interfaces",
        "vserver nvme",
        "NVMe interface",
        plain={"show": "show-interface"},
        keys=("svm.name", "name"),
        names={
            "name": "lif",
            "ip_interface.ip.address": "address",
            "ip_interface.location.port.name": "port",
            "ip_interface.location.port.node.name": "port-node",
        },
    ),
)
