"""A whole array in one process: the API, the reconciler and a kernel in memory.

A request runs the reconciler to its end before it answers, in the same thread, so that a test can
kill it at any single step, reboot the machine, and look at everything afterwards. `snapshot` and
`load` keep and bring back a whole array, disks and database, in milliseconds.
"""

from __future__ import annotations

import functools
import shutil
import sqlite3
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import empty_database
import pytest
from alike_databases import NO_WAITING
from frozen import Frozen
from werkzeug.test import TestResponse

from fakes import FakeKernel, Killed
from fakes.files import Text
from sanstone.core import jobs, places, secrets
from sanstone.core.database import store
from sanstone.http.app import create_app
from sanstone.kernel.network import firewall
from sanstone.model.cluster import Cluster
from sanstone.model.nodes import Node
from sanstone.model.security import Account
from sanstone.reconcile.database_sink import DatabaseSink
from sanstone.reconcile.identity import Identity
from sanstone.reconcile.long_jobs.kinds import KINDS, STORAGE, SUPPORT, UPDATE
from sanstone.reconcile.long_jobs.task import Task
from sanstone.reconcile.loop import THOROUGH_PERIOD, Reconciler
from sanstone.reconcile.modules import prepare
from sanstone.reconcile.sink import Sink
from sanstone.reconcile.stages.disks import DisksMemory
from sanstone.reconcile.tasks.disk_reader import DiskReader, Readings
from sanstone.reconcile.tasks.error_reader import ErrorReader, ErrorsMemory
from sanstone.reconcile.tasks.fabric_asker import FabricAsker, FabricsMemory
from sanstone.reconcile.tasks.measurer import Measurer
from sanstone.reconcile.tasks.path_prober import PathMtus, PathProber
from sanstone.reconcile.tasks.sensor_reader import ControllerMemory, SensorReader
from sanstone.security import password_hashes
from sanstone.support.main import KINDS as BUNDLES
from sanstone.system import packages, slot_report

LOGIN = ("admin", "a password")
NODE_UUID = "11111111-2222-4333-8444-555555555555"
FIREWALL = (Path(__file__).parents[2] / f"overlay{firewall.FILE}").read_text()
PASSES = 8
"""Passes after which an array that still wants another one is taken not to converge."""


class Numbers:
    """UUIDs and serial numbers in a fixed order, so that two runs can be compared."""

    def __init__(self) -> None:
        self.next = 1

    def uuid4(self) -> uuid.UUID:
        """Return the next UUID."""
        self.next += 1
        return uuid.UUID(int=self.next << 96 | 4 << 76 | 8 << 60 | self.next)

    def token_hex(self, size: int) -> str:
        """Return the next token of `size` bytes."""
        self.next += 1
        return f"{self.next:0{2 * size}x}"


@dataclass
class Snapshot:
    """An array at rest, with the reconciler that runs on it, or without one."""

    kernel: FakeKernel
    folder: Path
    number: int
    reconciler: Reconciler | None = None
    frozen: Frozen | None = None
    """Kernel and reconciler, once they have been brought back."""


@dataclass
class StartingPoint:
    """An array that others are copies of."""

    folder: tempfile.TemporaryDirectory[str]
    """It is deleted at the end of the process."""
    array: Simulator
    frozen: Frozen
    """Kernel, reconciler and the result of `begin`, such as the disk of the system."""


