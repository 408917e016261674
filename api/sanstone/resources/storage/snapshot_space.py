"""How many bytes snapshots hold, as last measured by the reconciler.

A block belongs to the newest snapshot of a volume that has it, and to none if the volume's own LUNs
and namespaces still have it (`sanstone.kernel.storage.snapshot_blocks`). So what a snapshot holds
stays its own until a newer one goes, to which some of it may have belonged: then nothing is said of
it until it is measured again, as nothing is said before the first time. A figure is never a guess.
"""

from __future__ import annotations

from sanstone.core.resource import Reader
from sanstone.model.volumes import Snapshot, Volume

TAKEN = "storage/snapshots"
"""What is observed: by UUID, the snapshots that are taken."""
KIND = "storage/snapshots/space"
"""What is observed: by UUID of a volume, `sizes`, pairs of a snapshot's UUID and the bytes that it
holds, newest snapshot first, and `measured`, as of which second since 1970."""


def held_by(row: Snapshot, reader: Reader) -> int | None:
    """Return the bytes that a snapshot holds, None where that is not known."""
    return _known(row.volume, reader).get(row.uuid)


def held_in(row: Volume, reader: Reader) -> int | None:
    """Return the bytes that all snapshots of a volume hold together, None where not known."""
    if not row.snapshots:
        return 0
    known = _known(row, reader)
    measured = {uuid for uuid, _ in reader.seen(KIND, row.uuid).get("sizes", ())}
    remaining = measured & {snapshot.uuid for snapshot in row.snapshots}
    return sum(known.values()) if remaining and remaining == known.keys() else None


def _known(volume: Volume, reader: Reader) -> dict[str, int]:
    """Return by UUID the bytes of snapshots that hold what they held when it was measured."""
    there, known = {snapshot.uuid for snapshot in volume.snapshots}, {}
    sizes = reader.seen(KIND, volume.uuid).get("sizes", ())
    for uuid, size in sizes:
        if uuid not in there:
            break
        known[uuid] = size
    return known
