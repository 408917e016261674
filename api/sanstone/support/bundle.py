"""Make a support bundle: collect its parts, each by itself, and pack them into one file.

A part that fails, or does not end within `PATIENCE`, is named in `manifest.json` with the reason,
and the others are collected. Parts are cut to `LARGEST_PART`, and pass the redactor last of all.
The file is packed in memory, where it has its `LARGEST` bytes at most, and stored as a whole: after
a power cut there is none, and the work begins anew.
"""

from __future__ import annotations

import io
import json
import tarfile
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, select

from sanstone import __version__
from sanstone.core import build, places
from sanstone.core.database.store import reading, writing
from sanstone.kernel.host import Host, HostError
from sanstone.model.cluster import Cluster
from sanstone.model.support import AVAILABLE, LARGEST, SupportBundle
from sanstone.reconcile.long_jobs.work import Progress
from sanstone.support import parts
from sanstone.support.redaction import Redactor

PATIENCE = 60.0
"""Seconds that one part may take."""
LARGEST_PART = 16 << 20
"""Bytes of a part; of the journal and others that are longer the end is kept."""


class BundleCreation:
    """Makes one bundle. A restart begins it anew."""

    stoppable = True
    patience = PATIENCE

    def __init__(self, host: Host, database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is none."""
        self.host, self.database = host, database
        try:
            # Parsed: it becomes a path, and comes from a database that others write in.
            self.uuid = str(uuid.UUID(str(data.get("bundle"))))
        except ValueError as error:
            raise HostError(f"there is no support bundle {data.get('bundle')!r}") from error
        self._done, self._parts = 0, 1

    def progress(self) -> Progress:
        """Return how many of the parts are collected."""
        return Progress(min(99, 100 * self._done // self._parts))

    def run(self) -> None:
        """Collect and store it, and record its parts. Raises HostError."""
        collectors = parts.parts(self.host, self.database)
        self._parts = len(collectors)
        redactor = Redactor(self.database)
        archive = _Archive()
        missing: list[dict[str, str]] = []
        held: list[dict[str, Any]] = []
        for name, collect in collectors.items():
            text, reason = self._collect(name, collect)
            if reason:
                missing.append({"part": name, "reason": redactor.clean(reason)})
            else:
                # Cleaned before it is cut: half a secret would not be recognised.
                content = redactor.clean(text).encode("utf-8", "backslashreplace")
                kept = _end(content)
                if archive.size() + len(kept) > LARGEST:
                    # Even if nothing of it could be compressed.
                    missing.append({"part": name, "reason": "the bundle has no room for it"})
                else:
                    archive.add(name, kept)
                    cut = len(kept) < len(content)
                    held.append({"name": name, "bytes": len(kept), "is_cut": cut})
            self._done += 1
        archive.add("manifest.json", self._manifest(held, missing))
        self._store(archive.close(), missing)

    def _collect(self, name: str, collect: Callable[[], str]) -> tuple[str, str]:
        """Return the text of a part, or why there is none.

        What hangs in the kernel cannot be ended: its thread is left behind, and goes with us.
        """
        answer: list[tuple[str, str]] = []

        def attempt() -> None:
            try:
                answer.append((collect(), ""))
            except HostError as error:
                answer.append(("", str(error)))
            except Exception as error:  # noqa: BLE001 - in the bundle; the other parts go on
                answer.append(("", f"{type(error).__name__}: {error}"))

        thread = threading.Thread(target=attempt, name=name, daemon=True)
        thread.start()
        thread.join(self.patience)
        return answer[0] if answer else ("", f"no answer within {self.patience:g} s")

    def _manifest(self, held: list[dict[str, Any]], missing: list[dict[str, str]]) -> bytes:
        with reading(self.database) as session:
            cluster = session.scalars(select(Cluster)).one()
            content = {
                "format": 1,
                "array": cluster.name,
                "serial_number": cluster.serial_number,
                "version": __version__,
                "build": str(build.running()),
                "kernel": build.kernel(),
                "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "parts": held,
                "missing": missing,
            }
        return json.dumps(content, indent=2).encode()

    def _store(self, packed: bytes, missing: list[dict[str, str]]) -> None:
        files, folder = self.host.files, places.support_directory()
        files.make_folder(str(folder), 0o750)
        file = str(places.support_bundle(self.uuid))
        files.store(file, packed, 0o640, folder.stat().st_gid)
        with writing(self.database) as session:
            row = session.get(SupportBundle, self.uuid)
            if row is not None:
                row.state, row.size, row.missing = AVAILABLE, len(packed), missing


class _Archive:
    """A compressed tar archive in memory."""

    def __init__(self) -> None:
        self._packed = io.BytesIO()
        self._tar = tarfile.open(fileobj=self._packed, mode="w:gz")  # noqa: SIM115 - see close
        self._time = time.time()

    def size(self) -> int:
        """Return the bytes that it has so far."""
        return self._packed.tell()

    def add(self, name: str, content: bytes) -> None:
        """Add a file, below a folder."""
        entry = tarfile.TarInfo(f"support/{name}")
        entry.size, entry.mtime, entry.mode = len(content), int(self._time), 0o644
        self._tar.addfile(entry, io.BytesIO(content))

    def close(self) -> bytes:
        """Return the archive, complete."""
        self._tar.close()
        return self._packed.getvalue()


def _end(content: bytes) -> bytes:
    """Return the whole lines of the end that may be kept."""
    if len(content) <= LARGEST_PART:
        return content
    tail = content[-LARGEST_PART:]
    return tail[tail.find(b"\n") + 1 :]
