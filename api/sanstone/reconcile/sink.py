"""What a turn hands on, and where to: the sink of its node.

A turn reads the database and changes the machine, and writes nothing itself. All that it found goes
into one `Report`, and the node's sink takes that: it is the database of the machine
(`database_sink`), or whatever brings the report to the node that has the database. So a node is the
same whether it writes for itself or its partner does that for it.

A report says all that it can of what the turn looked at, and not how that differs from an earlier
report. So a sink may take one twice and changes nothing by it, and where one is lost, the next turn
reads everything anew, as after a crash.

What a task does before a turn is a request, and goes the way of requests: it is no part of this.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sanstone.core.errors import Cause
from sanstone.core.events import Condition
from sanstone.core.long_jobs import LongJob
from sanstone.model.aggregates import Disk
from sanstone.reconcile.faults import Fault
from sanstone.reconcile.lif_failover import Move
from sanstone.reconcile.observations import Data


@dataclass(frozen=True)
class Before:
    """The work that waited when a turn began."""

    jobs: Sequence[int] = ()
    """Ids of the jobs."""
    open_orders: Sequence[str] = ()
    """UUIDs of the node's long jobs that had not ended."""
    due_owners: Collection[str] = ()
    """The owners to look at, since another node took back a change of them."""


@dataclass(frozen=True)
class Report:
    """What a turn found and did."""

    node_uuid: str
    term: int
    """The term in which the turn began: what it found is of no use in another one."""
    kinds: Mapping[str, Mapping[str, Data]]
    """The observations of all objects of these kinds, by kind and key."""
    objects: Mapping[tuple[str, str], Data | None]
    """The observations of single objects, by kind and key; None for one that is gone."""
    faults: Mapping[str, Fault]
    """All faults of the node, by owner."""
    conditions: Mapping[str, Condition]
    """All conditions of the node but its faults, by key."""
    before: Before
    irreversible: Collection[str] = ()
    """Owners with a change that the machine cannot take back."""
    ordered: Sequence[LongJob] = ()
    """Long jobs to start: rows in no session, as are the next ones."""
    followed: Sequence[LongJob] = ()
    """Long jobs that the kernel works off, as far as they are."""
    ended: Sequence[str] = ()
    """UUIDs of long jobs with an end that the turn has processed."""
    new_disks: Sequence[Disk] = ()
    """The rows of disks without one, in no session."""
    destroyed: Sequence[str] = ()
    """UUIDs of the orders to destroy data that are complete."""
    moves: Sequence[Move] = ()
    """LIFs for another port."""
    failed_software: Mapping[str, Cause] = field(default_factory=dict)
    """Why orders about software failed, by UUID."""
    is_thorough: bool = False
    """Whether the turn read the inventory anew: now is the time to drop old records, too."""


class Sink(Protocol):
    """Takes the reports of a node's turns."""

    def take(self, report: Report) -> set[str] | None:
        """Record a report, and end the jobs that it brings to their ends.

        Return the owners that the node's next turn is about at once; or None where nothing was
        recorded: a new term has begun, in which nodes own other things, or the report was lost.
        """
