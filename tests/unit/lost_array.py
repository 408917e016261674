"""An array that was just switched on, and whose database is to be lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from scenarios import aggregate, svm
from simulator import Simulator, simulated

from sanstone import migrate
from sanstone.core import store
from sanstone.reconcile.configuration import Copier
from sanstone.resources.software_task import REBOOTING, UPDATE, SoftwareTask


@contextmanager
def lost_array(folder: Path) -> Iterator[Simulator]:
    """Give an array with an aggregate, an SVM, an update under way and copies of its configuration.

    The environment names the database in `folder` (`store.path`).
    """
    folder.mkdir()
    made = folder.with_name("made.db")
    migrate.upgrade(store.engine(made))
    with simulated(folder) as array:
        # The simulator makes its tables without the marks of the migrations.
        with closing(sqlite3.connect(store.path())) as database:
            database.execute("ATTACH ? AS made", (str(made),))
            database.execute("CREATE TABLE alembic_version AS SELECT * FROM made.alembic_version")
            database.commit()
        aggregate(array)
        svm(array)
        with store.writing(array.database) as session:
            session.add(SoftwareTask(what=UPDATE, version="2.0", state=REBOOTING))
        Copier(array.kernel.host, store.path()).run(array.reconciler.memory.pools)
        array.database.dispose()
        array.kernel.reboot()
        yield array
