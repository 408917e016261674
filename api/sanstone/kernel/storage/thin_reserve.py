"""Space of a pool that is set aside for some of its volumes.

Where no more is free than that, other volumes get no new block: their writes that need one fail
with ENOSPC, while what needs none goes on. The kernel counts with each block that it gives or takes
back, so no writer is too fast. It is a patch of ours (`dm-thin-let-space-be-set-aside-for-a-thin-
device.patch`); a pool's status tells whether the kernel has it (`thin.PoolStatus.reserved`).

The reserve belongs to the active pool and is not on disk: it outlives the tables of devices, and
ends with the pool's activation.

Traps:

* dm-thin takes each block for shared that is older than the newest snapshot of its volume, also one
  that was deleted, and copies it at the next write. The copy needs a block until the old one is
  free again, at the next commit. So any volume may copy at least one block. The kernel keeps some
  more free beside the reserve, for copies that are under way.
* A copy that a snapshot makes necessary uses up the reserve for copies. That is set anew when the
  next snapshot is taken, and not before: meanwhile the reserve of a volume differs from the ordered
  one, so that a caller must remember it.
"""

from __future__ import annotations

from typing import NamedTuple

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host
from sanstone.kernel.storage.mapped import SECTOR, DeviceError


class Reserve(NamedTuple):
    """The reserve of a volume, in bytes; both rounded up to blocks of the pool."""

    limit: int = 0
    """As much as the volume may map; the part that it has not mapped yet is set aside."""
    copies: int = 0
    """As much of it as may have to be copied, since snapshots have it too."""


NONE = Reserve()


def ensure(host: Host, pool: str, thin_id: int, reserve: Reserve) -> Ensured:
    """Set space aside for a volume, in the place of its former reserve; NONE ends it.

    Raises RequestError: ENODATA for no such volume, EINVAL where the kernel sets nothing aside.
    """
    limit, copies = (-(-size // _block(host, pool)) for size in reserve)
    if reserve != NONE:
        copies = max(copies, 1)
    request = f"{limit} {copies}"
    if host.mapper.message(pool, f"reserve {thin_id}") == request:
        return Ensured.UNCHANGED
    host.mapper.message(pool, f"reserve {thin_id} {request}")
    return Ensured.CHANGED


def _block(host: Host, pool: str) -> int:
    """Return the bytes of a pool's blocks. Raises DeviceError when it is not active."""
    state = host.mapper.state(pool)
    if state is None or not state.live:
        raise DeviceError("{}: the pool is not active", pool)
    return int(state.table[0].arguments.split()[2]) * SECTOR
