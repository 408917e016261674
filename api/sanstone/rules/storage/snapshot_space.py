"""Bytes that snapshots hold, as last measured by the reconciler.

A block belongs to the newest snapshot of a volume that maps it, and to none if the volume's own
LUNs and namespaces still map it (`sanstone.kernel.storage.snapshot_blocks`). So the size of a
snapshot is valid until a newer one that may share its blocks is deleted: then it is unknown until
the next measurement, as it is before the first. A figure is never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from sanstone.core.declaration.resource import Reader
from sanstone.model.observations import SNAPSHOT_SPACE
from sanstone.model.volumes import Snapshot, Volume

Sizes = Sequence[tuple[str, int]]


def held_by(row: Snapshot, reader: Reader) -> int | None:
    """Return the bytes that a snapshot holds, None if unknown."""
    existing = {snapshot.uuid for snapshot in row.volume.snapshots}
    sizes = reader.seen(SNAPSHOT_SPACE, row.volume_uuid).get("sizes", ())
    return _valid_sizes(existing, sizes).get(row.uuid)


def held_in(row: Volume, reader: Reader) -> int | None:
    """Return the bytes that all snapshots of a volume hold together, None if unknown."""
    existing = {snapshot.uuid for snapshot in row.snapshots}
    return held_together(existing, reader.seen(SNAPSHOT_SPACE, row.uuid).get("sizes", ()))


def held_together(existing: Set[str], sizes: Sizes) -> int | None:
    """Return the bytes that the existing snapshots of a volume hold, by their last measurement.

    None if that is unknown.
    """
    if not existing:
        return 0
    valid = _valid_sizes(existing, sizes)
    remaining = existing & {uuid for uuid, _ in sizes}
    return sum(valid.values()) if remaining and remaining == valid.keys() else None


def _valid_sizes(existing: Set[str], sizes: Sizes) -> dict[str, int]:
    """Return the bytes of snapshots with a measurement that is still valid, by UUID."""
    valid = {}
    for uuid, size in sizes:
        if uuid not in existing:
            break
        valid[uuid] = size
    return valid
