"""The copy of the configuration on the aggregates, and finding it again."""

from __future__ import annotations

import json
import random
import sqlite3
import struct
import tempfile
import threading
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import aggregate, svm, volume
from simulator import Begin, Simulator
from standing_clock import Clock

from fakes import Killed
from sanstone.core import secrets, tasks
from sanstone.core.database import epoch, store
from sanstone.core.database.epoch import Age
from sanstone.core.database.store import writing
from sanstone.core.jobs import Job
from sanstone.kernel import names
from sanstone.kernel.host import HostError
from sanstone.reconcile.damage import DamagedDatabase
from sanstone.reconcile.stages.pools import PoolsMemory
from sanstone.reconcile.tasks import configuration
from sanstone.reconcile.tasks.background import Background
from sanstone.reconcile.tasks.configuration import BLOCK, HEADER, MAGIC, Copier, Copy
from sanstone.reconcile.tasks.recorder import Recorder

PRIMARY = "block_storage.primary"


def copy_of(generation: int, size: int = 5000) -> Copy:
    """Return a copy that differs from others by its generation."""
    return Copy(Age(0, generation), bytes([generation % 251]) * size, b"k" * 32)


@pytest.fixture
def begin() -> Begin:
    return aggregate


@pytest.fixture
def first(array: Simulator) -> str:
    """The UUID of an aggregate."""
    return str(array.get("storage/aggregates")["records"][0]["uuid"])


def device_of(aggregate: str) -> str:
    """Return the configuration volume of an aggregate."""
    return f"/dev/mapper/{names.configuration_device(aggregate)}"


def test_a_new_volume_holds_no_copy(array: Simulator, first: str) -> None:
    assert configuration.read_newest(array.kernel.host, first) is None


def test_the_newest_copy_is_read_back(array: Simulator, first: str) -> None:
    host = array.kernel.host
    for generation in (1, 2, 3, 9, 300):
        configuration.write(host, first, copy_of(generation))
        assert configuration.read_newest(host, first) == copy_of(generation)


def test_a_copy_outlives_the_machine(array: Simulator, first: str) -> None:
    configuration.write(array.kernel.host, first, copy_of(5))
    array.reboot()
    array.settle()
    assert configuration.read_newest(array.kernel.host, first) == copy_of(5)


def test_the_copy_before_is_kept_until_the_next_one_is_whole(array: Simulator, first: str) -> None:
    host = array.kernel.host
    for generation in (1, 2):
        configuration.write(host, first, copy_of(generation))
    array.kernel.kill_after(1)
    with pytest.raises(Killed):
        configuration.write(host, first, copy_of(3))
    assert configuration.read_newest(host, first) == copy_of(2)
    configuration.write(host, first, copy_of(3))
    assert configuration.read_newest(host, first) == copy_of(3)


