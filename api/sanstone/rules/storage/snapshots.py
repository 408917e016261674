"""Snapshots of volumes: whether one can be taken or deleted, and taking it.

Snapshots that were requested together have the same `taken_with` and are of one moment across all
of their volumes. A snapshot that a volume was cloned from, and one that has not reached its time of
expiry, cannot be deleted. Names are unique in a volume.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Reader
from sanstone.model.volumes import Snapshot, SnapshotMember, ThinDevice, Volume
from sanstone.rules.storage import aggregates
from sanstone.rules.storage.thin_devices import next_thin_id

EXISTS, BAD_NAME, UNKNOWN, BUSY, NOT_ONLINE, TOO_MANY = (
    "525059",
    "1638518",
    "1638600",
    "1638555",
    "524479",
    "525062",
)
MOST = 1023
"""Most snapshots of a volume, as in ONTAP."""
DESCRIBED = ("os_type", "comment", "enabled", "reserved", "unmap", "block_size", "serial_number")
"""Columns of a LUN or namespace that a snapshot stores, if it has them."""


def describe(device: ThinDevice) -> dict[str, Any]:
    """Return the values of a device's row that describe it, by column."""
    return {name: getattr(device, name) for name in DESCRIBED if hasattr(device, name)}


def check(session: Session, volume: Volume, name: str, *, making: int = 1) -> None:
    """Raise ApiError when a snapshot of this name cannot be taken of a volume now."""
    if session.scalar(select(Snapshot.uuid).filter_by(volume_uuid=volume.uuid, name=name)):
        text = f'A snapshot named "{name}" already exists in volume "{volume.name}".'
        raise errors.conflict(text, "name", EXISTS)
    state = aggregates.state(volume.aggregate, Reader(session))
    if volume.state != "online" or state != "online":
        text = f'Volume "{volume.name}" is not online.'
        raise errors.conflict(text, "volume", NOT_ONLINE)
    if len(volume.snapshots) + making > MOST:
        text = f'Volume "{volume.name}" has {MOST} snapshots, the most there can be.'
        raise errors.conflict(text, "volume", TOO_MANY)


def take(change: Change, volumes: Sequence[Volume], name: str, **values: Any) -> list[Snapshot]:
    """Add a snapshot of each volume, all of one moment, after `check`."""
    together, snapshots = {"taken_with": str(uuid.uuid4())} | values, []
    for volume in volumes:
        snapshot = Snapshot(name=name, volume_uuid=volume.uuid, **together)
        change.add(snapshot)
        for device in volume.devices:
            change.add(_member(snapshot, device, next_thin_id(volume)))
        change.session.expire(volume, ["snapshots"])
        snapshots.append(snapshot)
    return snapshots


def _member(snapshot: Snapshot, device: ThinDevice, thin_id: int) -> SnapshotMember:
    return SnapshotMember(
        snapshot=snapshot,
        device_kind=device.kind,
        device_uuid=device.uuid,
        base_name=device.base_name,
        size=device.size,
        thin_id=thin_id,
        source_thin_id=device.thin_id,
        described=describe(device),
    )


def check_deletable(snapshot: Snapshot) -> None:
    """Raise ApiError when a snapshot cannot be deleted."""
    if snapshot.clones:
        clones = ", ".join(f'"{clone.volume.name}"' for clone in snapshot.clones)
        text = f'Snapshot "{snapshot.name}" is busy: volumes are clones of it ({clones}).'
        raise errors.conflict(text, code=BUSY)
    if snapshot.expiry_time and snapshot.expiry_time > time.time():
        text = f'Snapshot "{snapshot.name}" has not expired yet.'
        raise errors.conflict(text, code=BUSY)
