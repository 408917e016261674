"""A node without a database to write in: all that its turns find gets to its partner's.

`test_two_nodes.py` shows that it serves hosts as any node does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scenarios import MIB
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from two_nodes import OF_SVM, PARTNER, Pair, two_serving_nodes

from sanstone.core.database import store
from sanstone.core.database.store import reading, writing
from sanstone.core.events import Event
from sanstone.core.jobs import FAILURE, SUCCESS, Job
from sanstone.core.observed import Observed
from sanstone.kernel.host import HostError
from sanstone.model.aggregates import Disk

LUNS = "storage/luns"
NEW = OF_SVM | {"name": "/vol/vol2/new", "os_type": "linux", "space.size": 64 * MIB}


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """An array of two nodes that serve hosts."""
    with two_serving_nodes(tmp_path) as pair:
        yield pair


def _rows() -> list[tuple[Any, ...]]:
    """Return what nodes have written in the database."""
    with sqlite3.connect(store.path()) as database:
        tables = [database.execute(f"SELECT * FROM {t}") for t in ("observed", "event", "job")]
        return sorted((row for table in tables for row in table), key=str)


def test_the_node_itself_writes_nothing(pair: Pair) -> None:
    pair.have_second_report()
    disk, database = Disk(uid="a", name="1.0.99"), pair.second.reconciler.database
    with pytest.raises(OperationalError, match="readonly"), writing(database) as session:
        session.add(disk)


def test_all_that_it_finds_appears_in_its_partners_database(pair: Pair) -> None:
    pair.second.reconciler.verify_all()
    pair.settle()
    before = _rows()
    with writing(pair.first.database) as session:
        for row in session.scalars(select(Observed).filter_by(node_uuid=PARTNER)):
            if row.kind not in (LUNS, "storage/namespaces", "storage/aggregates"):
                session.delete(row)
    sent = pair.have_second_report()
    pair.second.reconciler.verify_all()
    pair.settle()
    assert sent
    assert _rows() == before


@pytest.mark.parametrize(
    "deliveries",
    [lambda _number: 2, lambda number: number % 2, lambda number: (0, 2, 1)[number % 3]],
    ids=["twice", "every other one", "lost or twice"],
)
def test_nothing_is_lost_or_stands_there_twice(
    pair: Pair, deliveries: Callable[[int], int]
) -> None:
    pair.have_second_report(deliveries)
    pair.second.do("POST", LUNS, NEW)
    uuid = pair.second.uuid_of(LUNS, "/vol/vol2/new")
    with reading(pair.first.database) as session:
        assert session.get_one(Observed, (LUNS, uuid, PARTNER)).data["thin_id"]
    pair.second.kernel.interrupt.fail_when(
        lambda step: step == f"dm remove sanstone-{uuid}", HostError("it is busy")
    )
    response = pair.second.call("DELETE", f"{LUNS}/{uuid}")
    assert "it is busy" in response.get_data(as_text=True)
    pair.second.kernel.interrupt.clear()
    pair.settle()
    with reading(pair.first.database) as session:
        raised = session.scalars(select(Event.name).where(Event.owner == f"{LUNS}:{uuid}")).all()
        states = session.scalars(select(Job.state).order_by(Job.id.desc()).limit(2)).all()
    assert raised == [f"{LUNS}.fault", f"{LUNS}.fault.resolved"]
    assert states == [FAILURE, SUCCESS]
    assert pair.first.get(f"{LUNS}/{uuid}")["enabled"]


def test_a_report_that_repeats_the_last_one_changes_nothing(pair: Pair) -> None:
    pair.have_second_report(lambda _number: 2)
    pair.second.reconciler.verify_all()
    pair.settle()
    before = _rows()
    pair.second.reconciler.verify_all()
    pair.second.settle()
    assert _rows() == before


def test_a_disk_that_both_find_at_once_has_one_row(pair: Pair) -> None:
    count = len(pair.first.get("storage/disks")["records"])
    name = pair.first.kernel.add_disk("sdz")
    pair.second.kernel.storage.disks.plug(pair.first.kernel.storage.disks.present[name])

    def find() -> None:
        """Have the second node find the disk in the middle of the first one's turn."""
        pair.first.progress = lambda: None
        pair.second.reconciler.rescan()
        pair.second.settle()

    pair.first.reconciler.rescan()
    pair.first.progress = find
    pair.settle()
    with reading(pair.first.database) as session:
        names = session.scalars(select(Disk.name)).all()
    assert len(names) == len(set(names)) == count + 1
