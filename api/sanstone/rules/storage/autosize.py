"""The size of volumes that follow their use, as ONTAP's `volume autosize` has it.

The use is the space of LUNs and namespaces, and the space of snapshots beyond the share that is
kept for them. Where that is more than the threshold of growth, of the bytes that LUNs and
namespaces may take, the volume grows, so that it is a twentieth below the threshold. It grows to
its maximum, and with a guarantee only into what its aggregate has neither promised nor given away.
With the mode `grow_shrink` a volume with less in use than the threshold of shrinking becomes
smaller, so that its use is midway between both thresholds, down to its minimum.

A size without a guarantee limits no host. It limits the reservations in the volume.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from sanstone.core.declaration.resource import Reader
from sanstone.core.declaration.types import GIB, MIB, PIB, TIB
from sanstone.model.volumes import Volume, usable
from sanstone.rules.storage import aggregates
from sanstone.rules.storage.reserved_space import GUARANTEED
from sanstone.rules.storage.snapshot_space import held_in
from sanstone.rules.storage.volume_promises import largest_size

OFF, GROW, GROW_SHRINK = MODES = ("off", "grow", "grow_shrink")
LARGEST: int = PIB
"""More bytes than a pool can hold."""
_GROWTHS = ((20 * GIB, 85), (100 * GIB, 90), (500 * GIB, 92), (TIB, 95))
"""Up to which size a volume has which threshold of growth unless it is set, in percent: ONTAP's
defaults. Larger ones have `_OF_THE_LARGEST`."""
_OF_THE_LARGEST = 98
_SHRINKING = 50
"""Percent in use below which a volume shrinks unless it is set."""
_STEP: int = MIB
"""Sizes to which volumes grow and shrink are multiples of it, in bytes."""
_WHOLE = 10_000
"""The whole of the shares that are computed here."""


class Autosize(NamedTuple):
    """How the size of a volume follows its use; sizes in bytes, thresholds in percent."""

    mode: str
    maximum: int
    minimum: int
    grow_threshold: int
    shrink_threshold: int


class Use(NamedTuple):
    """The space in use in a volume, in bytes."""

    taken: int
    """By LUNs and namespaces."""
    held: int | None
    """By snapshots alone; None where that is unknown."""


class Hindrance(StrEnum):
    """Why a volume cannot grow as it should."""

    NONE = ""
    MAXIMUM = "maximum"
    AGGREGATE = "aggregate"


class Resize(NamedTuple):
    """The size that a volume is to have, in bytes, and what keeps it from a larger one."""

    size: int
    hindrance: Hindrance = Hindrance.NONE


def settings(row: Volume) -> Autosize:
    """Return the settings of a volume, with the defaults of those that are not set."""
    grow = row.autosize_grow_threshold or default_growth(row.size)
    shrink = row.autosize_shrink_threshold
    return Autosize(
        row.autosize_mode,
        row.autosize_maximum or default_maximum(row.size),
        row.autosize_minimum or row.size,
        grow,
        default_shrinking(grow) if shrink is None else shrink,
    )


def default_maximum(size: int) -> int:
    """Return the most bytes to which a volume of a size grows, as in ONTAP: a fifth more."""
    return min(LARGEST, size * 120 // 100)


def default_growth(size: int) -> int:
    """Return the percent in use above which a volume of a size grows."""
    return next((percent for limit, percent in _GROWTHS if size < limit), _OF_THE_LARGEST)


def default_shrinking(grow_threshold: int) -> int:
    """Return the percent in use below which a volume shrinks."""
    return _SHRINKING if grow_threshold > _SHRINKING else grow_threshold // 2


def judge(row: Volume, taken: int, reader: Reader) -> Resize:
    """Return the size for a volume with `taken` bytes in LUNs and namespaces.

    It stays as it is while nobody knows the use: where the volume or its aggregate is not online.
    """
    online = row.state == "online" and aggregates.state(row.aggregate, reader) == "online"
    if row.autosize_mode == OFF or not online:
        return Resize(row.size)
    wanted = wanted_size(
        settings(row), row.size, row.snapshot_reserve_percent, Use(taken, held_in(row, reader))
    )
    if wanted.size <= row.size or row.guarantee != GUARANTEED:
        return wanted
    most = largest_size(reader, row.aggregate, row) // _STEP * _STEP
    if most >= wanted.size:
        return wanted
    return Resize(max(row.size, most), Hindrance.AGGREGATE)


def wanted_size(own: Autosize, size: int, reserve_percent: int, use: Use) -> Resize:
    """Return the size that a volume's own settings want for a use.

    `reserve_percent` is the share of it that is kept for snapshots. Snapshots of unknown size count
    as none for growth, and keep a volume from shrinking.
    """
    percent = in_use(use, size, reserve_percent)
    if percent > own.grow_threshold:
        wanted = _size_for(use, reserve_percent, own.grow_threshold * _WHOLE // 100 * 19 // 20)
        if wanted > own.maximum:
            return Resize(max(size, own.maximum), Hindrance.MAXIMUM)
        return Resize(max(size, wanted))
    if own.mode == GROW_SHRINK and use.held is not None and percent < own.shrink_threshold:
        midway = (own.grow_threshold + own.shrink_threshold) * _WHOLE // 200
        return Resize(min(size, max(own.minimum, _size_for(use, reserve_percent, midway))))
    return Resize(size)


def in_use(use: Use, size: int, reserve_percent: int) -> float:
    """Return the percent in use of the room for LUNs and namespaces in a volume of a size."""
    room = usable(size, reserve_percent)
    spilled = max(0, (use.held or 0) - (size - room))
    return 100 * (use.taken + spilled) / room if room else 0.0


def _size_for(use: Use, reserve_percent: int, share: int) -> int:
    """Return the size with the use as a share of `_WHOLE`, with the snapshots' own."""
    room = share * (100 - reserve_percent)
    with_snapshots = room + reserve_percent * _WHOLE
    needed = max(
        -(-use.taken * 100 * _WHOLE // room),
        -(-(use.taken + (use.held or 0)) * 100 * _WHOLE // with_snapshots),
    )
    return -(-needed // _STEP) * _STEP
