"""`sanstone-reconciler`: the process around the loop.

It does a turn when the API wakes it, when the kernel says that a disk or a link came or went, and
every few seconds. systemd watches it (`keep_alive`): it is ready after the first turn, which at a
boot is when hosts are served again. A failure of a single object never ends it; a wrong
database does, before anything is touched.
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

from sanstone.core import job_ends, jobs, places, store
from sanstone.kernel import programs
from sanstone.kernel.host import Host, LockedError, MissingPrograms
from sanstone.kernel.real import real_host
from sanstone.reconcile.identity import WrongDatabase
from sanstone.reconcile.keep_alive import KeepAlive
from sanstone.reconcile.loop import Reconciler
from sanstone.reconcile.modules import prepare
from sanstone.reconcile.tasks.configuration import Copier
from sanstone.reconcile.tasks.event_forwarder import Forwarder
from sanstone.reconcile.turn import PERIOD

NETLINK_KOBJECT_UEVENT = 15
UEVENT_GROUP = 1
"""The kernel's own multicast group of NETLINK_KOBJECT_UEVENT (lib/kobject_uevent.c)."""
log = logging.getLogger("sanstone.reconciler")


def main() -> None:
    """Run until told to stop."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    host = real_host()
    keep_alive = KeepAlive()
    keep_alive.progress()
    try:
        # So that this is the single writer.
        with host.files.locked(str(places.run_directory() / "reconciler.lock"), wait=False):
            _begin(host, keep_alive)
    except LockedError:
        sys.exit("another reconciler runs already")
    except (MissingPrograms, WrongDatabase, store.ForeignValue) as error:
        log.error("stopped before anything was changed: %s", error)
        sys.exit(1)


def _begin(host: Host, keep_alive: KeepAlive) -> None:
    host.commands.require(programs.RECONCILER)
    prepare(host)
    keep_alive.progress()
    file = store.path()
    database = store.distrusted(store.engine(file))
    reconciler = Reconciler(host, database, file, keep_alive.progress)
    jobs.listen_for_waiters(_socket(host, job_ends.path(), socket.SOCK_STREAM))
    copier = Copier(host, file)
    _run(
        reconciler,
        keep_alive,
        lambda: copier.run(reconciler.memory.pools),
        Forwarder(database).run,
    )


def _run(reconciler: Reconciler, keep_alive: KeepAlive, *beside: Callable[[], None]) -> None:
    """Do turns, and after each what stands beside them and returns soon."""
    stopping = False

    def stop(_signal: int, _frame: object) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with (
        selectors.DefaultSelector() as selector,
        _wake_socket(reconciler.host) as wake,
        _uevents() as uevents,
    ):
        selector.register(wake, selectors.EVENT_READ)
        selector.register(uevents, selectors.EVENT_READ)
        quick = False
        while not stopping:
            if not quick:
                look_at = time.monotonic() + PERIOD
            while reconciler.run(quick=quick) and not stopping:
                continue
            for work in beside:
                work()
                keep_alive.progress()
            keep_alive.ready()
            selector.select(max(0.0, look_at - time.monotonic()))
            _drain(wake)
            news = _drain(uevents)
            if News.DISK in news:
                reconciler.rescan()
            quick = not news and time.monotonic() < look_at


def _wake_socket(host: Host) -> socket.socket:
    """Return the socket on which the API says that there is work."""
    return _socket(host, jobs.wake_path(), socket.SOCK_DGRAM)


def _socket(host: Host, path: Path, kind: socket.SocketKind) -> socket.socket:
    """Return a socket that the API can send to."""
    return host.files.bind_socket(str(path), kind, grp.getgrnam("sanstone").gr_gid)


def _uevents() -> socket.socket:
    """Return a socket on which the kernel tells of devices that come and go."""
    receiver = socket.socket(
        socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT
    )
    receiver.bind((0, UEVENT_GROUP))
    return receiver


class News(Flag):
    """What the kernel tells that a turn shall look at."""

    DISK = auto()
    """A disk came or went, or was lost sight of: messages were dropped."""
    OTHER = auto()
    """A RAID group changed, or a port came or went."""


def _drain(receiver: socket.socket) -> News:
    """Read all that is there, and return what of it concerns a turn."""
    news = News(0)
    while True:
        try:
            message = receiver.recv(65536)
        except BlockingIOError:
            return news
        except OSError as error:
            if error.errno != errno.ENOBUFS:
                raise
            return news | News.DISK
        news |= news_of(message)


def news_of(message: bytes) -> News:
    """Return what a uevent tells (lib/kobject_uevent.c: `<action>@<devpath>`, then variables).

    Devices of device-mapper are our own work and tell nothing; nor does a change of a disk, as
    when somebody has opened it for writing.
    """
    action, *variables = message.split(b"\0")
    is_virtual = b"/virtual/" in action
    if b"DEVTYPE=disk" in variables and not is_virtual:
        return News(0) if action.startswith(b"change@") else News.DISK
    if b"/virtual/block/md" in action:
        return News.OTHER
    if {b"SUBSYSTEM=net", b"SUBSYSTEM=fc_host"} & set(variables):
        return News.OTHER
    return News(0)
