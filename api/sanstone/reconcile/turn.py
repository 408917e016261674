"""A turn of the reconciler.

A turn compares the desired state (rows of the database) with the actual state (the kernel) and
makes the machine agree, in stages: disks, RAID groups, pools, thin devices, network, targets, and
after that removals in the opposite order. Its only input is the database and the machine, so it may
be killed at any point: the next turn converges from whatever state it meets. A boot is no special
case.

A turn works on a `Scope`, and its cost depends on the size of that scope. The first turn is whole:
it reads and compares everything, with the same code. Later turns cover what jobs touched and what
failed. Every few seconds a turn `looks` at changes made outside the API, and verifies a shard of
the LUNs and namespaces, so that all are read again within `VERIFIED`.

Rules:

* A stage never lets one object's failure affect another object. `attempt` records a failure as the
  fault of its owner; `block` passes it on to the objects that depend on that owner.
* Data is destroyed only for a `Removal`, never because a row is absent.
* `Memory` only saves reading. What a failure touched is read again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Select
from sqlalchemy.orm import Session

from sanstone.core import errors, observed
from sanstone.core.database.change import Removal
from sanstone.core.errors import Cause
from sanstone.core.events import Condition
from sanstone.core.long_jobs import LongJob
from sanstone.core.observed import Seen
from sanstone.kernel import plan
from sanstone.kernel.host import Host, HostError
from sanstone.model.aggregates import Disk as DiskRow
from sanstone.model.network import AnyEndpoint, FcInterface, IpInterface
from sanstone.reconcile.export import Export
from sanstone.reconcile.faults import Fault, Faults
from sanstone.reconcile.memory import Memory
from sanstone.reconcile.scope import Scope
from sanstone.rules.network.endpoints import EndpointKey

log = logging.getLogger("sanstone.reconciler")
Row = TypeVar("Row")
PERIOD = 5.0
"""Seconds between turns that look at changes made outside the API."""
VERIFIED = 100.0
"""Seconds within which each LUN and namespace is read again."""


@dataclass
class Turn:
    """One turn of a node. `session` reads the desired rows as of the beginning of the turn."""

    host: Host
    node_uuid: str
    session: Session
    memory: Memory
    scope: Scope
    looks: bool
    """Whether it looks at changes made outside the API: disks, links, sessions of hosts."""
    thorough: bool
    """Whether it reads the inventory anew, whatever the memory holds
    (`Memory.forget_inventory`)."""
    removals: Sequence[Removal]
    """Orders that the array may have written."""
    foreign_removals: Sequence[Removal]
    """Orders that it cannot have written, which are reported and nothing else."""
    progress: Callable[[], None]
    """Must be called between steps: it shows that the turn does not hang."""
    stage: str = ""
    new_disks: list[DiskRow] = field(default_factory=list)
    irreversible: set[str] = field(default_factory=set)
    """Owners whose data was destroyed or whose pool was grown: their changes cannot be reverted."""
    finished_removals: list[str] = field(default_factory=list)
    """UUIDs of the removals that are complete."""
    orders: list[LongJob] = field(default_factory=list)
    """Long jobs to be ordered at the end of the turn."""
    followed: list[LongJob] = field(default_factory=list)
    """Long jobs that the kernel works off, as far as they are."""
    ended: list[str] = field(default_factory=list)
    """UUIDs of the long jobs whose end the turn has processed."""
    waiting: set[str] = field(default_factory=set)
    """Owners that wait for a long job."""
    destroying: dict[str, str] = field(default_factory=dict)
    """By aggregate: the removal of the thin volume that is being destroyed."""
    software_failures: dict[str, HostError] = field(default_factory=dict)
    """By UUID of an order about software: why it failed."""
    seen: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """By kind and key: what this turn observed, of kinds of which it observed every object."""
    all_observed: Mapping[str, Mapping[str, Seen]] | None = None
    """By kind and key: what was observed before, if the turn has read all of it."""
    observations: dict[tuple[str, str], dict[str, Any] | None] = field(default_factory=dict)
    """By kind and key: what this turn observed of single objects; None for removed ones."""
    unobserved: set[tuple[str, str]] = field(default_factory=set)
    """The (kind, key) of objects of which nothing was observed before."""
    exports: dict[str, Export | None] = field(default_factory=dict)
    """By UUID: the desired LUNs and namespaces that the turn has looked up; None for no such."""
    rows_read: dict[Select[Any], Sequence[Any]] = field(default_factory=dict)
    """By statement: the rows that it yielded; see `rows`."""
    every_export: Sequence[Export] | None = None
    """All desired LUNs and namespaces, if the turn has looked them up."""
    lifs: Sequence[IpInterface] | None = None
    """The LIFs whose rows are valid; see `network.interfaces`."""
    fc_interfaces: Sequence[FcInterface] | None = None
    """The Fibre Channel interfaces; see `fibre_channel.interfaces`."""
    endpoints: Mapping[EndpointKey, AnyEndpoint] | None = None
    """Every node's endpoints; see `endpoints.by_key`."""
    pools: set[str] = field(default_factory=set)
    """Aggregates whose pool became active or inactive in this turn."""
    verified: set[str] = field(default_factory=set)
    """UUIDs of the LUNs and namespaces whose live state this turn reads again."""
    finds_stale_devices: bool = False
    """Whether it searches all live devices for those that no LUN or namespace needs."""
    resized: set[str] = field(default_factory=set)
    """UUIDs of the LUNs and namespaces whose device changed its table in this turn."""
    disks_changed: bool = False
    """Whether the use of disks changed. They are read again at the end of the turn and not before,
    because all stages work with the paths that disks had at its beginning."""
    changes: int = 0
    """Number of steps and other changes of the machine in this turn."""

    @property
    def whole(self) -> bool:
        """Return whether its scope is everything."""
        return self.scope.whole

    @property
    def failures(self) -> Faults:
        """Return the faults of all owners."""
        return self.memory.faults

    @property
    def conditions(self) -> dict[str, Condition]:
        """Return the conditions of the current stage, to be changed in place."""
        return self.memory.conditions.of_stage(self.stage)

    def tell(self, owner: str, key: str, condition: Condition) -> None:
        """Report a condition that concerns one owner."""
        self.memory.conditions.tell(self.stage, owner, key, condition)

    def judge(self, owners: Collection[str] | None = None) -> None:
        """Discard the stage's faults and conditions of some owners, or of all.

        The stage then judges these owners anew.
        """
        self.memory.faults.judge(self.stage, owners)
        self.memory.conditions.judge(self.stage, owners)

    @contextmanager
    def attempt(self, owner: str, code: str = errors.INTERNAL, subject: str = "") -> Iterator[None]:
        """Record a HostError in the block as a fault of `owner`, and continue after the block.

        `subject` is the name by which an administrator knows the owner, for messages of the machine
        that do not contain it.
        """
        self.progress()
        try:
            yield
        except HostError as error:
            self.fail(owner, error, code, subject)

    def fail(
        self, owner: str, error: HostError, code: str = errors.INTERNAL, subject: str = ""
    ) -> None:
        """Record a fault of `owner`; the first fault of an owner counts. See `attempt`."""
        subjects = (subject,) if subject else ()
        message = ": ".join((*subjects, str(error)))
        cause = Cause(code, message, (*subjects, *error.arguments))
        self.memory.faults.add(self.stage, owner, Fault(cause))

    def block(self, owner: str, because: str) -> bool:
        """Give `owner` the fault of the owner `because`, if that has one. Return whether it has."""
        fault = self.memory.faults.get(because)
        if fault and owner not in self.memory.faults:
            self.memory.faults.add(self.stage, owner, fault._replace(blocked=True))
        return fault is not None

    def apply(self, steps: Sequence[plan.Step]) -> list[plan.Failure]:
        """Log and run a plan. Record failed steps as faults of their owners, and return them."""
        if steps:
            # The journal makes an entry of each line, and one write costs less than many.
            log.info("%s", "\n".join(step.text for step in steps))
        self.changes += len(steps)
        failures = plan.apply(self.host, steps, self.progress)
        for failure in failures:
            log.warning("failed: %s", failure)
            if failure.step.owner:
                self.fail(failure.step.owner, failure.error)
        return failures

    def rows(self, kept: Select[tuple[Row]]) -> Sequence[Row]:
        """Return the rows of a statement that is made once in a process.

        Such are in `core.database.statements`. Several stages need the same rows, which are as of
        the beginning of the turn.
        """
        if kept not in self.rows_read:
            self.rows_read[kept] = self.session.scalars(kept).all()
        return self.rows_read[kept]

    def did(self, text: str) -> None:
        """Log a change of the machine, and count it."""
        self.changes += 1
        log.info("%s", text)

    def observed(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return what is observed of all objects of a kind, to be changed in place."""
        if kind not in self.seen:
            rows = self._rows_observed(kind)
            self.seen[kind] = {key: dict(row.data) for key, row in rows.items()}
        return self.seen[kind]

    def _rows_observed(self, kind: str) -> Mapping[str, Seen]:
        """Return what was observed of all objects of a kind; a whole turn reads all kinds at once.

        It needs most of them.
        """
        if not self.whole:
            return observed.load(self.session, kind, node_uuid=self.node_uuid)
        if self.all_observed is None:
            self.all_observed = observed.load_all(self.session, self.node_uuid)
        return self.all_observed.get(kind, {})

    def load_observations(self, kind: str, keys: Iterable[str]) -> None:
        """Load what is observed of some objects together, for `observation`."""
        if kind not in self.seen:
            missing = [key for key in keys if (kind, key) not in self.observations]
            rows = observed.load_some(self.session, self.node_uuid, kind, missing)
            self.observations |= {(kind, key): dict(row.data) for key, row in rows.items()}
            self.unobserved |= {(kind, key) for key in missing if key not in rows}

    def is_observed(self, kind: str, key: str) -> bool:
        """Return whether anything is observed of an object, after `load_observations`."""
        seen = self.seen.get(kind)
        return bool(self.observations.get((kind, key)) if seen is None else seen.get(key))

    def observation(self, kind: str, key: str) -> dict[str, Any]:
        """Return what is observed of one object, to be changed in place."""
        if kind in self.seen:
            return self.seen[kind].setdefault(key, {})
        observation = self.observations.get((kind, key))
        if observation is None:
            row = None
            if (kind, key) not in self.unobserved:
                row = observed.load_one(self.session, self.node_uuid, kind, key)
            observation = self.observations[kind, key] = dict(row.data) if row else {}
        return observation

    def drop_observation(self, kind: str, key: str) -> None:
        """Delete what is observed of an object."""
        if kind in self.seen:
            self.seen[kind].pop(key, None)
        else:
            self.observations[kind, key] = None
