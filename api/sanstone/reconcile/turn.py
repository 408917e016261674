"""A turn of the reconciler.

A turn compares the desired state (rows of the database) with the actual state (the kernel) and
makes the machine agree, in stages: disks, RAID groups, pools, thin devices, network, targets, and
after that removals in the opposite order. Its only input is the database and the machine, so it may
be killed at any point: the next turn converges from whatever state it meets. A boot is no special
case.

A turn works on a `Scope`, and its cost depends on the size of that scope. The first turn is whole:
it reads and compares everything, with the same code. Later turns cover owners that jobs touched or
that failed. Every few seconds a turn `looks` at changes made outside the API, and verifies a shard
of the LUNs and namespaces, so that all are read again within `VERIFIED`.

Rules:

* A stage never lets one object's failure affect another object. `attempt` records a failure as the
  fault of its owner; `block` passes it on to the objects that depend on that owner.
* Data is destroyed only for a `Removal`, never because a row is absent.
* `Memory` only saves reading. What a failure touched is read again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Result, Select
from sqlalchemy.orm import Session

from sanstone.core import errors, events, tasks
from sanstone.core.database.change import Owned, Removal
from sanstone.core.database.statements import OWNER, owned
from sanstone.core.errors import Cause
from sanstone.core.events import Condition
from sanstone.core.long_jobs import LongJob
from sanstone.kernel import plan
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.faults import Fault, Faults
from sanstone.reconcile.memory import Memory
from sanstone.reconcile.observations import Observations
from sanstone.reconcile.outcomes import Outcome, Outcomes
from sanstone.reconcile.role import Role
from sanstone.reconcile.scope import Scope

log = logging.getLogger("sanstone.reconciler")
Row = TypeVar("Row")
Value = TypeVar("Value")
PERIOD = tasks.TURNS
"""Seconds between turns that look at changes made outside the API."""
VERIFIED = 100.0
"""Seconds within which each LUN and namespace is read again."""


class RemovalOrders(NamedTuple):
    """The orders to destroy data that the turn's node carries out. Of those the array may have
    written the `sound` ones; it cannot have written the `foreign` ones, which are reported and
    nothing else.
    """

    sound: Sequence[Removal]
    foreign: Sequence[Removal]


@dataclass
class LongJobChanges:
    """A turn's changes of long jobs, to be written at its end."""

    ordered: list[LongJob] = field(default_factory=list)
    """Those to start."""
    followed: list[LongJob] = field(default_factory=list)
    """Those that the kernel works off, as far as they are."""
    ended: list[str] = field(default_factory=list)
    """UUIDs of those with an end that the turn has processed."""
    waiting: set[str] = field(default_factory=set)
    """Owners that wait for a long job."""


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
    removals: RemovalOrders
    seen: Observations
    """Its observations, and the earlier ones."""
    progress: Callable[[], None]
    """Must be called between steps: it shows that the turn does not hang."""
    stage: str = ""
    """The name of the stage that runs."""
    outcomes: Outcomes = field(default_factory=Outcomes)
    """The outcomes of that stage so far, by owner."""
    irreversible: set[str] = field(default_factory=set)
    """Owners with destroyed data or a grown pool: their changes cannot be reverted."""
    jobs: LongJobChanges = field(default_factory=LongJobChanges)
    _computed: dict[Any, Any] = field(default_factory=dict)
    """By function or statement: its result (`once`, `rows`)."""

    def begin(self, stage: str) -> None:
        """Begin a stage, which has done nothing yet."""
        self.stage, self.outcomes = stage, Outcomes()

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

    def keep(self, *keys: str) -> None:
        """Have conditions last that do, since the stage cannot see whether they have ended."""
        known = self.once(_lasting_conditions)
        self.conditions.update({key: known[key] for key in keys if key in known})

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
        self.outcomes.note(owner, Outcome.FAILED)

    def block(self, owner: str, because: str) -> bool:
        """Give `owner` the fault of the owner `because`, if that has one. Return whether it has."""
        fault = self.memory.faults.get(because)
        if fault and owner not in self.memory.faults:
            self.memory.faults.add(self.stage, owner, fault._replace(blocked=True))
            self.outcomes.note(owner, Outcome.BLOCKED)
        return fault is not None

    def apply(self, steps: Sequence[plan.Step]) -> list[plan.Failure]:
        """Log and run a plan. Record failed steps as faults of their owners, and return them."""
        if steps:
            # The journal makes an entry of each line, and one write costs less than many.
            log.info("%s", "\n".join(step.text for step in steps))
        for owner in {step.owner for step in steps}:
            self.outcomes.note(owner, Outcome.CHANGED)
        failures = plan.apply(self.host, steps, self.progress)
        for failure in failures:
            log.warning("failed: %s", failure)
            if failure.step.owner:
                self.fail(failure.step.owner, failure.error)
        return failures

    def rows(self, kept: Select[tuple[Row]]) -> Sequence[Row]:
        """Return the rows of a statement that is built once in a process.

        Such are in `core.database.statements`. Several stages need the same rows, which are as of
        the beginning of the turn.
        """
        if kept not in self._computed:
            self._computed[kept] = self.session.scalars(kept).all()
        rows: Sequence[Row] = self._computed[kept]
        return rows

    def own(
        self, table: type[Owned], kept: Select[tuple[Row]], **parameters: Any
    ) -> Result[tuple[Row]]:
        """Run a statement for those rows of a table alone that the turn's node owns.

        It is built once in a process, as for `rows`. All that a turn does to a node's objects
        begins with it: the other node's are never touched, but for paths to them (`Role.STANDBY`).
        """
        # mypy takes the hash of a table's rows for that of the table.
        statement = owned(table, kept)  # type: ignore[arg-type]
        return self.session.execute(statement, {OWNER: self.node_uuid, **parameters})

    def role(self, owning_node: str) -> Role:
        """Return what the turn's node is for an object that a node owns."""
        return Role.ACTIVE if owning_node == self.node_uuid else Role.STANDBY

    def once(self, compute: Callable[[Turn], Value]) -> Value:
        """Return a function's result for the turn, computed on the first call.

        It is for what several stages look up in the rows, which are as of the turn's beginning.
        """
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        value: Value = self._computed[compute]
        return value

    def did(self, text: str, owner: str = "", outcome: Ensured = Ensured.CHANGED) -> None:
        """Log a change of the machine, and note it of its owner where it has one."""
        self.outcomes.note(owner, outcome)
        log.info("%s", text)


def _lasting_conditions(turn: Turn) -> dict[str, Condition]:
    return events.lasting(turn.session, turn.node_uuid)
