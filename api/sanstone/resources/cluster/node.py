"""`cluster/nodes`: the machine that the array runs on. There is one.

PATCH with `action` restarts it or shuts it down; hosts have no path to the array meanwhile. A dry
run tells which hosts are connected.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Field, Items, Reader, Resource, constant
from sanstone.core.declaration.types import (
    Boolean,
    Choice,
    Duration,
    Integer,
    IpAddress,
    Size,
    Text,
    Timestamp,
    Uuid,
)
from sanstone.core.long_jobs import LongJob
from sanstone.model.cluster import the_cluster
from sanstone.model.nodes import Node
from sanstone.resources.cluster.cluster import management_items, version_fields
from sanstone.resources.cluster.node_sensors import sensor_fields
from sanstone.resources.cluster.statistics import processor_fields, statistics_fields
from sanstone.rules.cluster import software_task
from sanstone.rules.cluster.node import POWER, REBOOT, SHUTDOWN

_WORDS = {REBOOT: "The node is restarted", SHUTDOWN: "The node is shut down"}


def _seen(key: str, default: Any = None) -> Callable[[Node, Reader], Any]:
    return lambda row, reader: reader.seen(row.kind, row.key).get(key, default)


class NodeResource(Resource[Node]):
    """The node."""

    path = "cluster/nodes"
    doc = "The machine that the array runs on. PATCH with `action` restarts it or shuts it down."
    model = Node
    shared = True
    asynchronous = True
    methods = frozenset({"GET", "PATCH"})
    options = (
        Field(
            "action",
            Choice(REBOOT, SHUTDOWN),
            "What PATCH does. Hosts have no path to the array until it serves again; after a "
            "shutdown somebody must switch it on.",
        ),
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the node."),
        Field("name", Text(64), "Name of the node."),
        Field("state", Choice("up"), "Whether it runs.", get=constant("up")),
        Field(
            "serial_number",
            Text(64),
            "Serial number of the machine, that of the array where it has none.",
            get=lambda row, reader: (
                reader.seen(row.kind, row.key).get("serial")
                or the_cluster(reader.session).serial_number
            ),
        ),
        Field("model", Text(128), "Model of the machine.", get=_seen("model", "unknown")),
        Field("system_id", Text(36), "Identity once more.", get=lambda row, _: row.uuid),
        Field("uptime", Duration(), "Seconds since it started.", get=_seen("uptime")),
        *version_fields(),
        Field(
            "location",
            Text(255),
            "Where the array stands.",
            get=lambda _row, reader: the_cluster(reader.session).location,
        ),
        Field("membership", Choice("member"), "Part of the array.", get=constant("member")),
        Field("is_all_flash_optimized", Boolean(), "Never.", get=constant(False)),
        Field("is_all_flash_select_optimized", Boolean(), "Never.", get=constant(False)),
        Field("controller.cpu.count", Integer(), "Processors.", get=_seen("cpus")),
        Field("controller.memory_size", Size(), "Bytes of memory.", get=_seen("memory")),
        *sensor_fields(),
        Field("ha.enabled", Boolean(), "Whether a partner takes over.", get=constant(False)),
        Items(
            "ha.partners",
            (Field("name", Text(64), "Its name."), Field("uuid", Uuid(), "Its identity.")),
            "Nodes that take over; there are none.",
            get=constant(()),
        ),
        Field("date", Timestamp(), "Its clock.", get=lambda _row, _reader: time.time()),
        management_items(),
        Items(
            "cluster_interfaces",
            (Field("ip.address", IpAddress(), "Its address."),),
            "Interfaces to other nodes; there are none.",
            get=constant(()),
        ),
        *statistics_fields(figures=()),
        *processor_fields(),
    )

    def update(self, change: Change, row: Node, values: dict[str, Any]) -> None:
        """Order a restart or a shutdown."""
        action = values["action"]
        if not action:
            raise errors.missing("action")
        for task in software_task.unfinished(change.session):
            text = f"The node cannot be restarted now: Software {task.action} is in progress."
            raise errors.conflict(text, "action")
        data = {"action": action}
        words = _WORDS[action]
        order = LongJob(kind=POWER, owner=row.owner, node_uuid=row.uuid, data=data, message=words)
        change.add(order)
        change.touch(row.owner)
