"""The array that is fuzzed, an SVM on it to keep secret, and the actors that call.

A sequence begins with an array that is kept and brought back: a small one, on which requests are
quick, or one with an example of everything. UUIDs are derived from the number of their request, so
that leaving out other requests changes none.
"""

from __future__ import annotations

import logging
import signal
import sqlite3
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import FrameType

import pytest
from examples import GIB, MIB, PRIMARY, Body
from furnished_array import FurnishedArray
from installed import installed_array
from passwords import hashed_quickly
from patience import patiently
from simulator import LOGIN, Simulator, Snapshot, simulated
from sqlalchemy import Engine, select
from standing_clock import Clock, standing
from werkzeug.test import TestResponse

from fuzz.objects import Object, Objects
from fuzz.request import Request, Trouble
from sanstone.core import jobs
from sanstone.core.database import store
from sanstone.kernel.host import HostError
from sanstone.model.activity import ActivityBase
from sanstone.model.security import Account, Failures
from sanstone.resources.declared import RESOURCES
from sanstone.security import activity, password_hashes

PASSWORD = "A long pass phrase 1"
TENANT_SVM, HIDDEN = "svm1", "foreign"
"""The SVM of the account `tenant`, and one that is hidden from it. Names of that one's objects
contain its name."""
LOGINS = {
    "admin": LOGIN,
    "tenant": (f"{TENANT_SVM}\\tenant", PASSWORD),
    "watcher": ("watcher", PASSWORD),
    "stranger": ("mallory", "a wrong password"),
}
"""Name and password by actor; `nobody` sends none."""
HANGS_AFTER, STANDS_AFTER = 60.0, 1800.0
"""Seconds after which a request is taken to hang: of the processor, where most take a hundredth,
and of the clock, for one that only waits. A busy machine lets one wait that will go on."""
NUMBERS_OF_A_REQUEST = 5000
BETWEEN = 10.0
"""Seconds between two requests for the delay of failed logins, however quick the machine is: all
actors have one address, and one that fails must not keep out the others."""


class Hang(BaseException):
    """A request does not end. Nothing on the way may take this for an error of its own."""


class Tracebacks(logging.Handler):
    """Keeps the application's log of its own errors."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.texts.append(self.format(record))


@dataclass(frozen=True)
class Beginning:
    """An array to begin with, its objects, and the UUIDs of the actors' accounts."""

    kept: Snapshot
    objects: Objects
    accounts: dict[str, str]


