"""Release an aggregate to the node that owns it: pool, RAID groups and all layers are live no more.

Nothing on the disks is changed. LVM checks a pool's metadata on deactivation, which may take
minutes. A restart does the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import Engine

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import lvm, md
from sanstone.kernel.storage.stack import over_md, under_md
from sanstone.reconcile.long_jobs import pool_work
from sanstone.reconcile.long_jobs.work import Progress
from sanstone.reconcile.tasks.configuration import writing_copies

KIND = "aggregate.release"


def uuid_of(aggregate: str) -> str:
    """Return the UUID of the order to release an aggregate."""
    return str(uuid5(UUID(aggregate), KIND))


def order(aggregate: str, groups: Sequence[int]) -> dict[str, Any]:
    """Return the data of an order: the numbers of all RAID groups, running or not."""
    return {"aggregate": aggregate, "groups": list(groups)}


class AggregateRelease:
    """Releases one aggregate. Not stoppable: LVM, when killed, may leave a pool suspended."""

    stoppable = False

    def __init__(self, host: Host, _database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is malformed."""
        self._host = host
        try:
            self._aggregate = data["aggregate"]
            names.volume_group(self._aggregate)
            self._numbers = list(data["groups"])
            if not all(number in range(1000) for number in self._numbers):
                raise ValueError(f"groups {self._numbers}")
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise HostError(f"this is no order to release an aggregate: {error}") from error

    def run(self) -> None:
        """Release it. Raises HostError while thin devices exist."""
        running = [n for n in self._numbers if md.status(self._host, self._aggregate, n)]
        if running:
            group = pool_work.group(self._host, self._aggregate, running)
            with writing_copies(self._host):
                lvm.ensure_inactive(self._host, group)
        for number in self._numbers:
            over_md.ensure_none(self._host, self._aggregate, number)
            md.ensure_stopped(self._host, self._aggregate, number)
        under_md.ensure_unused_removed(self._host, self._aggregate, ())

    def progress(self) -> Progress:
        """Return unknown progress."""
        return Progress()
