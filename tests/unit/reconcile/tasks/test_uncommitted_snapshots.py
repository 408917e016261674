"""Snapshots of groups that were started and never committed."""

from __future__ import annotations

import time

from scenarios import chain, lun, pool
from simulator import NODE_UUID, Simulator

from sanstone.reconcile.tasks import uncommitted_snapshots

GROUPS = "application/consistency-groups"


def test_expired_uncommitted_snapshots_are_deleted(array: Simulator) -> None:
    chain(pool, lun)(array)
    body = {"svm.name": "svm1", "name": "g", "volumes": [{"name": "vol1"}]}
    path = f"{GROUPS}/{array.make(GROUPS, body)['uuid']}/snapshots"
    before = array.dump()
    array.do("POST", f"{path}?action=start&action_timeout=60", {"name": "s1"})
    now = time.time()  # noqa: TID251 - the clock that stands
    for moment, names in ((now + 59, ["s1"]), (now + 61, [])):
        uncommitted_snapshots.run(array.database, NODE_UUID, moment)
        array.settle()
        assert [row["name"] for row in array.get(path)["records"]] == names
    assert array.dump() == before
    events = array.get("support/ems/events?message.name=snapshot.uncommitted")
    assert events["num_records"] == 1
    array.do("POST", path, {"name": "s2"})
    uncommitted_snapshots.run(array.database, NODE_UUID, now + 10**6)
    assert array.get(path)["num_records"] == 1
