"""Create, extend, or check and activate a pool.

LVM takes seconds, a check of metadata minutes. A restart completes what was interrupted, as
`kernel.storage.lvm` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import lvm, md
from sanstone.kernel.storage.stack import over_md
from sanstone.reconcile import layers
from sanstone.reconcile.long_jobs.work import Progress

CREATE, ACTIVATE = "pool.create", "pool.activate"


def order(aggregate: str, groups: Sequence[int]) -> dict[str, Any]:
    """Return the data of an order: the numbers of all RAID groups, which must run."""
    return {"aggregate": aggregate, "groups": list(groups)}


def group(host: Host, aggregate: str, groups: Sequence[int]) -> lvm.Group:
    """Return the volume group on these RAID groups. Raises HostError when not all of them run."""
    statuses = [md.status(host, aggregate, number) for number in groups]
    declared = layers.of_aggregate(aggregate).over_md
    volumes = [
        lvm.PhysicalVolume(over_md.device(aggregate, number, declared), status.full_stripe)
        for number, status in zip(groups, statuses, strict=True)
        if status
    ]
    if len(volumes) < len(groups):
        # The LVM driver completes what looks like an interrupted creation, so it must see all.
        raise HostError("only {} of {} RAID groups run", len(volumes), len(groups))
    return lvm.Group(aggregate, tuple(volumes))


class _PoolWork:
    """Common part of both kinds. LVM reports no progress.

    It is not stoppable, because LVM, when killed, may leave a pool suspended together with all
    writes to it.
    """

    stoppable = False

    def __init__(self, host: Host, _database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is malformed."""
        self._host = host
        try:
            names.volume_group(data["aggregate"])
            numbers = list(data["groups"])
            if not numbers or not all(number in range(1000) for number in numbers):
                raise ValueError(f"groups {numbers}")
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise HostError(f"this is no order for a pool: {error}") from error
        self._group = group(host, data["aggregate"], numbers)

    def progress(self) -> Progress:
        """Return unknown progress."""
        return Progress()


class PoolCreation(_PoolWork):
    """Creates a pool, or extends it over further RAID groups."""

    def run(self) -> None:
        """Create or extend it. Raises HostError."""
        lvm.ensure_created(self._host, self._group)


class PoolActivation(_PoolWork):
    """Checks a pool's metadata and activates it."""

    def run(self) -> None:
        """Check and activate it. Raises HostError."""
        lvm.ensure_active(self._host, self._group)