@pytest.mark.parametrize("offset", [0, 16, 24, 32, configuration.BLOCK, configuration.BLOCK + 20])
@pytest.mark.parametrize("slot", [0, 1])
def test_a_copy_that_is_damaged_anywhere_is_not_taken(
    array: Simulator, first: str, slot: int, offset: int
) -> None:
    host = array.kernel.host
    for generation in (1, 2):
        configuration.write(host, first, copy_of(generation))
    place = slot * (host.blocks.size(device_of(first)) // 2) + offset
    byte = host.blocks.read(device_of(first), place, 1)[0]
    host.blocks.write(device_of(first), place, bytes([byte ^ 0xFF]))
    assert configuration.read_newest(host, first) == copy_of(2 - slot)


def test_a_copy_that_is_too_large_is_refused_and_leaves_the_others(
    array: Simulator, first: str
) -> None:
    host = array.kernel.host
    configuration.write(host, first, copy_of(1))
    too_large = Copy(
        Age(0, 2), random.randbytes(host.blocks.size(device_of(first)) // 2), b"k" * 32
    )
    with pytest.raises(HostError, match="too many"):
        configuration.write(host, first, too_large)
    assert configuration.read_newest(host, first) == copy_of(1)


def test_a_copy_of_what_was_on_the_disks_before_is_none(array: Simulator, first: str) -> None:
    host = array.kernel.host
    half = host.blocks.size(device_of(first)) // 2
    before = configuration.pack("aggregate before", copy_of(3000))
    host.blocks.write(device_of(first), half, before)
    assert configuration.read_newest(host, first) is None
    for generation in (1, 2):
        configuration.write(host, first, copy_of(generation))
    assert configuration.read_newest(host, first) == copy_of(2)
    assert host.blocks.read(device_of(first), half, 64) != before[:64]


@given(st.integers(0, 2**63), st.binary(max_size=9000), st.binary(min_size=32, max_size=32))
def test_a_slot_is_whole_blocks_of_what_went_in(packed: int, database: bytes, key: bytes) -> None:
    slot = configuration.pack("aggr", Copy(Age.unpacked(packed), database, key))
    assert len(slot) % configuration.BLOCK == 0
    assert slot.startswith(configuration.MAGIC)


def keep(array: Simulator, copier: Copier, clock: Clock) -> int:
    """Let some time pass and a pass end. Return how often a copy was written."""
    log = array.kernel.interrupt.log
    before = len(log)
    clock.now += configuration.PERIOD
    copier.copy(array.reconciler.memory.of(PoolsMemory).groups)
    return sum(step.startswith("write ") for step in log[before:])


def names_in(copy: Copy | None, table: str) -> list[str]:
    """Return the names of the rows in a table of a copy."""
    assert copy is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "copy.db"
        file.write_bytes(copy.database)
        return _names_in(file, table)


def _names_in(file: Path, table: str) -> list[str]:
    database = sqlite3.connect(file)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    names = [row[0] for row in database.execute(f"SELECT name FROM {table} ORDER BY name")]
    database.close()
    return names


def test_every_aggregate_gets_each_change(array: Simulator, first: str, clock: Clock) -> None:
    body = {"name": "aggr2", PRIMARY: {"disk_count": 2, "raid_type": "raid1"}}
    array.do("POST", "storage/aggregates", body)
    copier = Copier(array.kernel.host, store.path())
    assert keep(array, copier, clock) == 2
    assert keep(array, copier, clock) == 0
    svm(array)
    assert keep(array, copier, clock) == 2
    for record in array.get("storage/aggregates")["records"]:
        copy = configuration.read_newest(array.kernel.host, record["uuid"])
        assert names_in(copy, "svm") == ["svm1"]
        assert copy is not None
        assert copy.key == secrets.key_path().read_bytes()


def test_copies_are_written_at_a_limited_rate(array: Simulator, first: str, clock: Clock) -> None:
    copier = Copier(array.kernel.host, store.path())
    assert keep(array, copier, clock) == 1
    svm(array)
    clock.now -= 1
    assert keep(array, copier, clock) == 0
    assert keep(array, copier, clock) == 1


def test_a_moment_is_waited_for_at_which_nothing_may_be_taken_back(
    array: Simulator, first: str, clock: Clock
) -> None:
    copier = Copier(array.kernel.host, store.path())
    with writing(array.database) as session:
        session.add(Job(description="under way"))
    assert keep(array, copier, clock) == 0
    array.settle()
    assert keep(array, copier, clock) == 1


def test_jobs_that_never_pause_delay_a_copy_and_do_not_stop_it(
    array: Simulator, first: str, clock: Clock
) -> None:
    copier = Copier(array.kernel.host, store.path())
    assert keep(array, copier, clock) == 1
    with writing(array.database) as session:
        session.add(Job(description="of hours"))
    assert keep(array, copier, clock) == 0
    clock.now += configuration.PATIENCE
    assert keep(array, copier, clock) == 1
    clock.now += configuration.PATIENCE
    assert keep(array, copier, clock) == 0, "nothing has changed"
    with writing(array.database) as session:
        session.add(Job(description="one more"))
        epoch.advance(session)
    keep(array, copier, clock)
    clock.now += configuration.PATIENCE
    assert keep(array, copier, clock) == 1
    array.settle()
    assert keep(array, copier, clock) == 1, "what was under way has ended"


def test_no_turn_waits_for_a_copy(array: Simulator, first: str) -> None:
    copier, finished = Copier(array.kernel.host, store.path()), threading.Event()

    def notice(step: str) -> bool:
        if device_of(first) in step:
            finished.set()
        return False

    array.kernel.fail_when(notice, HostError("never"))
    with configuration.writing_copies(array.kernel.host):
        copier.look_at(array.reconciler.memory.of(PoolsMemory).groups)
        Background(tasks.CONFIGURATION, Recorder(array.kernel.host.files), copier.work).wake()
        assert not finished.is_set()
    assert finished.wait(30)


def test_an_aggregate_that_refuses_does_not_stop_the_others(
    array: Simulator, first: str, clock: Clock
) -> None:
    body = {"name": "aggr2", PRIMARY: {"disk_count": 2, "raid_type": "raid1"}}
    array.do("POST", "storage/aggregates", body)
    copier = Copier(array.kernel.host, store.path())
    array.kernel.fail_when(lambda step: device_of(first) in step, HostError("refused"))
    assert keep(array, copier, clock) == 1
    array.kernel.interrupt.clear()
    assert configuration.read_newest(array.kernel.host, first) is None
    assert keep(array, copier, clock) == 1
    assert configuration.read_newest(array.kernel.host, first) is not None


def test_a_copy_holds_the_database_as_it_is(array: Simulator, first: str) -> None:
    svm(array)
    volume(array)
    assert names_in(configuration.snapshot(store.path()), "volume") == ["vol1"]


def test_a_newer_copy_is_not_written_over_by_an_old_system_disk(
    array: Simulator, first: str, clock: Clock
) -> None:
    newer = copy_of(5000)
    configuration.write(array.kernel.host, first, newer)
    copier = Copier(array.kernel.host, store.path())
    assert keep(array, copier, clock) == 0
    svm(array)
    assert keep(array, copier, clock) == 0
    assert configuration.read_newest(array.kernel.host, first) == newer
    records = array.get("support/ems/events?message.name=configuration.outdated")["records"]
    assert len(records) == 1


def hostile(array: Simulator, aggregate: str, body: bytes, generation: int = 7) -> Copy | None:
    """Return the copy that is read after somebody wrote this to an aggregate, its digest right."""
    digest = configuration._digest(generation, body)
    header = HEADER.pack(MAGIC, generation, len(body), digest).ljust(BLOCK, b"\0")
    array.kernel.host.blocks.write(device_of(aggregate), 0, header + body)
    return configuration.read_newest(array.kernel.host, aggregate)


def body_of(head: object, database: bytes = b"x") -> bytes:
    """Return a slot's body with a head that may be anything."""
    text = json.dumps(head).encode()
    return zlib.compress(struct.pack("<I", len(text)) + text + database)


def test_a_malformed_copy_is_ignored(array: Simulator, first: str) -> None:
    key = "00" * 32
    assert hostile(array, first, body_of({"aggregate": first, "key": key})) == Copy(
        Age(0, 7), b"x", bytes(32)
    )
    heads: tuple[object, ...] = (
        [],
        7,
        {},
        {"aggregate": first},
        {"key": key},
        {"aggregate": first, "key": 7},
    )
    for head in heads:
        assert hostile(array, first, body_of(head)) is None
    for wrong in ("zz", "", "00" * 31):
        assert hostile(array, first, body_of({"aggregate": first, "key": wrong})) is None
    deep = b"[" * 100_000
    for raw in (b"", b"\0\0\0", b"\xff" * 8, struct.pack("<I", len(deep)) + deep):
        assert hostile(array, first, zlib.compress(raw)) is None
        assert hostile(array, first, raw) is None


@given(st.binary(max_size=200))
def test_whatever_is_on_a_disk_is_a_copy_or_none(array: Simulator, first: str, raw: bytes) -> None:
    assert hostile(array, first, raw) is None
    assert hostile(array, first, zlib.compress(raw)) is None


def test_a_few_bytes_that_stand_for_gigabytes_are_no_copy(
    array: Simulator, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configuration, "LARGEST", 1 << 20)
    head = {"aggregate": first, "key": "00" * 32}
    fits = (1 << 20) - 4 - len(json.dumps(head))
    assert hostile(array, first, body_of(head, bytes(fits)))
    assert hostile(array, first, body_of(head, bytes(fits + 1))) is None
    with pytest.raises(HostError, match="too many"):
        configuration.write(array.kernel.host, first, Copy(Age(0, 8), bytes(2 << 20), b"k" * 32))


ENDLESS = """
    CREATE TABLE alembic_version AS SELECT 'now' AS version_num;
    CREATE VIEW cluster AS
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
        SELECT x AS name, x AS serial_number FROM n WHERE x < 0;
"""
NO_TEXT = """
    CREATE TABLE alembic_version AS SELECT 'now' AS version_num;
    CREATE TABLE cluster AS SELECT 7 AS name, NULL AS serial_number;
"""


@pytest.mark.parametrize(
    "script", ["CREATE TABLE x (y)", ENDLESS, NO_TEXT], ids=["other", "endless", "no text"]
)
def test_a_database_that_is_no_arrays_is_refused(script: str) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(script)
        content = database.serialize()
    with pytest.raises(HostError, match="cannot be used"):
        configuration.identify(Copy(Age(0, 1), content, b"k" * 32))


@given(st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), min_size=1, max_size=40))
def test_a_database_that_is_damaged_is_refused_or_known(
    array: Simulator, changed: list[tuple[int, int]]
) -> None:
    content = bytearray(configuration.snapshot(store.path()).database)
    for place, value in changed:
        content[place % len(content)] = value
    try:
        identity = configuration.identify(Copy(Age(0, 1), bytes(content), b"k" * 32))
    except HostError as error:
        assert "cannot be used" in str(error)
    else:
        assert identity.serial_number


