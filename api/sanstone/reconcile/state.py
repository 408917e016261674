"""A pass of the reconciler, and what it remembers from one pass to the next.

A pass compares what is wanted (rows of the database) with what is (the kernel) and makes the
machine agree, in stages: disks, RAID, pools, thin devices, network, targets; then what goes, the
other way round. It takes no input but the database and the machine, so it may be killed anywhere:
the next pass mends whatever it finds, and a boot is nothing special.

Rules:

* A stage never lets one object's failure stop another's. `attempt` notes a failure under its owner;
  `block` hands it on to what depends on it.
* Data is destroyed for a `Removal` only, never because a row is absent.
* `Memory` only saves reading. A full pass drops it and reads everything again; so does a failure,
  for what it touched.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import errors, observed
from sanstone.core.change import Removal
from sanstone.core.long_jobs import LongJob
from sanstone.kernel import plan
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.network import net
from sanstone.kernel.network.firewall import Table
from sanstone.kernel.storage.block import Disk
from sanstone.kernel.storage.dm import ThinDevice
from sanstone.kernel.target import configfs
from sanstone.kernel.target.configfs import Tree
from sanstone.resources.network.ip_interface import IpInterface

log = logging.getLogger("sanstone.reconciler")


@dataclass
class Memory:
    """What the last passes found. `disks` is None when they must be looked for again."""

    disks: dict[str, Disk] | None = None
    pools: dict[str, int] = field(default_factory=dict)
    """Active aggregates, with the number of their RAID groups."""
    devices: dict[str, ThinDevice] = field(default_factory=dict)
    trees: dict[str, Tree] = field(default_factory=dict)
    """The kernel's targets as last read, `nvmet` and `lio`."""
    served: dict[str, object] = field(default_factory=dict)
    """What each of these trees was last made to serve, in full."""
    network: tuple[object, net.State] | None = None
    """What the network was last made to be, and what it was then."""
    firewall: Table | None = None
    """What connections were last allowed by LIFs."""
    next_observed: int = 0
    """The device from which on the next pass reads how much of the pool is used."""
    started: float = field(default_factory=time.monotonic)

    def forget(self) -> None:
        """Drop what saves reading, so that the next pass reads the machine."""
        self.disks = None
        self.pools.clear()
        self.devices.clear()
        self.trees.clear()
        self.served.clear()
        self.network = None
        self.firewall = None


@dataclass
class Pass:
    """One pass. `session` reads the wanted rows as they were when it began."""

    host: Host
    session: Session
    memory: Memory
    full: bool
    quick: bool
    """Whether the API alone asked for the pass: what only others change is not read again."""
    removals: Sequence[Removal]
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By owner: ONTAP's error code and a message."""
    blocked: set[str] = field(default_factory=set)
    """Owners that failed only because of another, whose event tells of it."""
    conditions: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    irreversible: set[str] = field(default_factory=set)
    """Owners of which data is gone, or whose pool has grown."""
    finished: list[str] = field(default_factory=list)
    """Removals that are done."""
    orders: list[LongJob] = field(default_factory=list)
    """Long jobs to be begun, and `ended` those whose end was taken in, by UUID."""
    ended: list[str] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    """Owners that wait for a long job."""
    seen: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """By kind and key: what this pass observed."""
    lifs: Sequence[IpInterface] | None = None
    """The LIFs that are sound; see `network.interfaces`."""
    ready: set[str] = field(default_factory=set)
    """LUNs and namespaces, by UUID, that can be exported now."""
    resized: set[str] = field(default_factory=set)
    """Devices whose table changed in this pass."""
    disks_changed: bool = False
    """Whether the use of disks changed. They are looked at again at the end of the pass, and not
    before, since all of it goes by where they are."""
    changes: int = 0

    @contextmanager
    def attempt(self, owner: str, code: str = errors.INTERNAL, subject: str = "") -> Iterator[None]:
        """Note a refusal of the machine as the failure of `owner` and go on.

        `subject` names the owner as an administrator does, where the machine's words do not.
        """
        try:
            yield
        except HostError as error:
            self.fail(owner, f"{subject}: {error}" if subject else str(error), code)

    def fail(self, owner: str, message: str, code: str = errors.INTERNAL) -> None:
        """Note a failure; the first of an owner counts."""
        self.failures.setdefault(owner, (code, message))

    def block(self, owner: str, because: str) -> bool:
        """Fail `owner` if `because` failed, for the same reason. Return whether it did."""
        if because in self.failures and owner not in self.failures:
            self.failures[owner] = self.failures[because]
            self.blocked.add(owner)
        return because in self.failures

    def apply(self, steps: Sequence[plan.Step]) -> list[plan.Failure]:
        """Print and run a plan; failures are noted under their owners."""
        for step in steps:
            log.info("%s", step.text)
        self.changes += len(steps)
        failures = plan.apply(self.host, steps)
        for failure in failures:
            log.warning("failed: %s", failure)
            if failure.step.owner:
                self.fail(failure.step.owner, str(failure.error))
        return failures

    def serve(
        self,
        name: str,
        wanted: object,
        read: Callable[[Host], Tree],
        render: Callable[[], Tree],
    ) -> bool:
        """Make a target's tree that of `wanted`. Return whether the tree had to be read first.

        What is served in full already costs nothing but a comparison.
        """
        memory = self.memory
        fresh = name not in memory.trees
        known = self.tree(name, read)
        if fresh or memory.served.get(name) != wanted:
            if self.apply(configfs.plan(known, render())):
                del memory.trees[name]
                memory.served.pop(name, None)
            else:
                memory.served[name] = wanted
        return fresh

    def tree(self, name: str, read: Callable[[Host], Tree]) -> Tree:
        """Return a target's live tree."""
        if name not in self.memory.trees:
            self.memory.trees[name] = read(self.host)
        return self.memory.trees[name]

    def did(self, text: str) -> None:
        """Print something that was done."""
        self.changes += 1
        log.info("%s", text)

    def known(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return what is observed of a kind, to be changed in place by this pass."""
        if kind not in self.seen:
            rows = observed.load(self.session, kind)
            self.seen[kind] = {key: dict(row.data) for key, row in rows.items()}
        return self.seen[kind]
