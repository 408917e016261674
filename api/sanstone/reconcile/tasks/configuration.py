"""The copy of the configuration that every aggregate carries on its disks.

If a system disk is lost, the aggregates still contain, in a small logical volume, the whole
database and the key of its secrets. The volume has two slots which are written alternately, so that
a power failure during a write leaves the previous copy intact. A slot is a header of one block and
the compressed copy:

    magic "SANSTONE-CONFIG1", age, length of the body, SHA-256 of age and body

The digest detects damage and nothing else: disks may come from anywhere, with any content. So the
size of unpacked data is limited, and a copy with any invalid part is ignored.

The digest tells nothing of what was copied. So a copy is checked before it is written anywhere: a
damaged database shall not take the place of the last copies that are sound. It is checked from time
to time also while nothing changes, and damage ends the reconciler (`damage`).

The age is the configuration's term and epoch (`core.database.epoch`): of two copies, the one with
the higher age is newer. When a copy is restored, a new term begins, and the epoch continues above
those of all existing copies (`core.database.counters`), which may be of a release without terms.

A thread writes the copies, so that no turn waits for a disk. SQLite's backup creates complete
copies, when the configuration has changed, at most every `PERIOD`. The thread prefers a moment at
which no job is under way, since such a copy contains nothing that may yet be reverted, and waits up
to `PATIENCE` for one. So no acknowledged change is missing on the aggregates for longer than both
together, however busy clients are and however long a job takes, unless an aggregate refuses the
write. If a copy contains an unfinished job, an array that restores the copy continues the job, as
after a power failure; only an order about software is ended there (`software_task.abandon`).
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import struct
import time
import zlib
from collections.abc import Iterable
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

from sanstone.core import events, jobs, places, secrets
from sanstone.core.database import epoch, last_changes, store
from sanstone.core.database.epoch import Age
from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.damage import DamagedDatabase

MAGIC = b"SANSTONE-CONFIG1"
HEADER = struct.Struct("<16sQQ32s")
BLOCK = 4096
SLOTS = 2
LARGEST = 256 << 20
"""Maximum size in bytes of an unpacked copy; zlib can pack about a thousand bytes into one."""
KEY_SIZE = 32
STEPS = 1_000_000
"""Maximum number of SQLite's steps to identify a copy. Some dozens suffice; but a view in the place
of a table might never end."""
PERIOD = 5.0
"""Minimum number of seconds between copies."""
PATIENCE = 10.0
"""Seconds for which the thread waits for a moment without jobs."""
LOOK_PERIOD = 600.0
"""Seconds after which a database that does not change is checked again."""
log = logging.getLogger("sanstone.reconciler")


def writing_copies(host: Host) -> AbstractContextManager[None]:
    """Hold the lock for writing copies: LVM cannot remove a volume that is open."""
    return host.files.locked(str(places.run_directory() / "copies.lock"))


@dataclass(frozen=True)
class Copy:
    """A copy of the configuration: the database's file and the key of its secrets."""

    age: Age
    database: bytes
    key: bytes


@dataclass(frozen=True)
class State:
    """The configuration's age, and whether it contains no job that may yet be reverted."""

    age: Age
    settled: bool


@dataclass(frozen=True)
class Identity:
    """The array that a copy belongs to, and the revision of its database (`sanstone.migrate`)."""

    name: str
    serial_number: str
    revision: str

    def __str__(self) -> str:
        return f'"{self.name}" (serial number {self.serial_number})'


def identify(copy: Copy) -> Identity:
    """Return the identity in a copy. Raises HostError if it is no array's database."""
    try:
        with closing(store.in_memory(copy.database)) as memory:
            memory.set_progress_handler(lambda: 1, STEPS)
            [(name, serial_number)] = memory.execute("SELECT name, serial_number FROM cluster")
            [(revision,)] = memory.execute("SELECT version_num FROM alembic_version")
    except (sqlite3.Error, ValueError) as error:
        raise HostError(f"a copy of the configuration cannot be used: {error}") from error
    values = (name, serial_number, revision)
    if not all(isinstance(value, str) for value in values):
        raise HostError(f"a copy of the configuration cannot be used: it is of {values!r:.200}")
    return Identity(*values)


