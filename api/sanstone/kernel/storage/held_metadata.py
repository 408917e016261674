"""A consistent copy of a pool's metadata, held for reading while the pool is in use.

A pool can hold one copy of the root of its metadata ("metadata snapshot" in
Documentation/admin-guide/device-mapper/thin-provisioning.rst). While it does, changes write new
blocks instead of those that the copy references, and discarded or destroyed blocks become free only
at the release, without a discard on the disks. So it is held as briefly as possible, and not when
metadata space is scarce. It is on the disks and outlives the process that requested it: a new
reader first releases one that was left behind.
"""

from __future__ import annotations

from sanstone.kernel.host import Host
from sanstone.kernel.storage import dm

MOST_USED = 0.8
"""Usage of the metadata beyond which no copy is held."""


def hold(host: Host, pool: str) -> int | None:
    """Hold a pool's metadata; return the block of the copy, None if that is impossible now.

    A copy that is already held is released first. Raises HostError.
    """
    status = dm.pool_status(host, pool)
    if status is None or status.mode != "rw" or status.needs_check:
        return None
    if status.metadata_used > MOST_USED * status.metadata_size:
        return None
    if not release(host, pool):
        return None
    host.mapper.message(pool, "reserve_metadata_snap")
    status = dm.pool_status(host, pool)
    return status.held if status else None


def release(host: Host, pool: str) -> bool:
    """Release a pool's copy. Return whether it holds none any more. Raises HostError.

    A pool that cannot be written to keeps it; an inactive one keeps it for now.
    """
    status = dm.pool_status(host, pool)
    if status is None or status.mode in ("ro", "failed"):
        return False
    if status.held is not None:
        host.mapper.message(pool, "release_metadata_snap")
    return True
