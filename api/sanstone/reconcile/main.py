"""`sanstone-reconciler`: the process that runs the loop.

It runs a turn when the API wakes it, when the kernel reports that a disk or a link was added or
removed, and every few seconds. systemd supervises it (`keep_alive`): it is ready after the first
turn, which at a boot is when hosts are served again. A failure of a single object never ends the
process; a wrong database does, before anything is changed, and a damaged one, which is replaced
then (`damage`).
"""

from __future__ import annotations

import errno
import grp
import logging
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable
from enum import Flag, auto
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError

from sanstone.core import job_ends, jobs, own_node, places, tasks
from sanstone.core.database import store
from sanstone.core.tasks import Task
from sanstone.kernel import programs
from sanstone.kernel.host import Host, LockedError, MissingPrograms
from sanstone.kernel.real import real_host
from sanstone.reconcile import damage
from sanstone.reconcile.damage import DamagedDatabase
from sanstone.reconcile.database_sink import DatabaseSink
from sanstone.reconcile.identity import WrongDatabase
from sanstone.reconcile.keep_alive import KeepAlive
from sanstone.reconcile.loop import Reconciler
from sanstone.reconcile.modules import prepare
from sanstone.reconcile.stages.disks import DisksMemory
from sanstone.reconcile.stages.pools import PoolsMemory
from sanstone.reconcile.tasks.background import Background
from sanstone.reconcile.tasks.configuration import Copier
from sanstone.reconcile.tasks.disk_reader import DiskReader, Readings
from sanstone.reconcile.tasks.error_reader import ErrorReader, ErrorsMemory
from sanstone.reconcile.tasks.event_forwarder import Forwarder
from sanstone.reconcile.tasks.fabric_asker import FabricAsker, FabricsMemory
from sanstone.reconcile.tasks.isns_registrar import IsnsMemory, IsnsRegistrar
from sanstone.reconcile.tasks.name_resolver import NameResolver, NamesMemory
from sanstone.reconcile.tasks.path_prober import PathMtus, PathProber
from sanstone.reconcile.tasks.recorder import Recorder
from sanstone.reconcile.tasks.sensor_reader import ControllerMemory, SensorReader
from sanstone.reconcile.turn import PERIOD

NETLINK_KOBJECT_UEVENT = 15
UEVENT_GROUP = 1
"""The kernel's own multicast group of NETLINK_KOBJECT_UEVENT (lib/kobject_uevent.c)."""
log = logging.getLogger("sanstone.reconciler")