def pack(aggregate: str, copy: Copy) -> bytes:
    """Return the bytes of a slot with a copy for an aggregate."""
    head = json.dumps({"aggregate": aggregate, "key": copy.key.hex()}).encode()
    body = zlib.compress(struct.pack("<I", len(head)) + head + copy.database, 1)
    packed = copy.age.packed
    header = HEADER.pack(MAGIC, packed, len(body), _digest(packed, body))
    slot = header.ljust(BLOCK, b"\0") + body
    return slot + b"\0" * (-len(slot) % BLOCK)


def _digest(packed_age: int, body: bytes) -> bytes:
    """Return the SHA-256 of age and body."""
    return hashlib.sha256(struct.pack("<Q", packed_age) + body).digest()


def _device(aggregate: str) -> str:
    """Return the path of an aggregate's configuration volume."""
    return f"/dev/mapper/{names.configuration_device(aggregate)}"


def read_newest(host: Host, aggregate: str) -> Copy | None:
    """Return the newest sound copy that was written to an aggregate. Raises HostError.

    A volume that was just created may still contain copies of an earlier aggregate on its disks;
    these are ignored.
    """
    size = host.blocks.size(_device(aggregate))
    slots = (_read(host, aggregate, slot * _slot_size(size), size) for slot in range(SLOTS))
    return max((c for c in slots if c), key=lambda c: c.age, default=None)


def _slot_size(size: int) -> int:
    """Return the size of a slot in bytes, for a volume of `size` bytes."""
    return size // SLOTS // BLOCK * BLOCK


def _read(host: Host, aggregate: str, offset: int, size: int) -> Copy | None:
    """Return the copy in the slot at an offset, None if it has no sound one. Raises HostError."""
    header = host.blocks.read(_device(aggregate), offset, BLOCK)
    magic, age, length, digest = HEADER.unpack_from(header)
    if magic != MAGIC or length > _slot_size(size) - BLOCK:
        return None
    body = host.blocks.read(_device(aggregate), offset + BLOCK, length)
    if _digest(age, body) != digest:
        return None
    return _unpack(aggregate, Age.unpacked(age), body)


def _unpack(aggregate: str, age: Age, body: bytes) -> Copy | None:
    """Return the copy in a slot, None if the slot's content was not written to this aggregate."""
    unpacker = zlib.decompressobj()
    try:
        whole = unpacker.decompress(body, LARGEST)
        (head_length,) = struct.unpack_from("<I", whole)
        head = json.loads(whole[4 : 4 + head_length])
        owner, key = head["aggregate"], bytes.fromhex(head["key"])
    except (zlib.error, struct.error, ValueError, LookupError, TypeError, RecursionError) as error:
        log.warning("aggregate %s carries no copy of a configuration: %s", aggregate, error)
        return None
    if not unpacker.eof or owner != aggregate or len(key) != KEY_SIZE:
        return None
    return Copy(age, whole[4 + head_length :], key)


def write(host: Host, aggregate: str, copy: Copy) -> None:
    """Overwrite the older slot with a copy, and wait until it is on disk. Raises HostError."""
    device = _device(aggregate)
    size = host.blocks.size(device)
    slot = pack(aggregate, copy)
    if len(slot) > _slot_size(size) or len(copy.database) > LARGEST - BLOCK:
        raise HostError(f"the configuration takes {len(slot)} bytes, too many for {device}")
    ages = []
    for number in range(SLOTS):
        existing = _read(host, aggregate, number * _slot_size(size), size)
        ages.append(existing.age if existing else Age(-1))
    older = ages.index(min(ages))
    host.blocks.write(device, older * _slot_size(size), slot)


