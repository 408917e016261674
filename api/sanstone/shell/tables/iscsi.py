"""The iSCSI service: its sessions, its secrets, and its registration with iSNS servers."""

from __future__ import annotations

from sanstone.shell.place import Place, Verb

PLACES = (
    Place(
        "protocols/san/iscsi/services",
        "vserver iscsi",
        "iSCSI service",
        keys=("svm.name",),
        names={
            "enabled": "status-admin",
            "target.name": "target-name",
            "target.alias": "target-alias",
        },
        words={"enabled": ("up", "down")},
        columns=("svm.name", "target.name", "target.alias", "enabled"),
        verbs=(
            Verb(
                "nodename",
                "show",
                "Display the names of targets",
                columns=("svm.name", "target.name"),
            ),
            Verb("start", "modify", "Start the iSCSI service", takes=(), fixed={"enabled": True}),
            Verb(
                "stop",
                "modify",
                "Stop the iSCSI service; hosts lose their LUNs",
                takes=(),
                fixed={"enabled": False},
                asks='Hosts will lose the LUNs that Vserver "$vserver" serves by iSCSI. '
                "Do you want to continue?",
            ),
        ),
    ),
    Place(
        "protocols/san/iscsi/isns",
        "vserver iscsi isns",
        "iSNS registration",
        keys=("svm.name",),
        names={"enabled": "status"},
        words={"enabled": ("up", "down")},
        columns=("svm.name", "address", "entity_id", "enabled", "state"),
        verbs=(
            Verb("start", "modify", "Register the target", takes=(), fixed={"enabled": True}),
            Verb(
                "stop",
                "modify",
                "Take the target's registration back",
                takes=(),
                fixed={"enabled": False},
            ),
        ),
    ),
    Place(
        "protocols/san/iscsi/isns/{svm.uuid}/update",
        "vserver iscsi isns",
        "iSNS registration",
        plain={"create": ""},
        verbs=(Verb("update", "create", "Register the target anew, at once"),),
    ),
    Place(
        "protocols/san/iscsi/credentials",
        "vserver iscsi security",
        "iSCSI credential",
        keys=("svm.name", "initiator"),
        names={
            "initiator": "initiator-name",
            "authentication_type": "auth-type",
            "chap.inbound.user": "user-name",
            "chap.inbound.password": "password",
            "chap.outbound.user": "outbound-user-name",
            "chap.outbound.password": "outbound-password",
        },
    ),
    Place(
        "protocols/san/iscsi/sessions",
        "vserver iscsi session",
        "iSCSI session",
        keys=("svm.name", "target_portal_group", "tsih"),
        names={
            "target_portal_group": "tpgroup",
            "target_portal_group_tag": "tpgroup-tag",
            "initiator.name": "initiator-name",
            "initiator.alias": "initiator-alias",
            "igroups.name": "igroup",
            "igroups.uuid": "igroup-uuid",
            "connections.cid": "connection-ids",
            "connections.interface.name": "lif",
            "connections.interface.ip.address": "local-address",
            "connections.initiator_address.address": "remote-address",
        },
        columns=(
            "svm.name",
            "target_portal_group",
            "tsih",
            "initiator.name",
            "isid",
            "connections.initiator_address.address",
        ),
    ),
)
