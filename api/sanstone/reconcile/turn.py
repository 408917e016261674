"""A turn of the reconciler, and what it remembers from one turn to the next.

A turn compares what is desired (rows of the database) with what is (the kernel) and makes the
machine agree, in stages: disks, RAID, pools, thin devices, network, targets; then what goes, the
other way round. It takes no input but the database and the machine, so it may be killed anywhere:
the next turn mends whatever it finds, and a boot is nothing special.

A turn works on a `Scope`, and costs what that holds. The first one is whole: it reads and compares
everything, by the same code. Later ones are about what jobs touched and what failed; every few
seconds a turn `looks` at what others change, and verifies a shard of what there are many of, so
that everything is read again within `VERIFIED`.

Rules:

* A stage never lets one object's failure stop another's. `attempt` notes a failure under its owner;
  `block` hands it on to what depends on it.
* Data is destroyed for a `Removal` only, never because a row is absent.
* `Memory` only saves reading. What a failure touched is read again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import errors, observed
from sanstone.core.change import Removal
from sanstone.core.long_jobs import LongJob
from sanstone.kernel import plan
from sanstone.kernel.host import Host, HostError
from sanstone.model.aggregates import Disk as DiskRow
from sanstone.model.network import IpInterface
from sanstone.reconcile.faults import Condition, Fault, Faults
from sanstone.reconcile.memory import Memory
from sanstone.reconcile.scope import Scope

log = logging.getLogger("sanstone.reconciler")
PERIOD = 5.0
"""Seconds between turns that look at what others change."""
VERIFIED = 100.0
"""Seconds within which each LUN and namespace is read again."""


@dataclass
class Turn:
    """One turn, of a node. `session` reads the desired rows as they were when it began."""

    host: Host
    node_uuid: str
    session: Session
    memory: Memory
    scope: Scope
    looks: bool
    """Whether it looks at what others than the API change: disks, links, who is logged in."""
    thorough: bool
    """Whether all is read that there are few of, whatever is remembered of it."""
    removals: Sequence[Removal]
    progress: Callable[[], None]
    """To be called between steps: it shows that the turn does not hang."""
    stage: str = ""
    new_disks: list[DiskRow] = field(default_factory=list)
    irreversible: set[str] = field(default_factory=set)
    """Owners of which data is gone, or whose pool has grown."""
    finished: list[str] = field(default_factory=list)
    """Removals that are done."""
    orders: list[LongJob] = field(default_factory=list)
    """Long jobs to be begun, and `ended` those whose end was taken in, by UUID."""
    ended: list[str] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    """Owners that wait for a long job."""
    destroying: dict[str, str] = field(default_factory=dict)
    """By aggregate, the removal of the thin volume that is being destroyed."""
    failed_software: dict[str, str] = field(default_factory=dict)
    """By UUID, why orders about software failed."""
    seen: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """By kind and key: all that this turn observed of a kind."""
    facts: dict[tuple[str, str], dict[str, Any] | None] = field(default_factory=dict)
    """By kind and key: what this turn observed of single objects; None where nothing is left."""
    lifs: Sequence[IpInterface] | None = None
    """The LIFs that are sound; see `network.interfaces`."""
    pools: set[str] = field(default_factory=set)
    """Aggregates that became active in this turn, or are no longer."""
    verified: set[str] = field(default_factory=set)
    """LUNs and namespaces, by UUID, whose live state this turn reads again."""
    lists_devices: bool = False
    """Whether it looks for devices that nothing needs among all that there are."""
    resized: set[str] = field(default_factory=set)
    """Devices whose table changed in this turn."""
    disks_changed: bool = False
    """Whether the use of disks changed. They are looked at again at the end of the turn, and not
    before, since all of it goes by where they are."""
    changes: int = 0

    @property
    def whole(self) -> bool:
        """Whether it is about everything."""
        return self.scope.whole

    @property
    def failures(self) -> Faults:
        """Return what keeps owners from being as desired."""
        return self.memory.faults

    @property
    def conditions(self) -> dict[str, Condition]:
        """Return what the stage tells that lasts, to be added to."""
        return self.memory.conditions.of_stage(self.stage)

    def tell(self, owner: str, key: str, condition: Condition) -> None:
        """Tell of what lasts and concerns one owner."""
        self.memory.conditions.tell(self.stage, owner, key, condition)

    def judge(self, owners: Collection[str] | None = None) -> None:
        """Have the stage judge some owners, or all: forget what it said of them before."""
        self.memory.faults.judge(self.stage, owners)
        self.memory.conditions.judge(self.stage, owners)

    @contextmanager
    def attempt(self, owner: str, code: str = errors.INTERNAL, subject: str = "") -> Iterator[None]:
        """Note a refusal of the machine as the failure of `owner` and go on.

        `subject` names the owner as an administrator does, where the machine's words do not.
        """
        self.progress()
        try:
            yield
        except HostError as error:
            self.fail(owner, f"{subject}: {error}" if subject else str(error), code)

    def fail(self, owner: str, message: str, code: str = errors.INTERNAL) -> None:
        """Note a failure; the first of an owner counts."""
        self.memory.faults.add(self.stage, owner, Fault(code, message))

    def block(self, owner: str, because: str) -> bool:
        """Fail `owner` if `because` failed, for the same reason. Return whether it did."""
        fault = self.memory.faults.get(because)
        if fault and owner not in self.memory.faults:
            self.memory.faults.add(self.stage, owner, fault._replace(blocked=True))
        return fault is not None

    def apply(self, steps: Sequence[plan.Step]) -> list[plan.Failure]:
        """Print and run a plan; failures are noted under their owners."""
        for step in steps:
            log.info("%s", step.text)
        self.changes += len(steps)
        failures = plan.apply(self.host, steps, self.progress)
        for failure in failures:
            log.warning("failed: %s", failure)
            if failure.step.owner:
                self.fail(failure.step.owner, str(failure.error))
        return failures

    def did(self, text: str) -> None:
        """Print something that was done."""
        self.changes += 1
        log.info("%s", text)

    def known(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return what is observed of all objects of a kind, to be changed in place."""
        if kind not in self.seen:
            rows = observed.load(self.session, kind, node_uuid=self.node_uuid)
            self.seen[kind] = {key: dict(row.data) for key, row in rows.items()}
        return self.seen[kind]

    def load_facts(self, kind: str, keys: Iterable[str]) -> None:
        """Load what is observed of some objects at once, for `fact`."""
        if kind not in self.seen:
            missing = [key for key in keys if (kind, key) not in self.facts]
            rows = observed.load_some(self.session, self.node_uuid, kind, missing)
            self.facts |= {(kind, key): dict(row.data) for key, row in rows.items()}

    def fact(self, kind: str, key: str) -> dict[str, Any]:
        """Return what is observed of one object, to be changed in place."""
        if kind in self.seen:
            return self.seen[kind].setdefault(key, {})
        facts = self.facts.get((kind, key))
        if facts is None:
            row = observed.load_one(self.session, self.node_uuid, kind, key)
            facts = self.facts[kind, key] = dict(row.data) if row else {}
        return facts

    def drop_fact(self, kind: str, key: str) -> None:
        """Have nothing observed of an object any more."""
        if kind in self.seen:
            self.seen[kind].pop(key, None)
        else:
            self.facts[kind, key] = None