class FuzzedArray:
    """The array; `sent` counts requests by actor, method and status.

    `called_for` are the answers with a 5xx that were right, each with its request.
    """

    def __init__(self, simulator: Simulator, folder: Path, clock: Clock) -> None:
        self.simulator = simulator
        self._clock = clock
        self.sent: Counter[tuple[str, str, int]] = Counter()
        self.called_for: list[str] = []
        self.tracebacks = Tracebacks()
        self._folder = folder
        self._empty = simulator.snapshot(folder / "empty")
        self.begin(furnished=False)

    @cached_property
    def _small(self) -> Beginning:
        self.simulator.load(self._empty)
        installed_array(self.simulator)
        self._make_some()
        return self._kept_as(self._folder / "small", FurnishedArray(self.simulator))

    @cached_property
    def _furnished(self) -> Beginning:
        self.simulator.load(self._empty)
        array = FurnishedArray(self.simulator)
        array.furnish()
        return self._kept_as(self._folder / "furnished", array)

    def begin(self, *, furnished: bool) -> None:
        """Bring back one of the arrays to begin with; each is created at its first use."""
        beginning = self._furnished if furnished else self._small
        self.simulator.load(beginning.kept)
        self._accounts = beginning.accounts
        with store.writing(activity.engine()) as session:
            for table in ActivityBase.metadata.sorted_tables:
                session.execute(table.delete())
        self.simulator.settle()
        self.objects = beginning.objects.copy()
        self.tracebacks.texts.clear()

    def send(self, request: Request) -> TestResponse | None:
        """Send a request, with its trouble; None when there was nobody left to answer.

        Raises Hang when it does not end.
        """
        simulator = self.simulator
        self._clock.now += BETWEEN
        simulator.numbers.next = (request.number + 1) * NUMBERS_OF_A_REQUEST
        self.tracebacks.texts.clear()
        if request.trouble in (Trouble.KILLED, Trouble.POWER_CUT):
            response = None
            with simulator.killed(request.step, done=request.trouble is Trouble.KILLED):
                response = self._sent(request)
            if request.trouble is Trouble.POWER_CUT:
                simulator.kernel.reboot()
            with _watched():
                simulator.recover()
            return response
        if request.trouble is Trouble.REFUSED:
            self._refuse(request.step)
        try:
            return self._sent(request)
        finally:
            simulator.kernel.interrupt.clear()
            if request.trouble:
                simulator.settle()

    def ask(self, method: str, path: str, actor: str = "admin") -> TestResponse:
        """Send a request of ours, to look at the result of another."""
        with _watched():
            headers = _authorization(actor)
            response = self.simulator.client.open(f"/api/{path}", method=method, headers=headers)
        self.sent["ours", method, response.status_code] += 1
        return response

    def readmit(self) -> None:
        """Let in again actors that were locked out, or got another password.

        An administrator who deleted its own account, beside another one, has it back.
        """
        with store.writing(self.simulator.database) as session:
            for actor, uuid in self._accounts.items():
                row = session.get(Account, uuid)
                if row is None and actor == "admin":
                    same_name = select(Account).filter_by(owner_uuid="", name=LOGIN[0])
                    row = session.scalar(same_name) or Account(uuid=uuid, name=LOGIN[0])
                    session.add(row)
                if row is not None:
                    role, applications = row.role, row.applications
                    row.readmit(password_hashes.hash_password(LOGINS[actor][1]))
                    if actor != "admin":
                        row.role, row.applications = role, applications
                    row.former = []
            for failure in session.scalars(select(Failures)):
                session.delete(failure)

    def _sent(self, request: Request) -> TestResponse:
        headers = _authorization(request.actor) | request.headers
        with _watched():
            response = self.simulator.client.open(
                request.path,
                method=request.method,
                data=None if request.body is None else request.body.encode("utf-8", "replace"),
                content_type=None if request.body is None else "application/json",
                headers=headers,
            )
        self.sent[request.actor, request.method, response.status_code] += 1
        return response

    def _refuse(self, number: int) -> None:
        """Refuse one operation, and it alone, as long as the request is under way."""
        steps: list[str] = []

        def refuse(step: str) -> bool:
            steps.append(step)
            return step == steps[number - 1] if len(steps) >= number else False

        self.simulator.kernel.fail_when(refuse, HostError("refused by the test"))

    def _kept_as(self, folder: Path, array: FurnishedArray) -> Beginning:
        """Add the fuzzer's own objects to an array, and keep it."""
        self._make_hidden()
        self._make_accounts()
        self.simulator.settle()
        objects = self._look_around(array)
        return Beginning(self.simulator.snapshot(folder), objects, self._account_uuids())

    def _make_some(self) -> None:
        """Create the objects that most examples refer to."""
        owner: Body = {"svm.name": TENANT_SVM}
        objects: tuple[tuple[str, Body], ...] = (
            ("storage/aggregates", {"name": "aggr1", f"{PRIMARY}.disk_count": 4}),
            ("svm/svms", {"name": TENANT_SVM}),
            ("storage/volumes", owner | {"name": "vol1", "size": GIB}),
        )
        for path, body in objects:
            self.simulator.do("POST", path, body)

    def _make_hidden(self) -> None:
        """Make an SVM with something of each kind."""
        do, owner = self.simulator.do, {"svm.name": HIDDEN}
        device: Body = owner | {"os_type": "linux", "space.size": 64 * MIB}
        objects: tuple[tuple[str, Body], ...] = (
            ("svm/svms", {"name": HIDDEN, "iscsi.enabled": True, "nvme.enabled": True}),
            ("storage/qos/policies", owner | {"name": f"{HIDDEN}_limit"}),
            ("storage/volumes", owner | {"name": f"{HIDDEN}_vol", "size": GIB}),
            ("storage/luns", device | {"name": f"/vol/{HIDDEN}_vol/{HIDDEN}_lun"}),
            ("storage/namespaces", device | {"name": f"/vol/{HIDDEN}_vol/{HIDDEN}_ns"}),
            (
                "network/ip/interfaces",
                owner
                | {"name": f"{HIDDEN}_lif", "ip": {"address": "10.10.1.77", "netmask": "24"}}
                | {"location.home_port.name": "e0a", "service_policy.name": "default-data-blocks"},
            ),
            ("protocols/san/portsets", owner | {"name": f"{HIDDEN}_ports"}),
            ("protocols/san/igroups", owner | {"name": f"{HIDDEN}_group", "os_type": "linux"}),
            ("protocols/nvme/subsystems", owner | {"name": f"{HIDDEN}_sub", "os_type": "linux"}),
        )
        for path, body in objects:
            do("POST", path, body)

    def _make_accounts(self) -> None:
        """Make an account that may only look, and one of an SVM."""
        http = {"application": "http", "authentication_methods": ["password"]}
        common: Body = {"password": PASSWORD, "applications": [http]}
        body = {"name": "watcher", "role.name": "readonly"}
        self.simulator.do("POST", "security/accounts", common | body)
        body = {"name": "tenant", "owner.name": TENANT_SVM, "role.name": "vsadmin"}
        self.simulator.do("POST", "security/accounts", common | body)

    def _account_uuids(self) -> dict[str, str]:
        plain = {actor: name.rpartition("\\")[2] for actor, (name, _) in LOGINS.items()}
        del plain["stranger"]
        with store.reading(self.simulator.database) as session:
            rows = {row.name: row.uuid for row in session.scalars(select(Account))}
        return {actor: rows[name] for actor, name in plain.items()}

    def _look_around(self, furnished: FurnishedArray) -> Objects:
        """Return all objects; of those below others, only those below an example's."""
        objects = Objects()
        for resource in RESOURCES:
            below = resource.path.partition("/{")[0]
            there = "{" not in resource.path or below in furnished.places
            if resource.single or resource.path.endswith("/metrics") or not there:
                continue
            for record in furnished.records(resource.path):
                if known := Object.of(record):
                    objects.note(resource.path, known)
        return objects


