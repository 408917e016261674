"""The database keeps the promises of its module: pragmas, isolation, all or nothing."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import alike_databases
import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import DatabaseError, IntegrityError
from toy import Shelf, ToySvm

from sanstone.core.database import store
from sanstone.core.database.store import reading, writing
from sanstone.model.cluster import Cluster


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]
)
def test_pragmas_are_on_in_every_connection(
    toys: Engine, monkeypatch: pytest.MonkeyPatch, pragma: str, value: object
) -> None:
    monkeypatch.setattr(store, "PRAGMAS", alike_databases.OF_PRODUCT)
    with toys.connect() as first, toys.connect() as second:
        for connection in (first, second):
            assert connection.execute(text(f"PRAGMA {pragma}")).scalar_one() == value


def test_of_many_connections_few_are_kept(toys: Engine) -> None:
    """Each grows to megabytes by SQLite's caches."""
    with ExitStack() as stack:
        for _ in range(store.KEPT + 4):
            stack.enter_context(toys.connect())
    pool: Any = toys.pool
    assert pool.checkedin() == store.KEPT
    assert pool.overflow() == 0


def test_the_connection_that_was_used_last_is_used_next(toys: Engine) -> None:
    """Else the caches of all of them would grow."""
    with toys.connect(), toys.connect():
        pass
    connections = []
    for _ in range(3):
        with toys.connect() as connection:
            connections.append(connection.connection.dbapi_connection)
    assert len(set(connections)) == 1


def test_foreign_keys_are_enforced(toys: Engine) -> None:
    with pytest.raises(IntegrityError, match="FOREIGN KEY"), writing(toys) as session:
        session.add(Shelf(name="s", svm_uuid="nobody"))


def test_a_failed_transaction_leaves_nothing(toys: Engine) -> None:
    def broken() -> None:
        with writing(toys) as session:
            session.add(ToySvm(name="a"))
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    with reading(toys) as session:
        assert session.scalar(select(ToySvm)) is None


def test_reading_writes_nothing(toys: Engine) -> None:
    with reading(toys) as session:
        session.add(ToySvm(name="a"))
        session.flush()
    with reading(toys) as session:
        assert session.scalar(select(ToySvm)) is None


def test_a_reader_sees_one_snapshot_while_another_writes(toys: Engine) -> None:
    with reading(toys) as reader:
        assert reader.scalar(select(ToySvm)) is None
        with writing(toys) as writer:
            writer.add(ToySvm(name="a"))
        assert reader.scalar(select(ToySvm)) is None
    with reading(toys) as reader:
        assert reader.scalars(select(ToySvm.name)).all() == ["a"]


def test_a_writer_holds_the_lock_from_its_first_look(toys: Engine) -> None:
    """With a deferred BEGIN, two could check for a name, find it free, and both take it."""
    with writing(toys) as session:
        assert session.scalar(select(ToySvm)) is None
        other = sqlite3.connect(store.path(), timeout=0, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()


def test_a_second_writer_waits_and_sees_what_the_first_wrote(toys: Engine) -> None:
    names: list[list[str]] = []

    def second() -> None:
        with writing(toys) as session:
            names.append(list(session.scalars(select(ToySvm.name))))
            session.add(ToySvm(name="b"))

    thread = threading.Thread(target=second)
    with writing(toys) as session:
        session.add(ToySvm(name="a"))
        session.flush()
        thread.start()
        thread.join(0.05)
        assert names == []
    thread.join()
    assert names == [["a"]]


def test_a_secret_is_plain_for_the_program_and_sealed_in_the_file(toys: Engine) -> None:
    with writing(toys) as session:
        svm = ToySvm(name="a")
        session.add(svm)
        session.flush()
        session.add(Shelf(name="s", svm_uuid=svm.uuid, password="open sesame"))
        session.add(Shelf(name="t", svm_uuid=svm.uuid, password=""))
    with reading(toys) as session:
        rows = session.execute(select(Shelf.name, Shelf.password).order_by(Shelf.name))
        assert [tuple(row) for row in rows] == [("s", "open sesame"), ("t", "")]
    toys.dispose()
    files = [file for file in store.path().parent.iterdir() if file.name.startswith("sanstone.db")]
    assert files
    assert not any(b"open sesame" in file.read_bytes() for file in files)


def test_a_sound_database_has_nothing_to_report(toys: Engine) -> None:
    assert store.check_integrity(toys) == ""


def test_damage_is_reported(toys: Engine) -> None:
    with writing(toys) as session:
        session.add_all(ToySvm(name=f"svm{number}") for number in range(500))
    toys.dispose()
    with store.path().open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (store.path().stat().st_size - 8192))
    try:
        damage = store.check_integrity(store.engine(store.path()))
    except DatabaseError as error:
        damage = str(error.orig)
    assert damage


def test_the_environment_names_the_databases_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    assert store.path() == tmp_path / "database/sanstone.db"
    monkeypatch.delenv("SANSTONE_STATE")
    assert store.path() == Path("/var/lib/sanstone/database/sanstone.db")


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("UPDATE cluster SET next_number = '../../run'", "cluster.next_number"),
        ("UPDATE cluster SET uuid = '../x'", "cluster.uuid"),
        ("UPDATE cluster SET name = x'00'", "cluster.name"),
    ],
)
def test_roots_programs_refuse_values_of_the_wrong_type(
    toys: Engine, statement: str, where: str
) -> None:
    """SQLite itself keeps it."""
    with store.writing(toys) as session:
        session.add(Cluster(name="array", serial_number="5a" * 16))
    with sqlite3.connect(store.path()) as other:
        other.execute(statement)
    distrusted = store.distrusted(toys)
    with store.reading(distrusted) as session, pytest.raises(store.ForeignValue, match=where):
        session.scalars(select(Cluster)).one()


def test_a_view_or_trigger_of_somebody_elses_has_no_effect(toys: Engine) -> None:
    """A function of the application's own that has effects can be called by neither."""
    with sqlite3.connect(store.path()) as other:
        other.execute("DROP TABLE event")
        other.execute("CREATE VIEW event AS SELECT load_extension('/tmp/x') AS id")
    with store.reading(toys) as session, pytest.raises(DatabaseError, match=r"unsafe use|not auth"):
        session.execute(text("SELECT id FROM event")).all()