def main(keep_alive: KeepAlive) -> None:
    """Run until a signal stops the process."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    host = real_host()
    keep_alive.progress()
    try:
        # The lock ensures that there is one reconciler: it alone changes the machine.
        with host.files.locked(str(places.run_directory() / "reconciler.lock"), wait=False):
            _start(host, keep_alive)
    except LockedError:
        sys.exit("another reconciler runs already")
    except (MissingPrograms, WrongDatabase, store.ForeignValue) as error:
        log.error("stopped before anything was changed: %s", error)
        sys.exit(1)
    except (DamagedDatabase, DatabaseError) as error:
        _have_replaced(host, error)


def _have_replaced(host: Host, error: DamagedDatabase | DatabaseError) -> None:
    """Have a damaged database replaced, and end. Raises any other error."""
    if isinstance(error, DatabaseError) and not store.is_damage(error):
        raise error
    why = str(error.orig if isinstance(error, DatabaseError) else error)
    log.error("stopped, since the database is damaged; hosts are served on: %s", why)
    damage.report(host, why)
    sys.exit(1)


def _start(host: Host, keep_alive: KeepAlive) -> None:
    """Prepare the kernel, open the database, and run turns."""
    host.commands.require(programs.RECONCILER)
    prepare(host)
    keep_alive.progress()
    file = store.path()
    database = store.distrusted(store.engine(file))
    recorder = Recorder(host.files)
    progress, run_task, sink = keep_alive.progress, recorder.run, DatabaseSink(database)
    reconciler = Reconciler(host, database, file, own_node.uuid(), sink, progress, run_task)
    jobs.listen_for_waiters(_socket(host, job_ends.path(), socket.SOCK_STREAM))
    _run(reconciler, keep_alive, _background(host, database, file, reconciler, recorder))


def _background(
    host: Host, database: Engine, file: Path, reconciler: Reconciler, recorder: Recorder
) -> Callable[[], None]:
    """Return the function that wakes the tasks beside the turns, and returns at once.

    It raises DamagedDatabase once one of them has found that the database is so.
    """
    memory = reconciler.memory
    copier, disk_reader = Copier(host, file), DiskReader(host, memory.of(Readings))
    names = NameResolver(memory.of(NamesMemory))
    work: dict[Task, Callable[[], str | None]] = {
        tasks.CONFIGURATION: copier.work,
        tasks.EVENTS: Forwarder(database).deliver,
        tasks.DISKS: disk_reader.read,
        tasks.SENSORS: SensorReader(host, memory.of(ControllerMemory)).read,
        tasks.ERRORS: ErrorReader(host, memory.of(ErrorsMemory)).read,
        tasks.PATH_MTUS: PathProber(host, memory.of(PathMtus)).probe,
        tasks.ISNS: IsnsRegistrar(memory.of(IsnsMemory)).register,
        tasks.FABRICS: FabricAsker(host, memory.of(FabricsMemory)).ask,
        tasks.NAMES: lambda: names.resolve(time.monotonic()),
    }
    threads = [Background(task, recorder, does) for task, does in work.items()]

    def wake() -> None:
        copier.look_at(memory.of(PoolsMemory).groups)
        disk_reader.look_at(memory.of(DisksMemory).present)
        for thread in threads:
            thread.wake()

    return wake


def _run(reconciler: Reconciler, keep_alive: KeepAlive, wake_tasks: Callable[[], None]) -> None:
    """Run turns until a signal stops the process, and wake the tasks after each."""
    stopping = False

    def stop(_signal: int, _frame: object) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with (
        selectors.DefaultSelector() as selector,
        _wake_socket(reconciler.host) as wake,
        _uevent_socket() as uevents,
    ):
        selector.register(wake, selectors.EVENT_READ)
        selector.register(uevents, selectors.EVENT_READ)
        quick = False
        while not stopping:
            if not quick:
                look_due = time.monotonic() + PERIOD
            while reconciler.run(quick=quick) and not stopping:
                continue
            wake_tasks()
            keep_alive.ready()
            selector.select(max(0.0, look_due - time.monotonic()))
            _drain(wake)
            received = _drain(uevents)
            if Uevents.DISK in received:
                reconciler.rescan()
            quick = not received and time.monotonic() < look_due


def _wake_socket(host: Host) -> socket.socket:
    """Return the socket on which the API wakes the reconciler."""
    return _socket(host, jobs.wake_path(), socket.SOCK_DGRAM)


def _socket(host: Host, path: Path, kind: socket.SocketKind) -> socket.socket:
    """Return a bound socket to which the API may send."""
    return host.files.bind_socket(str(path), kind, grp.getgrnam("sanstone").gr_gid)


def _uevent_socket() -> socket.socket:
    """Return a socket on which the kernel reports added, removed and changed devices."""
    receiver = socket.socket(
        socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT
    )
    receiver.bind((0, UEVENT_GROUP))
    return receiver


class Uevents(Flag):
    """Kernel uevents that a turn must look at."""

    DISK = auto()
    """A disk was added or removed, or may have been: messages were dropped."""
    OTHER = auto()
    """A RAID group changed, or a port was added or removed or changed."""


def _drain(receiver: socket.socket) -> Uevents:
    """Read all pending messages, and return the uevents among them."""
    uevents = Uevents(0)
    while True:
        try:
            message = receiver.recv(65536)
        except BlockingIOError:
            return uevents
        except OSError as error:
            if error.errno != errno.ENOBUFS:
                raise
            return uevents | Uevents.DISK
        uevents |= uevents_of(message)


def uevents_of(message: bytes) -> Uevents:
    """Return the kind of a uevent, none for one that needs no turn.

    Its form is `<action>@<devpath>`, then variables (lib/kobject_uevent.c). Uevents of
    device-mapper are ignored, because the reconciler changes these devices itself; so are changes
    of a disk, as when somebody has opened it for writing.
    """
    action, *variables = message.split(b"\0")
    is_virtual = b"/virtual/" in action
    if b"DEVTYPE=disk" in variables and not is_virtual:
        return Uevents(0) if action.startswith(b"change@") else Uevents.DISK
    if b"/virtual/block/md" in action:
        return Uevents.OTHER
    if {b"SUBSYSTEM=net", b"SUBSYSTEM=fc_host"} & set(variables):
        return Uevents.OTHER
    return Uevents(0)
