"""Common part of LUNs and namespaces: a path in a volume and a thin device in its pool.

The id of the thin device is taken from the aggregate's counter in the transaction that adds the
row, before it is used in the pool, and never reused. Destruction goes through a `Removal`, since an
absent row must never be a reason to destroy data.
"""

from __future__ import annotations

from sanstone.core import errors
from sanstone.core.declaration.resource import Reader
from sanstone.model.volumes import ThinDevice, Volume
from sanstone.rules.storage import aggregates, reserved_space

AGGREGATE_OFFLINE, VOLUME_OFFLINE = "5374865", "5374866"
THIN_IDS = 2**24
"""Ids of a pool's devices have 24 bits (kernel: device-mapper/thin-provisioning.rst)."""


def container_state(row: ThinDevice, reader: Reader) -> str:
    """Return online, or whether the aggregate or the volume is offline."""
    if aggregates.state(row.volume.aggregate, reader) != "online":
        return "aggregate_offline"
    return "online" if row.volume.state == "online" else "volume_offline"


def state(row: ThinDevice, reader: Reader) -> str:
    """Return online, offline if it is disabled or cannot be served, or space_error.

    With a space_error it is served, but for writes that need new space.
    """
    well = container_state(row, reader) == "online" and not reader.fault(row.kind, row.key)
    if not (row.enabled and well):
        return "offline"
    return "space_error" if reserved_space.is_refused(row, reader) else "online"


def check_online(reader: Reader, volume: Volume) -> None:
    """Raise ApiError unless objects can be created in the volume now."""
    aggregate = volume.aggregate
    if aggregates.state(aggregate, reader) != "online":
        text = f'Aggregate "{aggregate.name}" is not online.'
        raise errors.conflict(text, "location.volume", AGGREGATE_OFFLINE)
    if volume.state != "online":
        text = f'Volume "{volume.name}" is offline.'
        raise errors.conflict(text, "location.volume", VOLUME_OFFLINE)


def next_thin_id(volume: Volume) -> int:
    """Take the next thin id of the volume's aggregate. Raises ApiError when there is none left."""
    aggregate = volume.aggregate
    if aggregate.next_thin_id >= THIN_IDS:
        text = f'Aggregate "{aggregate.name}" has used up its {THIN_IDS - 1} device ids.'
        raise errors.conflict(text, "location.volume")
    aggregate.next_thin_id += 1
    return aggregate.next_thin_id - 1
