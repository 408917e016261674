"""An array that was just switched on, and whose database a test removes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import migrated_database
from scenarios import aggregate, svm
from simulator import Simulator, simulated

from sanstone.core.database import store
from sanstone.model.software import REBOOTING, UPDATE, SoftwareTask
from sanstone.reconcile.stages.pools import PoolsMemory
from sanstone.reconcile.tasks import configuration
from sanstone.reconcile.tasks.configuration import Copier, Copy

OTHER_SERIAL = "f" * 32


@contextmanager
def lost_array(folder: Path, *, borrowed_disk: bool = False) -> Iterator[Simulator]:
    """Give an array with an aggregate, an SVM, an update under way and copies of its configuration.

    The environment names the database in `folder` (`store.path`). A `borrowed_disk`, sdg, carries
    the configuration of another array, `OTHER_SERIAL`, which had more jobs.
    """
    folder.mkdir()
    migrated = folder.with_name("made.db")
    migrated.write_bytes(migrated_database.content())
    with simulated(folder) as array:
        # The simulator makes its tables without the marks of the migrations.
        with closing(sqlite3.connect(store.path())) as database:
            database.execute("ATTACH ? AS made", (str(migrated),))
            database.execute("CREATE TABLE alembic_version AS SELECT * FROM made.alembic_version")
            database.commit()
        aggregate(array)
        svm(array)
        with store.writing(array.database) as session:
            session.add(
                SoftwareTask(action=UPDATE, version="2.0", state=REBOOTING, password="moat")
            )
        Copier(array.kernel.host, store.path()).copy(array.reconciler.memory.of(PoolsMemory).groups)
        if borrowed_disk:
            _borrow_disk(array)
        array.database.dispose()
        array.kernel.reboot()
        yield array


def _borrow_disk(array: Simulator) -> None:
    primary = {"disk_count": 1, "raid_type": "raid0"}
    body = {"name": "borrowed", "block_storage": {"primary": primary}}
    array.do("POST", "storage/aggregates", body)
    [aggregate] = array.get("storage/aggregates?name=borrowed")["records"]
    own = configuration.snapshot(store.path())
    serial = configuration.identify(own).serial_number
    database = own.database.replace(serial.encode(), OTHER_SERIAL.encode())
    newer = Copy(own.age._replace(epoch=own.age.epoch + 9), database, own.key)
    configuration.write(array.kernel.host, aggregate["uuid"], newer)