def _authorization(actor: str) -> dict[str, str]:
    if actor not in LOGINS:
        return {}
    name, password = LOGINS[actor]
    return {"Authorization": f"Basic {b64encode(f'{name}:{password}'.encode()).decode()}"}


@contextmanager
def _watched() -> Iterator[None]:
    """Raise Hang when the code inside does not end. pytest's own time limit goes on after it."""

    def hang(_number: int, _frame: FrameType | None) -> None:
        raise Hang(f"no answer after {HANGS_AFTER:g} s of work, or {STANDS_AFTER:g} s")

    before = {number: signal.signal(number, hang) for number in (signal.SIGPROF, signal.SIGALRM)}
    timer, _ = signal.setitimer(signal.ITIMER_REAL, STANDS_AFTER)
    signal.setitimer(signal.ITIMER_PROF, HANGS_AFTER)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.setitimer(signal.ITIMER_REAL, timer)


def commits(watcher: sqlite3.Connection) -> int:
    """Return a number that changes when another connection commits (SQLite's data_version)."""
    return int(watcher.execute("PRAGMA data_version").fetchone()[0])


@contextmanager
def fuzzed_array(folder: Path) -> Iterator[FuzzedArray]:
    """Give the array, in a folder of its own."""
    waiting = jobs.wait

    def at_once(database: Engine, job_id: int, _seconds: float) -> jobs.Job:
        # The reconciler, which ends jobs, has run to its end already, in this very thread.
        return waiting(database, job_id, 0)

    with ExitStack() as stack:
        stack.enter_context(patiently())
        stack.enter_context(hashed_quickly())
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        clock = stack.enter_context(standing())
        array = FuzzedArray(stack.enter_context(simulated(folder)), folder, clock)
        patch.setattr(jobs, "wait", at_once)
        logger = logging.getLogger("sanstone")
        logger.addHandler(array.tracebacks)
        patch.setattr(logger, "propagate", False)
        try:
            yield array
        finally:
            logger.removeHandler(array.tracebacks)


@contextmanager
def watcher() -> Iterator[sqlite3.Connection]:
    """Give a connection that sees who else commits to the array's database."""
    with closing(sqlite3.connect(store.path())) as connection:
        yield connection
