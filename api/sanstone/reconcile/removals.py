"""Destroy what recorded orders name (`core.database.change.Removal`), after a look at the orders.

An order comes from a database that others can write in. One that the array cannot have written is
reported as the fault of its owner, and nothing else is done with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from sanstone.core import names
from sanstone.core.database.change import (
    AGGREGATE,
    CONTENT,
    DISK,
    ERASURE,
    PACKAGE,
    RESERVATIONS,
    THIN,
    Removal,
)
from sanstone.core.database.statements import every
from sanstone.core.database.store import is_uuid
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import disk_erasure, md, thin
from sanstone.model.nodes import every_node
from sanstone.reconcile.results import DataRemoved, PoolsActive, StaleDevicesRemoved
from sanstone.reconcile.stages import devices, disk_erasures, pools, raid, software
from sanstone.reconcile.turn import RemovalOrders, Turn

MOST_GROUPS = 1000
"""RAID groups of an aggregate, and one more than the greatest number of one."""


class Kind(NamedTuple):
    """A kind of removals: the function that removes and returns whether it is gone, and by name
    whether a value of the order's data can be one.
    """

    remove: Callable[[Turn, Removal], bool]
    data: Mapping[str, Callable[[Any], bool]]


def _is_number(value: Any, end: int) -> bool:
    return type(value) is int and 0 <= value < end


def _is_thin_id(value: Any) -> bool:
    return _is_number(value, thin.MAXIMUM_THIN_ID + 1)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_serial(value: Any) -> bool:
    return _is_text(value) and re.fullmatch(names.LUN_SERIAL, value) is not None


def _is_raid_type(value: Any) -> bool:
    return _is_text(value) and value in md.RAID_TYPES


def _is_method(value: Any) -> bool:
    return _is_text(value) and value in disk_erasure.METHODS


def _are_groups(value: Any) -> bool:
    """Return whether it is the identities of the disks of each RAID group."""
    return (
        isinstance(value, list)
        and len(value) <= MOST_GROUPS
        and all(isinstance(group, list) and all(map(_is_text, group)) for group in value)
    )


def _is_one_disk(value: Any) -> bool:
    return _are_groups(value) and [len(group) for group in value] == [1]


_IN_POOL = {"aggregate": is_uuid, "thin_id": _is_thin_id}
_OF_AGGREGATE = {"uuid": is_uuid, "raid_type": _is_raid_type}
KINDS: Mapping[str, Kind] = {
    THIN: Kind(devices.remove, {"uuid": is_uuid, **_IN_POOL}),
    CONTENT: Kind(devices.remove_content, _IN_POOL),
    RESERVATIONS: Kind(devices.remove_reservations, {"serial": _is_serial}),
    AGGREGATE: Kind(pools.remove, {**_OF_AGGREGATE, "groups": _are_groups}),
    DISK: Kind(
        raid.clear,
        {
            **_OF_AGGREGATE,
            "number": lambda value: _is_number(value, MOST_GROUPS),
            "groups": _is_one_disk,
        },
    ),
    ERASURE: Kind(
        disk_erasures.erase,
        {"groups": _is_one_disk, "method": _is_method, "content": _is_text},
    ),
    PACKAGE: Kind(software.remove_package, {"version": _is_text}),
}


def sorted_out(session: Session, node_uuid: str) -> RemovalOrders:
    """Return a node's orders by whether the array may have written them.

    What names no node of the array is foreign to each.
    """
    sound: list[Removal] = []
    foreign: list[Removal] = []
    rows = session.scalars(every(Removal)).all()
    others = {node.uuid for node in every_node(session)} - {node_uuid} if rows else set()
    for row in (each for each in rows if each.node_uuid not in others):
        (sound if row.node_uuid == node_uuid and _is_sound(row) else foreign).append(row)
    return RemovalOrders(sound, foreign)


def _is_sound(row: Removal) -> bool:
    kind = KINDS.get(row.kind)
    return (
        kind is not None
        and isinstance(row.data, dict)
        and all(fits(row.data.get(name)) for name, fits in kind.data.items())
    )


def reconcile(turn: Turn, _pools: PoolsActive, _devices: StaleDevicesRemoved) -> DataRemoved:
    """Destroy the data of the orders that are due, and report the foreign ones."""
    every = turn.looks or turn.whole
    turn.judge(None if every else turn.scope.owners)
    for row in turn.removals.foreign:
        turn.fail(row.owner, HostError('there can be no order to remove "{}" like this', row.kind))
    finished: list[str] = []
    for row in turn.removals.sound:
        if every or row.owner in turn.scope.owners:
            with turn.attempt(row.owner):
                if KINDS[row.kind].remove(turn, row):
                    finished.append(row.uuid)
    return DataRemoved(turn.outcomes, tuple(finished))