class Copier:
    """Keeps the copies on the aggregates up to date."""

    def __init__(self, host: Host, file: Path) -> None:
        self._host, self._file = host, file
        self._aggregates: tuple[str, ...] = ()
        self._written: dict[str, State] = {}
        self._with_newer_copy: set[str] = set()
        self._next = 0.0
        self._behind_since: float | None = None
        self._looked_at = time.monotonic()
        self._damage = ""
        self._failures: dict[str, str] = {}
        """Why an aggregate has no new copy, by aggregate."""

    def look_at(self, aggregates: Iterable[str]) -> None:
        """Set the active aggregates. Raises DamagedDatabase where a run has found it so."""
        if self._damage:
            raise DamagedDatabase(self._damage)
        self._aggregates = tuple(aggregates)

    def work(self) -> str:
        """Update the copies on the active aggregates. Return why some are not, '' if all are."""
        self.copy(self._aggregates)
        return self._damage or "; ".join(self._failures.values())

    def copy(self, aggregates: Iterable[str]) -> None:
        """Write the configuration to each aggregate that has an older one, if a copy is due."""
        try:
            self._copy(aggregates)
        except (DamagedDatabase, sqlite3.DatabaseError) as error:
            if not isinstance(error, DamagedDatabase) and not store.is_damage(error):
                raise
            log.error("the database is damaged, and is not copied: %s", error)
            self._damage = str(error)

    def _copy(self, aggregates: Iterable[str]) -> None:
        """Do so. Raises DamagedDatabase, or SQLite's DatabaseError."""
        now = time.monotonic()
        if now < self._next:
            return
        state = _state(self._file)
        behind = [
            uuid
            for uuid in aggregates
            if state.age > Age()
            and uuid not in self._with_newer_copy
            and self._written.get(uuid) != state
        ]
        if not behind:
            self._behind_since = None
            if now >= self._looked_at + LOOK_PERIOD:
                self._looked_at = now
                snapshot(self._file)
            return
        self._behind_since = now if self._behind_since is None else self._behind_since
        waits = now < self._behind_since + PATIENCE
        if waits and not state.settled:
            return
        copy = snapshot(self._file)
        with closing(store.in_memory(copy.database)) as memory:
            state = _state_of(memory)
        if waits and not state.settled:
            return  # A request came in before the copy was complete.
        self._next, self._behind_since, self._looked_at = now + PERIOD, None, now
        for uuid in behind:
            self._write(uuid, copy, state)

    def _write(self, aggregate: str, copy: Copy, state: State) -> None:
        """Write a copy to an aggregate, unless that carries a newer one; log a failure."""
        try:
            with writing_copies(self._host):
                if aggregate not in self._written and self._carries_newer(aggregate, copy.age):
                    return
                write(self._host, aggregate, copy)
        except HostError as error:
            # The other aggregates have the copy, and the next period tries again.
            text = f"configuration not copied to aggregate {aggregate}: {error}"
            log.warning("%s", text)
            self._failures[aggregate] = text
        else:
            self._failures.pop(aggregate, None)
            self._written[aggregate] = state

    def _carries_newer(self, aggregate: str, age: Age) -> bool:
        """Return whether an aggregate carries a newer copy than the running configuration.

        Report it in that case: the array was started with an old database, as from the half of a
        mirror that had been away. The newer copy is not overwritten, because it may be the only
        right one. Raises HostError.
        """
        newest = read_newest(self._host, aggregate)
        if newest is None or newest.age <= age:
            return False
        self._with_newer_copy.add(aggregate)
        text = (
            f"Aggregate {aggregate} carries a newer configuration (age {newest.age}) than "
            f"the one that the array runs with (age {age}), as after a start from a "
            "system disk that had been away. It is kept. Change nothing: start from the other "
            "system disk, or take the newer one back by the rescue entry of the medium."
        )
        database = store.engine(self._file)
        with store.writing(database) as session:
            events.emit(session, events.ALERT, "configuration.outdated", text)
        database.dispose()
        return True


def snapshot(file: Path) -> Copy:
    """Return a consistent copy of the database in `file`.

    Raises DamagedDatabase, or SQLite's DatabaseError, where that cannot be one.
    """
    with closing(sqlite3.connect(":memory:")) as memory:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as source:
            source.backup(memory)
        (finding,) = memory.execute("PRAGMA quick_check(1)").fetchone()
        if finding != "ok":
            raise DamagedDatabase(finding)
        age = epoch.of(memory)
        # They are no part of the configuration; what they leave behind shall compress to nothing.
        memory.execute("PRAGMA secure_delete=ON").close()
        last_changes.begin_anew(memory)
        memory.commit()
        return Copy(age, memory.serialize(), secrets.key_path().read_bytes())


def _state(file: Path) -> State:
    """Return the state of the configuration in `file`."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as source:
        return _state_of(source)


def _state_of(database: sqlite3.Connection) -> State:
    """Return the state of the configuration in a database."""
    (unfinished,) = database.execute(
        "SELECT count(*) FROM job WHERE state IN (?, ?)", (jobs.QUEUED, jobs.RUNNING)
    ).fetchone()
    return State(epoch.of(database), not unfinished)