class Simulator:
    """An array to talk to, or a node of one. Paths are without `/api/`."""

    node_uuid = NODE_UUID

    def __init__(
        self, folder: Path, numbers: Numbers, starting_point: StartingPoint | None = None
    ) -> None:
        self.folder = folder
        self.numbers = numbers
        self.tasks_run = True
        """Whether long jobs that the reconciler starts run as soon as the pass is over."""
        self.sink: Sink | None = None
        """Takes the reports of the next reconciler, in the place of the database."""
        self.disks_are_read = False
        """Whether disks and shelves are read after each pass, as their thread does."""
        self.kinds = {**KINDS, **BUNDLES}
        self.progress: Callable[[], object] = lambda: None
        """The reconciler calls it between steps."""
        self.after_tasks: Callable[[], None] = lambda: None
        self.begin_result: Any = None
        """The result of `begin`, copied for this array (`simulated`)."""
        self._in_task = False
        self.database = store.engine(store.path())
        if starting_point is None:
            self._deliver()
        else:
            self._go_on(starting_point)
        self.client = create_app().test_client()

    def _deliver(self) -> None:
        """Be an array as it is after its first boot."""
        self.kernel = FakeKernel()
        self.kernel.files.mkdir("/var/lib/sanstone")
        places.database_directory().mkdir()
        places.api_directory().mkdir()
        self._boot()
        secrets.key_path().write_bytes(secrets.new_key())
        places.node_identity().write_text(NODE_UUID)
        store.path().write_bytes(empty_database.content())
        with store.writing(self.database) as session:
            session.add(Cluster(name="array", serial_number="5a" * 16))
            session.add(Node(uuid=NODE_UUID, number=1, name="array-01"))
            session.add(Account(name=LOGIN[0], password=password_hashes.hash_password(LOGIN[1])))
        self.start()
        self.settle()

    def _go_on(self, starting_point: StartingPoint) -> None:
        """Be a copy of another array, which runs."""
        shutil.copytree(starting_point.folder.name, self.folder, symlinks=True, dirs_exist_ok=True)
        self.numbers.next = starting_point.array.numbers.next
        self.disks_are_read = starting_point.array.disks_are_read
        database = store.distrusted(self.database)
        self.kinds = dict(starting_point.array.kinds)
        copied = starting_point.frozen.copy((self, database))
        self.kernel, reconciler, self.after_tasks, self.begin_result = copied
        # The file is another one, as which it has to be recognized.
        reconciler._identity = Identity(self.kernel.host, database, store.path(), NODE_UUID)
        self._resume(reconciler)

    def start(self) -> None:
        """Start the reconciler's process anew."""
        prepare(self.kernel.host)
        database = store.distrusted(self.database)
        host, file = self.kernel.host, store.path()
        sink = self.sink or DatabaseSink(database)
        self._run_beside(Reconciler(host, database, file, self.node_uuid, sink, self._progress))

    def _resume(self, reconciler: Reconciler) -> None:
        """Go on with a copied reconciler, for which no time has passed since it was kept."""
        reconciler.memory.started = time.monotonic()  # noqa: TID251 - the clock of the test
        reconciler._thorough_at = reconciler.memory.started + THOROUGH_PERIOD
        self._run_beside(reconciler)
        # Readings of shelves count for some minutes only.
        self._read_disks()

    def _run_beside(self, reconciler: Reconciler) -> None:
        """Have the programs beside a reconciler work with its memory."""
        self.reconciler = reconciler
        self.measurer = Measurer(self.kernel.host, self.database)
        self.disk_reader = DiskReader(self.kernel.host, self.reconciler.memory.of(Readings))
        self.sensor_reader = SensorReader(
            self.kernel.host, self.reconciler.memory.of(ControllerMemory)
        )
        self.error_reader = ErrorReader(self.kernel.host, self.reconciler.memory.of(ErrorsMemory))
        self.path_prober = PathProber(self.kernel.host, self.reconciler.memory.of(PathMtus))
        self.fabric_asker = FabricAsker(self.kernel.host, self.reconciler.memory.of(FabricsMemory))

    def _progress(self) -> None:
        self.progress()

    def _boot(self) -> None:
        """Do as the system image before the reconciler starts: sanstone-firewall.service."""
        self.kernel.files.place(firewall.FILE, Text(FIREWALL))
        self.kernel.host.commands.run(["nft", "--file", "-"], stdin=FIREWALL)

    def settle(self) -> None:
        """Run the reconciler until it wants no other pass."""
        self._run(quick=False)

    def wake(self) -> None:
        """Do as the reconciler when the API, or the end of a long job, wakes it."""
        if not self._in_task:
            self._run(quick=True)

    def _run(self, *, quick: bool) -> None:
        with self.itself():
            for _ in range(PASSES):
                again = self.reconciler.run(quick=quick)
                self._read_disks()
                if not self.work_off() and not again:
                    return
        raise AssertionError(f"not settled after {PASSES} passes")

    @contextmanager
    def itself(self) -> Iterator[None]:
        """Have this process be on this node, of those that it simulates.

        Of one alone it is always: threads that serve requests read the file meanwhile.
        """
        before = places.node_identity().read_text()
        if before == self.node_uuid:
            yield
            return
        places.node_identity().write_text(self.node_uuid)
        try:
            yield
        finally:
            places.node_identity().write_text(before)

    def _read_disks(self) -> None:
        if self.disks_are_read:
            self.disk_reader.look_at(self.reconciler.memory.of(DisksMemory).present)
            self.disk_reader.read()

    def work_off(self) -> bool:
        """Run the long jobs that were started. Return whether there were any."""
        ran = False
        templates = tuple(f"{template}@" for template in (STORAGE, SUPPORT, UPDATE))
        while self.tasks_run and (unit := self.kernel.services.take(*templates)):
            self._in_task = ran = True
            try:
                uuid = unit.partition("@")[2].removesuffix(".service")
                database = store.distrusted(self.database)
                Task(self.kernel.host, database, uuid, self.kinds).run()
            finally:
                self._in_task = False
            self.after_tasks()
        return ran

    def measure(self) -> None:
        """Measure the space of snapshots, in each pool if it is due."""
        self.measurer.measure()

    def read_disks(self) -> None:
        """From now on read disks and shelves, and have the reconciler take it in."""
        self.disks_are_read = True
        for _ in range(2):
            self.settle()

    def read_hardware(self) -> None:
        """Read sensors and errors that are due, and have them taken in."""
        self.settle()
        self.sensor_reader.read()
        self.error_reader.read()
        self.settle()

    def probe_paths(self) -> None:
        """Look at how large packets pass to hosts, and have it taken in."""
        self.settle()
        self.path_prober.probe()
        self.settle()

    def ask_fabrics(self) -> None:
        """Ask the Fibre Channel fabrics that are due, and have it taken in."""
        self.settle()
        self.fabric_asker.ask()
        self.settle()

    def reboot(self) -> None:
        """Cut the power and start again."""
        self.kernel.reboot()
        self._boot()
        self.start()

    def recover(self) -> None:
        """Start the reconciler again after it was killed, and let it converge."""
        self.kernel.interrupt.clear()
        self.start()
        self.settle()

    def call(self, method: str, path: str, body: Any = None, **options: Any) -> TestResponse:
        """Send a request and return the response as it is."""
        with self.itself():
            return self.client.open(f"/api/{path}", method=method, json=body, auth=LOGIN, **options)

    def do(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Send a request that must succeed, its job too, and return the answer."""
        response = self.call(method, path, body)
        assert response.status_code < 300, response.get_data(as_text=True)
        answer: dict[str, Any] = response.get_json()
        if "job" in answer:
            job = self.call("GET", f"cluster/jobs/{answer['job']['uuid']}").get_json()
            assert job["state"] == "success", job
        return answer

    def make(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Create an object and return its record."""
        joint = "&" if "?" in path else "?"
        answer = self.do("POST", f"{path}{joint}return_records=true", body)
        record: dict[str, Any] = answer["records"][0]
        return record

    def get(self, path: str) -> dict[str, Any]:
        """Return the answer of GET."""
        return self.do("GET", path)

    def uuid_of(self, path: str, name: str) -> str:
        """Return the UUID of the one object of a collection that has a name."""
        (record,) = self.get(f"{path}?name={name}")["records"]
        return str(record["uuid"])

    def dump(self) -> str:
        """Return the machine's whole state as text."""
        return self.kernel.dump()

    def snapshot(self, folder: Path, *, running: bool = False) -> Snapshot:
        """Keep the array as it is, and if it shall be `running` its reconciler with its memory."""
        folder.mkdir()
        _copy_database(store.path(), folder / "sanstone.db")
        _copy_packages(packages.folder(), folder / "packages")
        frozen = self._frozen(self.kernel, self.reconciler if running else None)
        kernel, reconciler = frozen.copy()
        return Snapshot(kernel, folder, self.numbers.next, reconciler)

    def load(self, snapshot: Snapshot) -> None:
        """Bring a kept array back, running or with its reconciler's process started anew.

        The database's file stays the same one, as it must.
        """
        _copy_database(snapshot.folder / "sanstone.db", store.path())
        _copy_packages(snapshot.folder / "packages", packages.folder())
        if snapshot.frozen is None:
            snapshot.frozen = self._frozen(snapshot.kernel, snapshot.reconciler)
        self.kernel, reconciler = snapshot.frozen.copy()
        self.numbers.next = snapshot.number
        if reconciler is None:
            self.start()
        else:
            self._resume(reconciler)

    def _frozen(self, kernel: FakeKernel, reconciler: Reconciler | None) -> Frozen:
        """Freeze a kernel and the reconciler on it, both for this array and its database."""
        shared = (self, reconciler.database) if reconciler else (self,)
        return Frozen((kernel, reconciler), shared)

    def close(self) -> None:
        """Close the databases."""
        self.database.dispose()
        self.client.application.extensions["sanstone"].dispose()

    @contextmanager
    def killed(self, step: int, *, done: bool) -> Iterator[None]:
        """Kill the reconciler at a step of the code inside."""
        self.kernel.kill_after(step, done=done)
        try:
            yield
        except Killed:
            return
        finally:
            self.kernel.interrupt.clear()


def commits(watcher: sqlite3.Connection) -> int:
    """Return a number that changes when another connection commits (SQLite's data_version)."""
    return int(watcher.execute("PRAGMA data_version").fetchone()[0])


def _copy_database(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        new.execute(f"PRAGMA {NO_WAITING}")
        old.backup(new)


def _copy_packages(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    if source.exists():
        shutil.copytree(source, target)


Begin = Callable[[Simulator], Any]
"""Prepares a newly delivered array; it may return objects besides the array."""


@dataclass(frozen=True)
class Chain:
    """Steps that are done to an array one after the other. Those that are alike are equal."""

    steps: tuple[Begin, ...]

    def __call__(self, array: Simulator) -> None:
        """Do all steps."""
        for step in self.steps:
            step(array)


@contextmanager
def simulated(folder: Path, begin: Begin | None = None) -> Iterator[Simulator]:
    """Give an array whose API wakes its reconciler in the same thread.

    It begins as it is delivered, or as `begin` leaves it. Either is built once in a process, and
    each array is a copy of that; the result of `begin` is copied with it, to `begin_result`. Chains
    with the same first step begin with a copy of the array after that step.
    """
    starting_point = _starting_point(begin)
    with _patched(folder) as numbers:
        array = Simulator(folder, numbers, starting_point)
        with _waking(array):
            yield array


@functools.cache
def _starting_point(begin: Begin | None) -> StartingPoint:
    """Return the array whose copies begin as `begin` leaves it."""
    first, then = None, begin
    if isinstance(begin, Chain) and len(begin.steps) > 1:
        first, then = begin.steps[0], Chain(begin.steps[1:])
    folder = tempfile.TemporaryDirectory()
    with _patched(Path(folder.name)) as numbers:
        array = Simulator(Path(folder.name), numbers, begin and _starting_point(first))
        with _waking(array):
            result = None
            if then:
                result = then(array)
                array.settle()
    running = array.reconciler
    whole = array.kernel, running, array.after_tasks, result
    return StartingPoint(folder, array, Frozen(whole, (array, running.database)))


@contextmanager
def _patched(folder: Path) -> Iterator[Numbers]:
    """Have everything of an array be in a folder, with numbers of its own."""
    numbers = Numbers()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SANSTONE_STATE", str(folder))
        patch.setenv("SANSTONE_RUN", str(folder))
        patch.setattr(slot_report, "RAUC_CONFIGURATION", folder / "rauc.conf")
        patch.setattr(uuid, "uuid4", numbers.uuid4)
        patch.setattr("sanstone.core.names.secrets.token_hex", numbers.token_hex)
        yield numbers


@contextmanager
def _waking(array: Simulator) -> Iterator[None]:
    """Have the API wake an array's reconciler, and close its databases at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "wake", array.wake)
        yield
        array.close()
