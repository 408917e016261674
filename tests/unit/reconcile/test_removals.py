"""Foreign orders to destroy data are reported, and disturb nothing else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import scenarios
from simulator import NODE_UUID, Simulator, simulated

from sanstone.core.database import store
from sanstone.core.database.change import Removal

NOBODY = "00000000-0000-4000-8000-00000000dead"
OWNER = f"storage/luns:{NOBODY}"
AGGREGATE = {"uuid": NOBODY, "raid_type": "raid_dp", "groups": [["1.0.1"]]}


with_lun = scenarios.chain(scenarios.pool, scenarios.lun)


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array with a LUN."""
    with simulated(tmp_path, with_lun) as array:
        yield array


def order(kind: str, data: object, node: str = NODE_UUID) -> None:
    """Write an order into the database as its file's owner."""
    with closing(sqlite3.connect(store.path())) as other, other:
        other.execute(
            "INSERT INTO removal (uuid, kind, owner, node_uuid, data) VALUES (?, ?, ?, ?, ?)",
            (NOBODY, kind, OWNER, node, json.dumps(data)),
        )


def orders(array: Simulator) -> list[str]:
    """Return the UUIDs of the orders that are left."""
    with store.reading(array.database) as session:
        return [row.uuid for row in session.query(Removal)]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("everything", {}),
        ("thin", {}),
        ("thin", [1]),
        ("thin", {"uuid": "../x", "aggregate": NOBODY, "thin_id": 1}),
        ("thin", {"uuid": NOBODY, "aggregate": NOBODY, "thin_id": 1 << 24}),
        ("content", {"aggregate": NOBODY, "thin_id": "1"}),
        ("reservations", {"serial": "../../../shadow"}),
        ("aggregate", AGGREGATE | {"raid_type": "raid99"}),
        ("aggregate", AGGREGATE | {"groups": "1.0.1"}),
        ("disk", AGGREGATE | {"number": True}),
        ("disk", AGGREGATE | {"number": 0, "groups": [["1.0.1", "1.0.2"]]}),
        ("package", {"version": 7}),
        ("erasure", {"groups": [["1.0.1"]], "method": "everything", "content": ""}),
        ("erasure", {"groups": [["1.0.1", "1.0.2"]], "method": "labels", "content": ""}),
    ],
)
def test_a_foreign_order_is_reported_and_others_are_carried_out(
    array: Simulator, kind: str, data: Any
) -> None:
    order(kind, data)
    array.settle()
    [event] = array.get("support/ems/events?message.name=storage/luns.fault&fields=log_message")[
        "records"
    ]
    assert event["log_message"] == f'there can be no order to remove "{kind}" like this'
    [lun] = array.get("storage/luns")["records"]
    array.do("DELETE", f"storage/luns/{lun['uuid']}")
    assert array.get("storage/luns")["records"] == []
    assert orders(array) == [NOBODY]


def test_an_order_of_no_node_is_reported(array: Simulator) -> None:
    order("package", {"version": "1.0.0"}, node=NOBODY)
    array.settle()
    fault = "there can be no order to remove"
    events = array.get("support/ems/events?message.name=storage/luns.fault&fields=log_message")
    assert [fault in event["log_message"] for event in events["records"]] == [True]
    assert orders(array) == [NOBODY]
