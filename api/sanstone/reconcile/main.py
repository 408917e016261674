"""`sanstone-reconciler`: the process around the loop.

It runs a pass when the API wakes it, when the kernel says that a disk or a link came or went, and
every few seconds. systemd watches it: `READY=1` after the first pass, which at a boot is when hosts
are served again, and a keep-alive after each. A failure of a single object never ends it; a wrong
database does, before anything is touched.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import selectors
import shutil
import signal
import socket
import sys
from collections.abc import Callable
from typing import IO

from sanstone.core import jobs, store
from sanstone.kernel.real import real_host
from sanstone.reconcile.identity import WrongDatabase
from sanstone.reconcile.loop import Reconciler
from sanstone.reconcile.modules import prepare
from sanstone.reconcile.tasks.configuration import Copier
from sanstone.reconcile.tasks.event_forwarder import Forwarder
from sanstone.reconcile.tasks.measurer import Measurer

PERIOD = 5.0
"""Seconds between passes when nothing happens."""
NETLINK_KOBJECT_UEVENT = 15
UEVENT_GROUP = 1
"""The kernel's own multicast group of NETLINK_KOBJECT_UEVENT (lib/kobject_uevent.c)."""
log = logging.getLogger("sanstone.reconciler")


def main() -> None:
    """Run until told to stop."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    file = store.path()
    lock = _only_one()
    host = real_host()
    try:
        prepare(host)
        database = store.distrusted(store.engine(file))
        reconciler = Reconciler(host, database, file)
        copier, measurer = Copier(host, file), Measurer(host, database)
        _run(
            reconciler,
            lambda: copier.run(reconciler.memory.pools),
            Forwarder(database).run,
            lambda: measurer.run(reconciler.memory.pools),
        )
    except (WrongDatabase, store.ForeignValue) as error:
        log.error("stopped before anything was changed: %s", error)
        sys.exit(1)
    finally:
        lock.close()


def _run(reconciler: Reconciler, *beside: Callable[[], None]) -> None:
    """Run passes, and after each what stands beside them and returns soon."""
    stopping = False

    def stop(_signal: int, _frame: object) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with selectors.DefaultSelector() as selector, _wake_socket() as wake, _uevents() as uevents:
        selector.register(wake, selectors.EVENT_READ)
        selector.register(uevents, selectors.EVENT_READ)
        ready = quick = False
        while not stopping:
            while reconciler.run(quick=quick) and not stopping:
                continue
            for work in beside:
                work()
            _notify("WATCHDOG=1" if ready else "READY=1")
            ready = True
            happened = [key.fileobj for key, _ in selector.select(PERIOD)]
            quick = happened == [wake]
            _drain(wake)
            if _drain(uevents):
                reconciler.rescan()


def _only_one() -> IO[str]:
    """Take the lock that makes this the single writer. Exits when another process holds it."""
    lock = jobs.wake_path().with_name("reconciler.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("another reconciler runs already")
    return lock


def _wake_socket() -> socket.socket:
    """Return the socket on which the API says that there is work."""
    path = jobs.wake_path()
    path.unlink(missing_ok=True)
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    receiver.bind(str(path))
    shutil.chown(path, group="sanstone")
    path.chmod(0o660)
    return receiver


def _uevents() -> socket.socket:
    """Return a socket on which the kernel tells of devices that come and go."""
    receiver = socket.socket(
        socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT
    )
    receiver.bind((0, UEVENT_GROUP))
    return receiver


def _drain(receiver: socket.socket) -> bool:
    """Read all that is there. Return whether a disk is among it, or news were lost."""
    disk = False
    while True:
        try:
            message = receiver.recv(65536)
        except BlockingIOError:
            return disk
        except OSError as error:
            if error.errno != errno.ENOBUFS:
                raise
            return True
        disk |= _is_disk(message)


def _is_disk(message: bytes) -> bool:
    """Tell a disk from the devices that we make ourselves (dm, md) and from all else."""
    fields = message.split(b"\0")
    return (
        b"DEVTYPE=disk" in fields
        and not fields[0].startswith(b"change@")
        and b"/virtual/" not in fields[0]
    )


def _notify(message: str) -> None:
    """Tell systemd (sd_notify(3)); without NOTIFY_SOCKET nobody listens."""
    path = os.environ.get("NOTIFY_SOCKET")
    if path:
        address = "\0" + path[1:] if path.startswith("@") else path
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(message.encode(), address)
