"""A pool's metadata as of one moment, held for reading while the pool goes on.

A pool can hold one copy of the root of its metadata ("metadata snapshot" in
Documentation/admin-guide/device-mapper/thin-provisioning.rst). As long as it does, a change writes
new blocks in the place of those that the copy reaches, and what is discarded or destroyed becomes
free only at the release, without being discarded on the disks. So it is held as shortly as can be,
and not where metadata are scarce. It lies on the disks and outlives whoever asked for it: whoever
begins releases what is left of another.
"""

from __future__ import annotations

from sanstone.kernel.host import Host
from sanstone.kernel.storage import dm

MOST_USED = 0.8
"""Share of the metadata beyond which nothing is held."""


def hold(host: Host, pool: str) -> int | None:
    """Hold a pool's metadata; return the block of the copy, None when that cannot be done now.

    What was held before is released. Raises HostError.
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
    """Release what a pool holds. Return whether it holds nothing any more. Raises HostError.

    A pool that cannot be written to keeps it; one that is not active is left for later.
    """
    status = dm.pool_status(host, pool)
    if status is None or status.mode in ("ro", "failed"):
        return False
    if status.held is not None:
        host.mapper.message(pool, "release_metadata_snap")
    return True
