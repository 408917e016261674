"""Locate lights: on while they are ordered, for a time after which they go off by themselves.

A light belongs to a bay, and an order to the disk in it: the light goes off when that is taken out.
A light that was never ordered is left as it is.
"""

from __future__ import annotations

import time
from collections import defaultdict
from functools import cache

from sqlalchemy import Select, select

from sanstone.kernel.hardware import enclosures
from sanstone.kernel.hardware.enclosures import Bay
from sanstone.kernel.host import HostError
from sanstone.model.aggregates import Disk
from sanstone.reconcile.results import DisksRead, LightsSwitched
from sanstone.reconcile.tasks.disk_reader import Readings
from sanstone.reconcile.turn import Turn

FRESH = 180.0
"""Seconds for which a shelf that answered is taken to answer. To switch a light of one that does
not would stop the turn for minutes."""


def reconcile(turn: Turn, _disks: DisksRead) -> LightsSwitched:
    """Switch the lights that are not as ordered."""
    now = time.time()
    by_light: dict[str, list[tuple[Disk, Bay]]] = defaultdict(list)
    for row in turn.session.scalars(_orders()):
        bay = _bay(turn, row)
        if bay is not None and bay.light:
            by_light[bay.light].append((row, bay))
    for light, ordered in by_light.items():
        # The order about the disk that is in the bay now counts.
        row, bay = max(ordered, key=lambda each: each[0].uid == each[1].disk)
        is_on = row.uid == bay.disk and (row.locate_until or 0.0) > now
        if is_on is not bay.lit:
            with turn.attempt(row.owner, subject=f"Disk {row.name}"):
                _switch(turn, row, light, on=is_on)
    return LightsSwitched(turn.outcomes)


@cache
def _orders() -> Select[tuple[Disk]]:
    return select(Disk).where(Disk.locate_until.is_not(None)).order_by(Disk.name)


def _bay(turn: Turn, row: Disk) -> Bay | None:
    """Return the bay that a disk is in, or was last in; None when it is not known."""
    readings = turn.memory.of(Readings)
    place = readings.bays().get(row.uid)
    if place is not None:
        return place[1]
    facts = turn.seen.of(Disk.kind, row.uid)
    for shelf in readings.shelves or ():
        for bay in shelf.bays:
            if (shelf.uid, bay.number) == (facts.get("shelf", ""), facts.get("bay")):
                return bay
    return None


def _switch(turn: Turn, row: Disk, light: str, *, on: bool) -> None:
    readings = turn.memory.of(Readings)
    if time.monotonic() - readings.shelves_read > FRESH:
        raise HostError("its shelf does not answer")
    enclosures.switch(turn.host, light, on=on)
    readings.note_light(light, lit=on)
    facts = turn.seen.of(Disk.kind, row.uid)
    if facts.get("present"):
        facts["light"] = "on" if on else "off"
    turn.did(f"locate light of disk {row.name}: {'on' if on else 'off'}")
