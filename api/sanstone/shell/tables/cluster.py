"""The array, its node, jobs and events."""

from __future__ import annotations

from sanstone.shell.place import Place, Verb

PLACES = (
    Place(
        "cluster",
        "cluster identity",
        "cluster identity",
        names={"timezone.name": "timezone", "version.full": "version"},
    ),
    Place(
        "cluster/nodes",
        "system node",
        "node",
        keys=("name",),
        names={
            "name": "node",
            "state": "health",
            "serial_number": "serialnumber",
            "version.full": "version",
            "controller.cpu.count": "cpu-count",
            "controller.memory_size": "memory",
            "management_interfaces.ip.address": "address",
        },
        columns=("name", "state", "model", "serial_number", "uptime", "version.full"),
        verbs=(Verb("/cluster show", "show", "Display the nodes of the array"),),
    ),
    Place(
        "cluster/software",
        "cluster image",
        "release",
        names={
            "nodes.name": "node",
            "nodes.version": "current-version",
            "status_details.issue.message": "status-description",
        },
        plain={"modify": ""},
        verbs=(
            Verb(
                "update",
                "modify",
                "Install a package in the other image and reboot into it",
                takes=(
                    *("version", "validate_only", "skip_warnings"),
                    *("stabilize_minutes", "nodes_to_update"),
                ),
                required=("version",),
                asks="The array reboots once release $version is written. Do you want to continue?",
                names={"nodes_to_update": "nodes"},
            ),
            Verb("pause-update", "modify", "Pause an update", (), fixed={"action": "pause"}),
            Verb("resume-update", "modify", "Resume an update", (), fixed={"action": "resume"}),
            Verb("cancel-update", "modify", "Cancel an update", (), fixed={"action": "cancel"}),
            Verb("show-update-progress", "show", "Display how the last update goes"),
        ),
    ),
    Place(
        "cluster/software/images",
        "system image",
        "image of the system",
        keys=("node.name", "image"),
        columns=("node.name", "image", "is_default", "is_current", "version", "install_date"),
    ),
    Place(
        "cluster/software/packages",
        "cluster image package",
        "package",
        keys=("version",),
        names={"version": "version", "create_time": "package-build-time"},
        verbs=(Verb("show-repository", "show", "Display the packages"),),
    ),
    Place(
        "cluster/software/download",
        "cluster image package download",
        "download of a package",
        plain={"create": "", "show": ""},
        verbs=(
            Verb(
                "/cluster image package get",
                "create",
                "Fetch a package from a web server",
                takes=("url", "username", "password"),
            ),
            Verb(
                "/cluster image package show-download-progress",
                "show",
                "Display how the last download goes",
            ),
            Verb(
                "/system image update",
                "create",
                "Fetch a package, install it in the other image and reboot into it",
                takes=("url", "username", "password"),
                fixed={"then_update": True},
                asks="The array reboots once $package is written. Do you want to continue?",
                names={"url": "package"},
            ),
        ),
    ),
    Place(
        "cluster/software/history",
        "cluster image history",
        "update that ended",
        names={"from_version": "from", "to_version": "to"},
        columns=("node.name", "state", "start_time", "end_time", "from_version", "to_version"),
        plain={"show": ""},
        verbs=(
            Verb("/cluster image show-update-history", "show", "Display the updates that ended"),
        ),
    ),
    Place(
        "cluster/web",
        "system services web",
        "web server",
        names={"certificate.name": "certificate"},
    ),
    Place(
        "cluster/jobs",
        "job",
        "job",
        keys=("uuid",),
        names={"uuid": "id", "node.name": "node"},
        columns=("uuid", "description", "state", "start_time", "error.message"),
    ),
    Place(
        "support/ems/events",
        "event log",
        "event",
        keys=("node.name", "index"),
        names={
            "index": "seqnum",
            "message.name": "message-name",
            "message.severity": "severity",
            "log_message": "event",
        },
        columns=("time", "node.name", "message.severity", "message.name", "log_message"),
    ),
    Place("support/ems/application-logs", "event application-log", "message of a program"),
)
