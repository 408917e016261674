"""A consistent copy of a pool's metadata, held for reading while the pool is in use.

A pool can hold one copy of the root of its metadata ("metadata snapshot" in
Documentation/admin-guide/device-mapper/thin-provisioning.rst). While it does, changes write new
blocks instead of those that the copy references, and discarded or destroyed blocks become free only
at the release, without a discard on the disks. So it is held as briefly as possible, and not when
metadata space is scarce.

There is one copy for all readers, in whatever process, and who releases it takes it from all: its
blocks are used anew, and a reader sees their new content. So each reader has the lease of the pool,
a lock that the next one waits for and that ends with its process. The copy is on the disks and
outlives the process that requested it: who has the lease may release one that was left behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sanstone.kernel.host import Host, LockedError
from sanstone.kernel.storage import thin

MOST_USED = 0.8
"""Usage of the metadata beyond which no copy is held."""
LEASES = "/run/sanstone"


@contextmanager
def held(host: Host, pool: str) -> Iterator[int | None]:
    """Hold a pool's metadata for a block; yield where the copy is, None if that is impossible now.

    It waits until nobody else holds them. Afterwards they are released, but for a pool that cannot
    be written to. Raises HostError.
    """
    with host.files.locked(_lease(pool)):
        root = _hold(host, pool)
        try:
            yield root
        finally:
            if root is not None:
                _release(host, pool)


def release_left_behind(host: Host, pool: str) -> bool:
    """Release a copy that nobody reads. Return whether the pool holds none that was left behind.

    A pool that cannot be written to keeps it; an inactive one keeps it for now. Raises HostError.
    """
    try:
        with host.files.locked(_lease(pool), wait=False):
            return _release(host, pool)
    except LockedError:
        return True  # It is the reader's, who releases it.


def _lease(pool: str) -> str:
    return f"{LEASES}/{pool}.lease"


def _hold(host: Host, pool: str) -> int | None:
    status = thin.pool_status(host, pool)
    if status is None or status.mode != "rw" or status.needs_check:
        return None
    if status.metadata_used > MOST_USED * status.metadata_size:
        return None
    if not _release(host, pool):
        return None
    host.mapper.message(pool, "reserve_metadata_snap")
    status = thin.pool_status(host, pool)
    return status.held if status else None


def _release(host: Host, pool: str) -> bool:
    status = thin.pool_status(host, pool)
    if status is None or status.mode in ("ro", "failed"):
        return False
    if status.held is not None:
        host.mapper.message(pool, "release_metadata_snap")
    return True