def damage_page(file: Path, page: int) -> None:
    """Overwrite a page of a database, as a disk does that loses a write."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as content:
        content.seek(size * page)
        content.write(b"\xa5" * size)


class TestDamage:
    """A damaged database takes no copy's place, and ends the reconciler."""

    @pytest.fixture
    def earlier(self, array: Simulator, first: str) -> Copy:
        """The copy on the aggregate before."""
        Copier(array.kernel.host, store.path()).copy([first])
        copy = configuration.read_newest(array.kernel.host, first)
        assert copy
        return copy

    @pytest.mark.parametrize("damaged", [0, 5], ids=["its first page", "another page"])
    def test_a_damaged_database_is_not_copied(
        self, array: Simulator, first: str, earlier: Copy, damaged: int
    ) -> None:
        svm(array)
        array.database.dispose()
        damage_page(store.path(), damaged)
        copier = Copier(array.kernel.host, store.path())
        for _ in range(2):
            copier.copy([first])
        assert configuration.read_newest(array.kernel.host, first) == earlier
        with pytest.raises(DamagedDatabase):
            copier.look_at([first])

    def test_damage_is_found_while_nothing_changes(
        self, array: Simulator, first: str, clock: Clock
    ) -> None:
        copier = Copier(array.kernel.host, store.path())
        copier.copy([first])
        array.database.dispose()
        damage_page(store.path(), 5)
        clock.now += configuration.PERIOD
        copier.copy([first])
        clock.now += configuration.LOOK_PERIOD
        copier.copy([first])
        with pytest.raises(DamagedDatabase):
            copier.look_at([first])
