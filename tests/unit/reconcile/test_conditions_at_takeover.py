"""Conditions of objects go with these to another node; a fault on standby is the node's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from simulator import NODE_UUID
from sqlalchemy import select
from two_nodes import PARTNER, Pair, two_serving_nodes

from sanstone.core import observed
from sanstone.core.database.store import reading
from sanstone.core.events import ALERT, Event
from sanstone.kernel import names
from sanstone.kernel.host import HostError
from sanstone.model.aggregates import Disk
from sanstone.reconcile.stages import pools
from sanstone.reconcile.stages.raid import GRACE

LUNS, EVENTS, AGGREGATES = "storage/luns", "support/ems/events", "storage/aggregates"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """An array of two nodes that serve hosts."""
    with two_serving_nodes(tmp_path) as pair:
        yield pair


def _events(pair: Pair, name: str) -> list[tuple[str, bool]]:
    """Return the events of a name, oldest first: each with its node, and whether it lasts."""
    with reading(pair.first.database) as session:
        rows = session.scalars(select(Event).filter_by(name=name).order_by(Event.index)).all()
        return [(row.node_uuid, row.open) for row in rows]


def _pull(pair: Pair) -> str:
    """Pull a disk of the second node's aggregate, and have it noticed. Return its name."""
    uuid = pair.first.uuid_of(AGGREGATES, "aggr2")
    disks = pair.first.get(f"{AGGREGATES}/{uuid}?fields=block_storage.primary.disks")
    label = disks["block_storage"]["primary"]["disks"][0]["name"]
    with reading(pair.first.database) as session:
        uid = session.scalars(select(Disk.uid).filter_by(name=label)).one()
        seen = observed.load_one(session, NODE_UUID, Disk.kind, uid)
    assert seen
    name = str(seen.data["path"]).rpartition("/")[2]
    for each in (pair.first, pair.second):
        each.kernel.remove_disk(name)
    _look(pair)
    return name


def _look(pair: Pair) -> None:
    """Have the nodes that run look at their disks a while after their start."""
    for each in pair.running:
        each.reconciler.memory.started -= GRACE
        each.reconciler.rescan()
    pair.settle()
    pair.settle()


def test_one_that_lasts_stays_one_event_and_ends_where_it_is_seen_to_end(pair: Pair) -> None:
    name = _pull(pair)
    assert _events(pair, "raid.degraded") == [(PARTNER, True)]
    pair.take_over()
    pair.first.reconciler.memory.started -= GRACE
    pair.settle()
    _look(pair)
    assert _events(pair, "raid.degraded") == [(NODE_UUID, True)]
    assert _events(pair, "raid.degraded.resolved") == []
    pair.first.kernel.add_disk(name)
    _look(pair)
    assert _events(pair, "raid.degraded") == [(NODE_UUID, False)]
    assert len(_events(pair, "raid.degraded.resolved")) == 1


def test_one_that_lasts_goes_back_with_its_object(pair: Pair) -> None:
    pair.fail_over()
    _pull(pair)
    assert _events(pair, "raid.degraded") == [(NODE_UUID, True)]
    pair.come_back()
    pair.second.reconciler.memory.started -= GRACE
    pair.settle()
    _look(pair)
    assert _events(pair, "raid.degraded") == [(PARTNER, True)]
    assert _events(pair, "raid.degraded.resolved") == []


def test_a_fault_on_standby_is_the_nodes_and_not_the_objects(pair: Pair) -> None:
    lun = pair.first.uuid_of(LUNS, "/vol/vol2/lun")
    pair.first.reboot()
    pair.first.kernel.interrupt.fail_when(
        lambda step: step.startswith("dm ") and names.device(lun) in step, HostError("no memory")
    )
    pair.settle()
    assert _events(pair, "cluster/nodes.fault") == [(NODE_UUID, True)]
    [event] = pair.first.get(f"{EVENTS}?message.name=cluster/nodes.fault&fields=**")["records"]
    assert event["log_message"] == (
        'Node "array-01" does not stand by for an object of its partner: /vol/vol2/lun: no memory'
    )
    assert event["object"] == {"path": "cluster/nodes", "key": NODE_UUID}
    assert _events(pair, f"{LUNS}.fault") == []
    for each in (pair.first, pair.second):
        assert each.get(f"{LUNS}/{lun}?fields=status")["status"]["state"] == "online"
        assert each.get("cluster/overview")["faults"]["count"] == 0
    pair.first.kernel.interrupt.clear()
    pair.settle()
    assert _events(pair, "cluster/nodes.fault") == [(NODE_UUID, False)]


def test_a_fault_on_standby_becomes_the_objects_at_a_takeover(pair: Pair) -> None:
    lun = pair.first.uuid_of(LUNS, "/vol/vol2/lun")
    pair.first.reboot()
    pair.first.kernel.interrupt.fail_when(
        lambda step: step.startswith("dm ") and names.device(lun) in step, HostError("no memory")
    )
    pair.settle()
    pair.fail_over()
    assert _events(pair, "cluster/nodes.fault") == [(NODE_UUID, False)]
    assert _events(pair, f"{LUNS}.fault")[-1] == (NODE_UUID, True)
    assert pair.first.get(f"{LUNS}/{lun}?fields=status")["status"]["state"] == "offline"


def test_one_of_a_pool_lasts_until_the_pool_is_seen_again(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "THRESHOLDS", ((0, ALERT, "nearly full"),))
    pair.settle()
    monkeypatch.setattr(pools, "CHECKED_AT_ONCE", -1)
    pair.first.tasks_run = False
    pair.fail_over()
    assert sorted(_events(pair, "pool.space")) == [(NODE_UUID, True)] * 2
    pair.first.tasks_run = True
    pair.settle()
    assert sorted(_events(pair, "pool.space")) == [(NODE_UUID, True)] * 2
    monkeypatch.setattr(pools, "THRESHOLDS", ())
    pair.settle()
    assert sorted(_events(pair, "pool.space")) == [(NODE_UUID, False)] * 2
