"""Download an update package from a web server, which takes minutes to hours, or take in an upload.

This runs as root and has no network: a process without any privilege opens the URL (`kernel.web`).
The next download deletes what an interrupted one left, and starts from the beginning.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from base64 import b64encode
from collections.abc import Callable
from contextlib import AbstractContextManager
from http import HTTPStatus
from pathlib import Path
from stat import S_ISREG
from typing import IO, Protocol

from marshmallow import ValidationError

from sanstone import __version__
from sanstone.core import places
from sanstone.kernel.web.question import Head, Question, Unanswered, answered
from sanstone.model.software import RUNNING, UPDATE, UPLOADED, SoftwareTask
from sanstone.reconcile.long_jobs.software_work import SoftwareWork
from sanstone.reconcile.long_jobs.work import Progress
from sanstone.rules.destinations import PackageUrl
from sanstone.system import bundles, layout, packages
from sanstone.system.bundles import Bundle, BundleRefused

KIND = "software.download"
LARGEST = layout.BOOT["a"].size + layout.SYSTEM["a"].size + (16 << 20)
"""Bytes of a package: both images of a slot, and 16 MiB for RAUC's hash tree over them (a block of
4 KiB for 128, dm-verity), manifest and signature."""
RESERVE = 256 << 20
"""Bytes that a download leaves free, for the database and the journal."""
SILENCE = 60.0
"""Seconds without data after which a download fails."""
TIME_LIMIT = 7200.0
"""Seconds that a download may take, since later orders wait for its end. The largest package needs
175 kB/s."""
HOPS = 5
"""Redirections that are followed, as those of mirrors."""
_PART = 1 << 20


class Pieces(Protocol):
    """Something that is read piece by piece, b"" at the end."""

    def read1(self, size: int = -1, /) -> bytes:
        """Return the next piece. Raises OSError."""


class Answer(Pieces, Protocol):
    """The answer of a web server; `length` is the announced one of its body, None without one."""

    @property
    def head(self) -> Head:
        """Its head."""

    @property
    def length(self) -> int | None:
        """Bytes of its body."""


Open = Callable[[Question], AbstractContextManager[Answer]]


def open_url(question: Question) -> AbstractContextManager[Answer]:
    """Open a URL; https is verified against the system's certificate authorities."""
    return answered(str(places.web_client()), question)


class PackageDownload(SoftwareWork):
    """Downloads one package, inspects it, and orders its installation if requested."""

    open: Open = staticmethod(open_url)
    _copied = _size = 0

    def work(self) -> None:
        """Download and inspect it. Raises HostError, OSError."""
        folder = packages.folder()
        folder.mkdir(mode=0o700, exist_ok=True)
        for partial in folder.glob("*.part"):
            partial.unlink()
        self.record(state=RUNNING)
        part = folder / f"{self.task.uuid}.part"
        uploaded = self.task.url == UPLOADED
        try:
            if uploaded:
                self._take(part)
            else:
                self._fetch(part)
            bundle = bundles.inspect(self.host, part)
            _keep_changes(bundle)
            part.rename(packages.file(bundle.version))
        finally:
            part.unlink(missing_ok=True)
            if uploaded:
                places.uploaded_package().unlink(missing_ok=True)
        _sync_folder(folder)
        version = bundle.version
        orders = []
        if self.task.then_update and version != __version__:  # Skipped as by PATCH of `version`.
            orders = [SoftwareTask(action=UPDATE, version=version, from_version=__version__)]
        done = "Package upload completed." if uploaded else "Package download completed."
        self.succeed(done, *orders, version=version)

    def progress(self) -> Progress:
        """Return the part received of the length that the server announced."""
        return Progress(min(99, 100 * self._copied // self._size) if self._size else None)

    def _take(self, part: Path) -> None:
        """Copy the uploaded package, which the API could change. Raises BundleRefused, OSError."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(places.uploaded_package(), flags)
        except FileNotFoundError as error:
            raise BundleRefused("The uploaded package is no longer there.") from error
        with os.fdopen(descriptor, "rb") as source, part.open("wb") as target:
            if not S_ISREG(os.fstat(descriptor).st_mode):
                raise BundleRefused("What was uploaded is no file.")
            self._copy(source, target, _room())

    def _fetch(self, part: Path) -> None:
        """Download the package to the state partition. Raises BundleRefused, OSError."""
        try:
            # Parsed again: a file: URL in the database would have root read a file.
            url = PackageUrl().parse(self.task.url)
        except ValidationError as error:
            raise BundleRefused("This is no address of a package: {}", self.task.url) from error
        login = ""
        if self.task.username:
            secret = f"{self.task.username}:{self.task.password}".encode()
            login = f"Basic {b64encode(secret).decode()}"
        question = Question(url, SILENCE, login=login, hops=HOPS)
        try:
            with self.open(question) as source, part.open("wb") as target:
                if source.head.status != HTTPStatus.OK:
                    raise BundleRefused(
                        "The server answered {} {}.", source.head.status, source.head.reason
                    )
                self._copy(source, target, _room())
        except Unanswered as error:
            raise BundleRefused("The package cannot be fetched: {}.", error) from error

    def _copy(self, source: Pieces, target: IO[bytes], room: int) -> None:
        """Copy at most `room` bytes to stable storage. Raises BundleRefused, OSError."""
        deadline = time.monotonic() + TIME_LIMIT
        self._size = getattr(source, "length", None) or 0
        self._copied = 0
        while max(self._copied, self._size) <= room:
            # `read` would wait for a full piece, for days if the server sends byte by byte.
            piece = source.read1(_PART)
            if time.monotonic() > deadline:
                raise BundleRefused(
                    "The download took more than {} hours.", f"{TIME_LIMIT / 3600:.0f}"
                )
            if not piece:
                target.flush()
                os.fsync(target.fileno())
                return
            self._copied += len(piece)
            target.write(piece)
        raise BundleRefused(
            "The package is larger than the {} MiB that there is room for.", max(room, 0) >> 20
        )


def _room() -> int:
    """Return how many bytes a package may have."""
    return min(LARGEST, shutil.disk_usage(packages.folder()).free - RESERVE)


def _keep_changes(bundle: Bundle) -> None:
    """Write to stable storage what a package says of changes. Raises OSError."""
    with packages.changes_file(bundle.version).open("w") as file:
        json.dump(bundle.changes, file)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
