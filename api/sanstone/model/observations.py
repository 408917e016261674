"""Kinds of observations that have no table: parts of the machine, and hosts that came to it.

Each is the path, too, by which the API shows it, but for those that are no objects.
"""

from __future__ import annotations

from sanstone.core.observed import leave_uncounted

AGGREGATES_HELD = "storage/aggregates/held"
"""Aggregates of the partner's that are live on a node, or may be: their owner does not start them
before they are released."""
FC_FABRICS = "network/fc/fabrics"
FC_LOGINS = "network/fc/logins"
FC_PORTS = "network/fc/ports"
FC_SWITCHES = "network/fc/switches"
FC_ZONES = "network/fc/zones"
ISCSI_SESSIONS = "protocols/san/iscsi/sessions"
NVME_CONTROLLERS = "protocols/nvme/subsystem-controllers"
PATHS = "protocols/san/paths"
REFUSED_INITIATORS = "protocols/san/refused-initiators"
SENSORS = "cluster/sensors"
SHELVES = "storage/shelves"
SNAPSHOTS_TAKEN = "storage/snapshots"
"""The snapshots that have been taken, by UUID."""
SNAPSHOT_SPACE = "storage/snapshots/space"
"""By UUID of a volume: `sizes`, pairs of a snapshot's UUID and its bytes, newest snapshot first;
`measured`, the time in seconds since 1970."""
SOFTWARE_IMAGES = "cluster/software/images"
SOFTWARE_PACKAGES = "cluster/software/packages"
SRP_SESSIONS = "protocols/san/srp/sessions"

# No objects: due times, read positions, and figures.
CONTROLLER_LOG = "kernel/controller"
HARDWARE_ERRORS = "kernel/errors"
KERNEL_LOG = "kernel/log"
SNAPSHOT_SCHEDULES = "storage/snapshot-schedules"

for _kind in (
    AGGREGATES_HELD,
    CONTROLLER_LOG,
    HARDWARE_ERRORS,
    KERNEL_LOG,
    SNAPSHOT_SCHEDULES,
    SNAPSHOT_SPACE,
):
    leave_uncounted(_kind)
# Each knock would be a change.
leave_uncounted(REFUSED_INITIATORS)
leave_uncounted(FC_FABRICS, "time")
leave_uncounted(SENSORS, "value")
