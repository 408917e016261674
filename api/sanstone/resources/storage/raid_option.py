"""`private/cli/storage/raid-options`: when spare disks take the place of others.

ONTAP's API has no other place for what its command `storage raid-options` shows. Two of the options
are ONTAP's, with its defaults; it has none for `raid.reconstruct.auto.enable`, as it always
rebuilds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Reader, Resource, constant
from sanstone.core.declaration.types import Text
from sanstone.model.cluster import Cluster, the_cluster
from sanstone.rules.cluster.node import node_fields
from sanstone.rules.storage.spares import MOST_WANTED

SWITCH = {"on": True, "off": False}
COUNT = {str(count): count for count in range(MOST_WANTED + 1)}


@dataclass(frozen=True)
class Kind:
    """An option: the array's column, its values there, and its purpose."""

    column: str
    values: dict[str, Any]
    doc: str


OPTIONS = {
    "raid.disk.copy.auto.enable": Kind(
        "copies_failing",
        SWITCH,
        "Whether a disk that predicts its failure, or is far slower than the others, is copied to "
        "a spare disk, which takes its place: on, off.",
    ),
    "raid.min_spare_count": Kind(
        "min_spare_count",
        COUNT,
        "Spare disks that must fit each aggregate, or an alert opens: 0, for arrays meant to have "
        f"none, to {MOST_WANTED}.",
    ),
    "raid.reconstruct.auto.enable": Kind(
        "replaces_failed",
        SWITCH,
        "Whether a spare disk takes the place of one that failed, or is gone for minutes: on, off.",
    ),
}


@dataclass(frozen=True)
class RaidOption:
    """An option, and the array's row that has its value."""

    name: str
    cluster: Cluster

    @property
    def kind(self) -> Kind:
        """Return its declaration."""
        return OPTIONS[self.name]

    @property
    def value(self) -> str:
        """Return its value."""
        current = getattr(self.cluster, self.kind.column)
        return next(word for word, each in self.kind.values.items() if each == current)


class RaidOptionResource(Resource[RaidOption]):
    """Options of RAID."""

    path = "private/cli/storage/raid-options"
    doc = "Options of RAID: when spare disks take the place of others, and how many there must be."
    model = Cluster
    keys = ("name",)
    order = ("name",)
    methods = frozenset({"GET", "PATCH"})
    fields = (
        *node_fields(),
        Field("name", Text(64), "Name of the option."),
        Field("value", Text(8, 1), "Its value; `description` tells which it may have.", MODIFY),
        Field("description", Text(), "Its purpose.", get=lambda row, _: row.kind.doc),
        Field(
            "constraint",
            Text(),
            "What keeps it from being changed: none.",
            get=constant("none"),
        ),
    )

    def rows(self, reader: Reader) -> Sequence[RaidOption]:
        """Return all options."""
        cluster = the_cluster(reader.session)
        return [RaidOption(name, cluster) for name in OPTIONS]

    def update(self, change: Change, row: RaidOption, values: dict[str, Any]) -> None:
        """Set an option. Raises ApiError for a value that it cannot have."""
        if "value" not in values:
            return
        allowed = row.kind.values
        if values["value"] not in allowed:
            text = f"{row.name} is one of {', '.join(allowed)}."
            raise errors.invalid(text, "value")
        setattr(row.cluster, row.kind.column, allowed[values["value"]])
        change.add(row.cluster)
