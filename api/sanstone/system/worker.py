"""`sanstone-software`: does what `software_task` holds, one order after the other, and ends.

The reconciler starts it (`sanstone-software.service`) whenever there is an order, so that its own
passes are never delayed, and starts it again when it was killed: whatever was under way is begun
afresh. What a download left half-way is deleted; a slot that was left half-written is not booted,
since RAUC marked it bad before it wrote.

A package is fetched beside the others as `<uuid>.part`, looked at, and only then given the name
`<version>.raucb` by which it exists.
"""

from __future__ import annotations

import logging
import os
import shutil
import ssl
import sys
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from http.client import HTTPException
from io import BufferedIOBase
from pathlib import Path
from typing import IO, Any

from marshmallow import ValidationError
from sqlalchemy import Engine

from sanstone import __version__
from sanstone.core import events, jobs, store
from sanstone.core.errors import INTERNAL
from sanstone.core.places import state_directory
from sanstone.core.store import reading, writing
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.real import real_host
from sanstone.model.software import (
    DOWNLOAD,
    FAILURE,
    OPEN,
    REBOOTING,
    RUNNING,
    SUCCESS,
    UPDATE,
    SoftwareTask,
)
from sanstone.resources.cluster import software_task
from sanstone.resources.cluster.software_download import PackageUrl
from sanstone.system import boot_order, bundles, layout, serving, slot_report, slots
from sanstone.system.bundles import Bundle, BundleRefused
from sanstone.system.slots import Slots

LARGEST = layout.BOOT["a"].size + layout.SYSTEM["a"].size + (16 << 20)
"""Bytes of a package: both images of a slot, and 16 MiB for RAUC's hash tree over them (a block of
4 KiB for 128, dm-verity), manifest and signature."""
RESERVE = 256 << 20
"""Bytes that a download leaves free, for the database and the journal."""
SILENCE = 60.0
"""Seconds without a byte after which a download is given up."""
TIME_LIMIT = 7200.0
"""Seconds that a download may take: whatever else is ordered waits for its end. It is enough for
the largest package at 175 kB a second."""
_PART = 1 << 20
SUFFIX = ".raucb"
log = logging.getLogger("sanstone.system")
Open = Callable[[urllib.request.Request], AbstractContextManager[BufferedIOBase]]


def open_url(request: urllib.request.Request) -> AbstractContextManager[BufferedIOBase]:
    """Open a URL; https is verified against the system's certificate authorities."""
    opened: AbstractContextManager[BufferedIOBase] = urllib.request.urlopen(  # noqa: S310
        request, timeout=SILENCE, context=ssl.create_default_context()
    )
    return opened


def packages() -> Path:
    """Return the folder of the packages."""
    return state_directory() / "packages"


def package(version: str) -> Path:
    """Return the file of a release's package. Raises BundleRefused for what names no release."""
    bundles.require_release(version)
    return packages() / f"{version}{SUFFIX}"


