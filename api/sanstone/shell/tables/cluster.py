"""The array, its node, jobs and events."""

from __future__ import annotations

from sanstone.shell.place import Extra, Place, Verb


def _destination(word: str, kind: str, doc: str) -> Extra:
    """Return the parameter of a destination of events that tells its type, as in ONTAP."""
    return Extra(word, "text", doc, lambda value: {"type": kind, "destination": value})


PLACES = (
    Place(
        "cluster/search",
        "",
        "object",
        keys=("path",),
        columns=("kind", "name", "svm.name"),
        plain={"show": ""},
        verbs=(
            Verb(
                "/search",
                "show",
                "Find objects of all kinds by a part of what identifies them",
                required=("query",),
                bare=("query",),
            ),
        ),
    ),
    Place(
        "cluster",
        "cluster identity",
        "cluster identity",
        names={"timezone.name": "timezone", "version.full": "version"},
    ),
    Place(
        "cluster/overview",
        "cluster overview",
        "overview of the array",
        listed="objects",
        names={
            "objects.kind": "kind",
            "objects.state": "object-state",
            "objects.count": "count",
        },
    ),
    Place(
        "cluster/ntp/servers",
        "cluster time-service ntp server",
        "NTP server",
        keys=("server",),
        names={"authentication_enabled": "is-authentication-enabled"},
        columns=("server", "version", "authentication_enabled"),
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
        verbs=(
            Verb("/cluster show", "show", "Display the nodes of the array"),
            Verb(
                "reboot",
                "modify",
                "Restart a node",
                takes=(),
                options={"action": "reboot"},
                asks="Hosts have no path to node $node until it serves again. "
                "Do you want to continue?",
            ),
            Verb(
                "halt",
                "modify",
                "Shut a node down",
                takes=(),
                options={"action": "shutdown"},
                asks="Hosts have no path to node $node until somebody switches it on. "
                "Do you want to continue?",
            ),
        ),
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
                "Reboot into the release in the other image, or into a package installed there",
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
        columns=(
            *("node.name", "image", "is_default", "is_current", "version", "install_date"),
            "can_go_back",
        ),
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
        "support/bundles",
        "system support-bundle",
        "support bundle",
        keys=("name",),
        columns=("name", "state", "size", "create_time"),
    ),
    Place(
        "cluster/web",
        "system services web",
        "web server",
        names={"certificate.name": "certificate"},
    ),
    Place(
        "cluster/changes",
        "cluster changes",
        "last changes of objects",
        names={f"records.{name}": name for name in ("index", "kind", "key", "svm.uuid", "deleted")}
        | {"records.svm.uuid": "vserver-uuid"},
        listed="records",
    ),
    Place(
        "cluster/setup",
        "cluster setup",
        "state of the setup",
        names={"steps.name": "step"}
        | {f"steps.{name}": name for name in ("done", "needed", "message", "resource")},
        listed="steps",
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
            "object.path": "object-path",
            "object.key": "object",
            "acknowledged.state": "acknowledged",
            "acknowledged.user": "acknowledged-by",
            "acknowledged.time": "acknowledged-at",
        },
        columns=("time", "node.name", "message.severity", "message.name", "log_message"),
        plain={"modify": ""},
        verbs=(
            Verb(
                "acknowledge",
                "modify",
                "Say that an event was seen",
                takes=(),
                fixed={"acknowledged.state": True},
            ),
        ),
    ),
    Place(
        "support/ems/messages",
        "event catalog",
        "kind of event",
        keys=("name",),
        names={"name": "message-name"},
        columns=("name", "severity", "corrective_action"),
    ),
    Place(
        "support/ems/destinations",
        "event notification destination",
        "destination",
        keys=("name",),
        names={
            "filters.name": "filters",
            "certificate.name": "certificate",
            "certificate.serial_number": "certificate-serial",
            "certificate.ca": "certificate-authority",
            "syslog.port": "syslog-port",
            "syslog.transport": "syslog-transport",
            "syslog.format.message": "syslog-message-format",
            "syslog.format.timestamp_override": "syslog-timestamp-format-override",
            "syslog.format.hostname_override": "syslog-hostname-format-override",
        },
        columns=("name", "type", "destination", "filters.name", "connectivity.state"),
        plain={"create": ""},
        verbs=(
            Verb(
                "create",
                "create",
                "Create a destination: one of -syslog, -email and -rest-api-url",
                takes=(
                    "name",
                    "filters.name",
                    "certificate.name",
                    "certificate.serial_number",
                    "certificate.ca",
                    "syslog.port",
                    "syslog.transport",
                    "syslog.format.message",
                    "syslog.format.timestamp_override",
                    "syslog.format.hostname_override",
                ),
                extras=(
                    _destination("syslog", "syslog", "Host name or IP address of a syslog server"),
                    _destination("email", "email", "Mail address"),
                    _destination("rest-api-url", "rest_api", "URL of a web server"),
                ),
            ),
        ),
    ),
    Place(
        "support/ems",
        "event config",
        "configuration of events",
        names={"pubsub_enabled": "pubsub-enabled"},
    ),
    Place(
        "support/ems/filters",
        "event filter",
        "filter",
        keys=("name",),
        names={
            "name": "filter-name",
            "rules.index": "position",
            "rules.type": "type",
            "rules.message_criteria.name_pattern": "message-name",
            "rules.message_criteria.severities": "severity",
            "rules.message_criteria.snmp_trap_types": "snmp-trap-type",
        },
        columns=(
            "name",
            "rules.index",
            "rules.type",
            "rules.message_criteria.name_pattern",
            "rules.message_criteria.severities",
        ),
    ),
    Place(
        "support/ems/filters/{filter.name}/rules",
        "event filter rule",
        "rule of a filter",
        keys=("index",),
        names={
            "index": "position",
            "message_criteria.name_pattern": "message-name",
            "message_criteria.severities": "severity",
            "message_criteria.snmp_trap_types": "snmp-trap-type",
        },
        columns=(
            "../name",
            "index",
            "type",
            "message_criteria.name_pattern",
            "message_criteria.severities",
        ),
    ),
    Place("support/ems/application-logs", "event application-log", "message of a program"),
)
