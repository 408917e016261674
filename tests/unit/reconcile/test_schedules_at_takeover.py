"""What the array does by itself is done once, by the node that owns the object at that time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from simulator import NODE_UUID, Simulator
from standing_clock import Clock
from two_nodes import OF_SVM, PARTNER, Pair, two_serving_nodes

from sanstone.core import observed
from sanstone.core.database.store import reading, writing
from sanstone.core.observed import Observed
from sanstone.model.observations import SNAPSHOT_SPACE

VOLUMES, GROUPS, EVENTS = (
    "storage/volumes",
    "application/consistency-groups",
    "support/ems/events",
)
HOUR, MINUTE = 3600, 60


@pytest.fixture
def pair(tmp_path: Path, clock: Clock) -> Iterator[Pair]:
    """An array of two nodes that serve hosts, at half past twelve, with an hourly policy."""
    with two_serving_nodes(tmp_path) as pair:
        clock.now = datetime(2027, 11, 21, 12, 30, tzinfo=UTC).timestamp()
        copies = [{"schedule": "hourly", "count": 20, "prefix": "h"}]
        pair.first.do("POST", "storage/snapshot-policies", {"name": "p", "copies": copies})
        yield pair


def _with_policy(pair: Pair) -> str:
    """Give the second node's volume the policy; return the path of its snapshots."""
    path = f"{VOLUMES}/{pair.first.uuid_of(VOLUMES, 'vol2')}"
    pair.first.do("PATCH", path, {"snapshot_policy": {"name": "p"}})
    pair.settle()
    return f"{path}/snapshots"


def _hours(pair: Pair, path: str) -> list[str]:
    """Return the hours of snapshots that were taken."""
    rows = pair.first.get(f"{path}?order_by=create_time")["records"]
    return [row["name"].rpartition("_")[2] for row in rows]


def _pass_an_hour(pair: Pair, clock: Clock) -> None:
    clock.now += HOUR
    pair.settle()


def test_each_scheduled_snapshot_is_taken_once(pair: Pair, clock: Clock) -> None:
    path = _with_policy(pair)
    _pass_an_hour(pair, clock)
    assert _hours(pair, path) == ["1305"]
    pair.fail_over()
    assert _hours(pair, path) == ["1305"]
    _pass_an_hour(pair, clock)
    _pass_an_hour(pair, clock)
    pair.come_back()
    pair.settle()
    pair.settle()
    assert _hours(pair, path) == ["1305", "1405", "1505"]
    _pass_an_hour(pair, clock)
    assert _hours(pair, path) == ["1305", "1405", "1505", "1605"]
    assert _count(pair.first, "snapshot.schedule.failed") == 0


def test_a_snapshot_that_was_due_before_the_takeover_is_taken_after_it(
    pair: Pair, clock: Clock
) -> None:
    path = _with_policy(pair)
    pair.take_over()
    clock.now += HOUR
    pair.settle()
    assert _hours(pair, path) == ["1305"]


def test_so_is_that_of_a_group(pair: Pair, clock: Clock) -> None:
    body = OF_SVM | {"name": "g", "volumes": [{"name": "vol2"}], "snapshot_policy": {"name": "p"}}
    path = f"{GROUPS}/{pair.second.make(GROUPS, body)['uuid']}/snapshots"
    pair.settle()
    _pass_an_hour(pair, clock)
    pair.fail_over()
    _pass_an_hour(pair, clock)
    pair.come_back()
    pair.settle()
    _pass_an_hour(pair, clock)
    assert _hours(pair, path) == ["1305", "1405", "1505"]
    assert _count(pair.first, "snapshot.schedule.failed") == 0


def test_what_nobody_commits_goes_once_by_its_owner(pair: Pair, clock: Clock) -> None:
    body = OF_SVM | {"name": "g", "volumes": [{"name": "vol2"}]}
    path = f"{GROUPS}/{pair.second.make(GROUPS, body)['uuid']}/snapshots"
    pair.second.do("POST", f"{path}?action=start&action_timeout=60", {"name": "s1"})
    clock.now += 2 * MINUTE
    pair.first.settle()
    assert pair.first.get(path)["num_records"] == 1
    pair.fail_over()
    assert pair.first.get(path)["num_records"] == 0
    assert _count(pair.first, "snapshot.uncommitted") == 1


def test_what_snapshots_were_found_to_hold_goes_with_their_volume(pair: Pair) -> None:
    volume = pair.first.uuid_of(VOLUMES, "vol2")
    row = {"kind": SNAPSHOT_SPACE, "key": volume, "data": {"sizes": [], "measured": 1.0}}
    with writing(pair.first.database) as session:
        session.add(Observed(**row, node_uuid=PARTNER))
    for go, node in ((pair.fail_over, NODE_UUID), (pair.come_back, PARTNER)):
        go()
        with reading(pair.first.database) as session:
            assert observed.observers(session, SNAPSHOT_SPACE) == {volume: {node}}


def _count(node: Simulator, name: str) -> int:
    return int(node.get(f"{EVENTS}?message.name={name}")["num_records"])
