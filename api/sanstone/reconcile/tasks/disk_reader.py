"""Reads what disks and shelves say of themselves, beside the turns.

A disk that mends itself answers after a minute, and the kernel waits for a shelf for longer, so no
turn may ask them. A thread does, one disk after the other, and leaves the answers in the memory for
the stages. A disk that sleeps is not woken: its former answer stays.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sanstone.kernel.hardware import disk_health, enclosures
from sanstone.kernel.hardware.disk_health import DiskHealth
from sanstone.kernel.hardware.enclosures import Bay, Shelf
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import disk_sanitize, unready_disks
from sanstone.kernel.storage.block import Disk
from sanstone.kernel.storage.disk_sanitize import Sanitization
from sanstone.reconcile.memory import StageMemory

HEALTH_PERIOD, SHELVES_PERIOD = 300.0, 60.0
"""Seconds after which a disk, and the shelves, are read again."""
UNREADY_PERIOD = 60.0
"""Seconds after which the size of disks that did not tell it is read again."""
SANITIZED_PERIOD = 10.0
"""Seconds after which a disk that sanitizes itself, or failed at it, is read again."""
WITHOUT_HEALTH = frozenset({"virtio", "iscsi"})
"""Transports of disks that are not this machine's own, and tell nothing."""
log = logging.getLogger("sanstone.reconciler")


class HealthReading(NamedTuple):
    """A disk's health report, and its time, in seconds since 1970."""

    health: DiskHealth
    time: float


@dataclass
class Readings(StageMemory):
    """The last readings of disks and shelves. A thread writes it, see `tasks.disk_reader`."""

    health: dict[str, HealthReading] = field(default_factory=dict)
    """By a disk's identity."""
    sanitizations: dict[str, Sanitization] = field(default_factory=dict)
    """Of the disks that answered last, by their identities."""
    shelves: tuple[Shelf, ...] | None = None
    """The shelves, with a disk's identity in the place of its name; None until they were read."""
    shelves_read: float = 0.0
    """When the shelves were read, in seconds of the monotonic clock."""

    def bays(self) -> dict[str, tuple[Shelf, Bay]]:
        """Return the shelf and bay of each disk, by its identity."""
        return {
            bay.disk: (shelf, bay) for shelf in self.shelves or () for bay in shelf.bays if bay.disk
        }

    def note_light(self, light: str, *, lit: bool) -> None:
        """Remember that a bay's light was switched."""
        self.shelves = tuple(
            replace(
                shelf,
                bays=tuple(
                    replace(bay, lit=lit) if bay.light == light else bay for bay in shelf.bays
                ),
            )
            for shelf in self.shelves or ()
        )


class DiskReader:
    """Reads disks and shelves when they are due, into `readings`."""

    def __init__(self, host: Host, readings: Readings) -> None:
        self._host, self._readings = host, readings
        self._disks: Mapping[str, Disk] = {}
        self._shelves_due = self._unready_due = 0.0
        self._due: dict[str, float] = {}
        self._last_read: dict[str, Disk] = {}
        self._errors: list[str] = []
        """Of the run that goes on."""

    def look_at(self, disks: Mapping[str, Disk] | None) -> None:
        """Set the disks that are present, by identity; None when they are not known now."""
        if disks is None:
            return
        if _names(disks) != _names(self._disks):
            # A disk came or went: some bay has changed.
            self._shelves_due = 0.0
        self._disks = dict(disks)

    def read(self) -> str:
        """Read due shelves, then due disks. Return why some failed, '' if none did."""
        disks, self._errors = self._disks, []
        self._read_shelves_if_due()
        for removed in self._readings.health.keys() - disks.keys():
            del self._readings.health[removed]
        for removed in self._readings.sanitizations.keys() - disks.keys():
            del self._readings.sanitizations[removed]
        self._due = {uid: due for uid, due in self._due.items() if uid in disks}
        for uid, disk in disks.items():
            # A disk with any change may have been sanitized, or cannot be read any more.
            has_changed = self._last_read.get(uid) != disk
            due = has_changed or time.monotonic() >= self._due.get(uid, 0.0)
            if due and disk.transport not in WITHOUT_HEALTH:
                self._read_health(uid, disk.path)
                has_state = self._read_sanitization(uid, disk)
                period = SANITIZED_PERIOD if has_state else HEALTH_PERIOD
                self._due[uid], self._last_read[uid] = time.monotonic() + period, disk
                # Disks that hang must not make shelves look as if they did.
                self._read_shelves_if_due()
        self._ask_unready_if_due()
        return "; ".join(self._errors)

    def _ask_unready_if_due(self) -> None:
        if time.monotonic() < self._unready_due:
            return
        self._unready_due = time.monotonic() + UNREADY_PERIOD
        try:
            unready_disks.ask_again(self._host)
        except HostError as error:
            self._report(f"disks without a size are not read again: {error}")

    def _read_shelves_if_due(self) -> None:
        if time.monotonic() < self._shelves_due:
            return
        self._shelves_due = time.monotonic() + SHELVES_PERIOD
        identities = {disk.name: uid for uid, disk in self._disks.items()}
        try:
            shelves = enclosures.shelves(self._host)
        except HostError as error:
            self._report(f"shelves are not read: {error}")
            return
        self._readings.shelves = tuple(_identified(shelf, identities) for shelf in shelves)
        self._readings.shelves_read = time.monotonic()

    def _report(self, text: str) -> None:
        log.warning("%s", text)
        self._errors.append(text)

    def _read_health(self, uid: str, path: str) -> None:
        try:
            health = disk_health.read(self._host, path)
        except HostError as error:
            health = DiskHealth(message=str(error))
        if health is not None:
            self._readings.health[uid] = HealthReading(health, time.time())

    def _read_sanitization(self, uid: str, disk: Disk) -> bool:
        """Ask a disk for its sanitization; return whether it is at that, or failed."""
        try:
            sanitization = disk_sanitize.read(self._host, disk)
        except HostError as error:
            # Most that cannot answer have no such commands.
            log.debug("%s does not tell of its sanitization: %s", disk.path, error)
            self._readings.sanitizations.pop(uid, None)
            return False
        self._readings.sanitizations[uid] = sanitization
        return bool(sanitization.state)


def _names(disks: Mapping[str, Disk]) -> dict[str, str]:
    return {uid: disk.name for uid, disk in disks.items()}


def _identified(shelf: Shelf, identities: Mapping[str, str]) -> Shelf:
    """Return a shelf with the identity of each disk in the place of its name."""
    bays = (replace(bay, disk=identities.get(bay.disk, "")) for bay in shelf.bays)
    return replace(shelf, bays=tuple(bays))