@dataclass
class Worker:
    """Works orders off."""

    host: Host
    database: Engine
    open: Open = open_url

    def run(self) -> None:
        """Do all that there is to do."""
        packages().mkdir(mode=0o700, exist_ok=True)
        while task := self._next():
            for part in packages().glob("*.part"):
                part.unlink()
            do = {DOWNLOAD: self._download, UPDATE: self._update}.get(task.what, self._validate)
            try:
                do(task)
            except (BundleRefused, HostError, OSError) as error:
                self._fail(task, str(error))
            jobs.wake()

    def _next(self) -> SoftwareTask | None:
        """Return the oldest order that is not done."""
        with reading(self.database) as session:
            found = [t for t in software_task.unfinished(session) if t.state in OPEN]
            session.expunge_all()
        return found[0] if found else None

    def _note(self, task: SoftwareTask, *orders: SoftwareTask, **values: Any) -> None:
        """Set what is known of an order, and give those that follow from it."""
        with writing(self.database) as session:
            session.add_all(orders)
            row = session.get_one(SoftwareTask, task.uuid)
            for name, value in values.items():
                setattr(row, name, value)

    def _note_reboot(self, task: SoftwareTask) -> None:
        """Leave the rest to the next boot, unless that was so quick as to have judged already."""
        with writing(self.database) as session:
            row = session.get_one(SoftwareTask, task.uuid)
            if row.state == RUNNING:
                row.state = REBOOTING

    def _fail(self, task: SoftwareTask, message: str) -> None:
        log.error("%s of release %s failed: %s", task.what, task.version, message)
        self._end(task, FAILURE, message, code=int(INTERNAL))
        with writing(self.database) as session:
            text = f"The {task.what} of a software package failed: {message}"
            events.emit(session, events.ERROR, f"software.{task.what}.failed", text)

    def _end(
        self, task: SoftwareTask, state: str, message: str, *orders: SoftwareTask, **values: Any
    ) -> None:
        ended = {"state": state, "message": message, "end_time": time.time(), "password": ""}
        self._note(task, *orders, **ended, **values)

    def _download(self, task: SoftwareTask) -> None:
        self._note(task, state=RUNNING)
        part = packages() / f"{task.uuid}.part"
        try:
            self._fetch(task, part)
            bundle = bundles.inspect(self.host, part)
            part.rename(package(bundle.version))
        finally:
            part.unlink(missing_ok=True)
        _sync_folder(packages())
        version = bundle.version
        orders = []
        if task.then_update and version != __version__:  # Skipped as by PATCH of `version`.
            orders = [SoftwareTask(what=UPDATE, version=version, from_version=__version__)]
        self._end(task, SUCCESS, "Package download completed.", *orders, version=version)

    def _fetch(self, task: SoftwareTask, part: Path) -> None:
        """Bring the package to the state partition. Raises BundleRefused, OSError."""
        try:
            # Anew: root must not be made to read a file.
            url = PackageUrl().parse(task.url)
        except ValidationError as error:
            raise BundleRefused(f"This is no address of a package: {task.url}") from error
        request = urllib.request.Request(url)  # noqa: S310 - http or https, see PackageUrl
        if task.username:
            login = b64encode(f"{task.username}:{task.password}".encode()).decode()
            request.add_unredirected_header("Authorization", f"Basic {login}")
        try:
            with self.open(request) as source, part.open("wb") as target:
                _copy(source, target, self._room())
        except urllib.error.HTTPError as error:
            raise BundleRefused(f"The server answered {error.code} {error.reason}.") from error
        except urllib.error.URLError as error:
            raise BundleRefused(f"The package cannot be fetched: {error.reason}.") from error
        except (HTTPException, ValueError) as error:
            # What answers is no web server, or sends on to what is no URL.
            text = f"The package cannot be fetched: {type(error).__name__}: {error}."
            raise BundleRefused(text) from error

    def _room(self) -> int:
        """Return how many bytes a package may have."""
        return min(LARGEST, shutil.disk_usage(packages()).free - RESERVE)

    def _checked(self, task: SoftwareTask) -> Bundle:
        """Return what the task's package says, if it may be installed. Raises BundleRefused."""
        file = package(task.version)
        if not file.exists():
            raise BundleRefused(f'Package "{task.version}" is no longer there.')
        bundle = bundles.inspect(self.host, file)
        with reading(self.database) as session:
            bundles.check(bundle, bundles.revision(session))
        return bundle

    def _validate(self, task: SoftwareTask) -> None:
        self._checked(task)
        self._end(task, SUCCESS, f"Package {task.version} may be installed.")

    def _update(self, task: SoftwareTask) -> None:
        """Write the package to the other slot and reboot into it."""
        found = slots.find(self.host)
        if found is None:
            raise BundleRefused("This array was not started from a system disk.")
        if task.slot == found.running:
            # It was written, and the power was cut before that was noted: see `trial`.
            self._note_reboot(task)
            return
        self._checked(task)
        with reading(self.database) as session:
            lacking = sorted(serving.lacking(session))
        self._note(task, state=RUNNING, slot=boot_order.other(found.running), lacking=lacking)
        jobs.wake()
        slot_report.publish(self.host)
        try:
            self._write_and_reboot(task)
        except (HostError, OSError):
            self._disarm(found)
            raise

    def _write_and_reboot(self, task: SoftwareTask) -> None:
        """Have the next boot try what is written now, and ask for it. Raises HostError, OSError."""
        bundles.install(self.host, package(task.version))
        slot_report.publish(self.host)
        self._note_reboot(task)
        with writing(self.database) as session:
            text = f"Release {task.version} is written. The array reboots into it."
            events.emit(session, events.NOTICE, "software.update.reboot", text)
        self.host.commands.run(["systemctl", "reboot"])

    def _disarm(self, found: Slots) -> None:
        """Let no later boot try the slot of an update that has failed. Raises HostError.

        A slot that RAUC did not come to is left as it is: it is the way back.
        """
        variables = slots.environment(self.host, found)
        if boot_order.on_trial(variables, boot_order.other(found.running)):
            slots.change_environment(self.host, found, boot_order.stay(variables, found.running))
            slot_report.publish(self.host)


def _copy(source: BufferedIOBase, target: IO[bytes], room: int) -> None:
    """Copy at most `room` bytes to stable storage. Raises BundleRefused, OSError, HTTPException.

    Where the server announces a length, `http.client` takes less for the end of it without a word.
    """
    deadline = time.monotonic() + TIME_LIMIT
    announced = getattr(source, "length", None) or 0
    copied = 0
    while copied + announced <= room:
        # By `read` a server that sends drop by drop would be listened to for days.
        piece = source.read1(_PART)
        if time.monotonic() > deadline:
            raise BundleRefused(f"The download took more than {TIME_LIMIT / 3600:.0f} hours.")
        if not piece:
            if announced:
                raise BundleRefused(f"The download was cut short: {announced} bytes are missing.")
            target.flush()
            os.fsync(target.fileno())
            return
        copied, announced = copied + len(piece), max(0, announced - len(piece))
        target.write(piece)
    raise BundleRefused(
        f"The package is larger than the {max(room, 0) >> 20} MiB that there is room for."
    )


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def main() -> None:
    """Do what was asked for."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    Worker(real_host(), store.distrusted(store.engine(store.path()))).run()
