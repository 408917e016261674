"""Fields of a volume that say how its size follows its use (see `rules.storage.autosize`)."""

from __future__ import annotations

from typing import Any

from sanstone.core import errors
from sanstone.core.declaration.resource import WRITE, Field
from sanstone.core.declaration.types import MIB, Choice, Integer, Size
from sanstone.model.volumes import Volume
from sanstone.rules.storage.autosize import (
    LARGEST,
    MODES,
    OFF,
    default_growth,
    default_maximum,
    default_shrinking,
    settings,
)

_SMALLEST = 20 * MIB


def _field(name: str, kind: Any, doc: str) -> Field:
    return Field(
        f"autosize.{name}",
        kind,
        doc,
        access=WRITE,
        get=lambda row, _: getattr(settings(row), name),
    )


FIELDS = (
    _field(
        "mode",
        Choice(*MODES),
        "Whether its size follows its use: off, grow (it grows), grow_shrink (it becomes smaller "
        "again, too). In use is what LUNs and namespaces take, and what snapshots hold beyond "
        "their share; the array looks every 5 seconds.",
    ),
    _field(
        "maximum",
        Size(_SMALLEST, LARGEST),
        "Bytes to which it grows. A fifth more than its size, where none is given or a new size is "
        "larger.",
    ),
    _field(
        "minimum",
        Size(_SMALLEST, LARGEST),
        "Bytes to which it shrinks. Its size where none is given, or where a new size is smaller.",
    ),
    _field(
        "grow_threshold",
        Integer(1, 100),
        "Percent in use of `space.afs_total` above which it grows. By its size where none is "
        "given: 85 below 20 GB, 90 below 100 GB, 92 below 500 GB, 95 below 1 TB, else 98.",
    ),
    _field(
        "shrink_threshold",
        Integer(0, 99),
        "Percent in use below which it shrinks; 50 where none is given.",
    ),
)

_COLUMNS = {field.name: field.name.replace(".", "_") for field in FIELDS}
"""By field: its column."""


def columns(values: dict[str, Any], size: int) -> dict[str, Any]:
    """Return the columns of a new volume of a size. Raises ApiError."""
    return _merged({}, values, size)


def change(row: Volume, values: dict[str, Any], size: int) -> None:
    """Change how the size of a volume follows its use, which gets a size. Raises ApiError."""
    if size != row.size or _COLUMNS.keys() & values.keys():
        before = {column: getattr(row, column) for column in _COLUMNS.values()}
        for column, value in _merged(before, values, size).items():
            setattr(row, column, value)


def _merged(before: dict[str, Any], values: dict[str, Any], size: int) -> dict[str, Any]:
    """Return the columns after a request. Raises ApiError where they contradict each other.

    Limits that a new size, or switching it on, makes wrong get their defaults, as in ONTAP: a
    script that resizes a volume knows nothing of them. Those that the request gives are refused.
    """
    given = {column: values[name] for name, column in _COLUMNS.items() if name in values}
    merged = dict.fromkeys(_COLUMNS.values()) | before | given
    mode = merged["autosize_mode"] = merged["autosize_mode"] or OFF
    maximum, minimum = merged["autosize_maximum"], merged["autosize_minimum"]
    grow = merged["autosize_grow_threshold"] or default_growth(size)
    shrink = merged["autosize_shrink_threshold"]
    shrink = default_shrinking(grow) if shrink is None else shrink
    if shrink >= grow:
        text = f"A volume cannot grow above {grow} percent and shrink below {shrink} percent."
        raise errors.invalid(text, "autosize.shrink_threshold")
    if mode == OFF:
        return merged
    if maximum is None or maximum < size:
        if "autosize_maximum" in given:
            text = f"The volume has {size} bytes, and cannot grow to {maximum}."
            raise errors.invalid(text, "autosize.maximum")
        maximum = default_maximum(size)
    if minimum is None or minimum > size:
        if "autosize_minimum" in given:
            text = f"The volume has {size} bytes, and cannot shrink to {minimum}."
            raise errors.invalid(text, "autosize.minimum")
        minimum = size
    return merged | {"autosize_maximum": maximum, "autosize_minimum": minimum}
