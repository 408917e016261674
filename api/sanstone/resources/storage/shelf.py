"""`storage/shelves`: shelves of disks that tell of their bays, as observed by the reconciler.

Disks in the machine itself, and in shelves that say nothing of themselves, are in none of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core.declaration.resource import Field, Items, Reader, Resource, seen
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text
from sanstone.core.observed import Observed, shown
from sanstone.model.aggregates import Disk
from sanstone.model.observations import SHELVES
from sanstone.resources.without_effect import fixed

_STATES = {
    "OK": "ok",
    "not installed": "ok",
    "critical": "error",
    "unrecoverable": "error",
    "non-critical": "warning",
}
"""By the kernel's word for a bay (enclosure_status in drivers/misc/enclosure.c)."""


def _bays(row: Observed, reader: Reader) -> Iterable[dict[str, Any]]:
    names = reader.once(_names)
    for bay in row.data["bays"]:
        yield {**bay, "disk": names.get(bay["disk"])}


def _names(session: Session) -> dict[str, str]:
    """Return the name of each disk by its identity."""
    return {disk.uid: disk.name for disk in session.scalars(select(Disk))}


class ShelfResource(Resource[Observed]):
    """Shelves."""

    path = SHELVES
    doc = "Shelves of disks, and the content of each bay."
    model = Observed
    keys = ("uid",)
    order = ("key",)
    methods = frozenset({"GET"})
    fields = (
        Field("uid", Text(), "The shelf's logical identifier, in hexadecimal.", attribute="key"),
        Field("manufacturer.name", Text(), "Manufacturer.", get=seen("vendor")),
        Field("model", Text(), "Model.", get=seen("model")),
        fixed("local", Boolean(), "Whether it belongs to this array.", True),
        Field(
            "disk_count",
            Integer(),
            "Number of its disks.",
            get=lambda row, _: sum(bool(bay["disk"]) for bay in row.data["bays"]),
        ),
        Items(
            "bays",
            (
                Field("id", Integer(), "Number of the bay.", get=lambda bay, _: bay["id"]),
                Field(
                    "has_disk",
                    Boolean(),
                    "Whether a disk of the array is in it.",
                    get=lambda bay, _: bay["disk"] is not None,
                ),
                Field(
                    "disk.name",
                    Text(64),
                    "Name of the disk; absent for an empty bay.",
                    get=lambda bay, _: bay["disk"],
                ),
                Field(
                    "state",
                    Choice("ok", "warning", "error", "unknown"),
                    "What the shelf says of it.",
                    get=lambda bay, _: _STATES.get(bay["status"], "unknown"),
                ),
            ),
            "Its bays.",
            get=_bays,
        ),
    )

    def select(self) -> Select[Any]:
        """Return the observations of shelves."""
        return select(Observed).where(shown(SHELVES))
