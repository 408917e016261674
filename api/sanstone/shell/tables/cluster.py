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
        "system image",
        "release",
        names={"nodes.name": "node", "nodes.version": "current-version"},
        verbs=(Verb("/cluster image show", "show", "Display the release"),),
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
    Place(
        "support/ems/destinations",
        "event notification destination",
        "destination",
        keys=("name",),
        names={
            "destination": "syslog",
            "filters.name": "filters",
            "syslog.port": "syslog-port",
            "syslog.transport": "syslog-transport",
            "syslog.format.message": "syslog-message-format",
            "syslog.format.timestamp_override": "syslog-timestamp-format-override",
            "syslog.format.hostname_override": "syslog-hostname-format-override",
        },
        columns=("name", "type", "destination", "filters.name", "connectivity.state"),
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
