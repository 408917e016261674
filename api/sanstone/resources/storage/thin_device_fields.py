"""The fields that LUNs and namespaces share, with ONTAP's error codes, which differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError

from sanstone.core.declaration.getters import Observation
from sanstone.core.declaration.resource import (
    CREATE,
    WRITE,
    Field,
    Node,
    Reader,
    Reference,
    constant,
)
from sanstone.core.declaration.types import (
    TIB,
    Boolean,
    Choice,
    LunPath,
    Size,
    Text,
    Timestamp,
    Uuid,
)
from sanstone.model.volumes import Volume
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.qos_assignment import qos_reference
from sanstone.resources.without_effect import fixed
from sanstone.rules.cluster.node import node_fields, on_its_aggregates_node

ROUNDED_TO = 4096
SMALLEST, LARGEST = ROUNDED_TO, 128 * TIB
"""Limits of a size in bytes; the largest is ONTAP's."""


@dataclass(frozen=True)
class Codes:
    """ONTAP's error codes for one kind; `same_size` is '' where that is not an error."""

    taken: str
    rename_taken: str
    bad_name: str
    no_name: str
    no_volume: str
    mismatch: str
    required: str
    too_small: str
    too_large: str
    bad_size: str
    shrink: str
    mapped: str
    source_by_name: str
    source_by_uuid: str
    not_with_source: str
    same_size: str = ""
    volume_unknown: str = "917927"

    def size(self, raw: Any) -> str:
        """Return the code for an invalid size."""
        try:
            value = Size().parse(raw)
        except ValidationError:
            return self.bad_size
        return self.too_small if value < SMALLEST else self.too_large


Getter = Callable[[Any, Reader], Any]


def rounded(size: int) -> int:
    """Return the size in bytes of a device that is ordered with `size`."""
    return -(-size // ROUNDED_TO) * ROUNDED_TO


def thin_device_fields(
    codes: Codes,
    leaf: str,
    os_types: tuple[str, ...],
    state: Getter,
    container_state: Getter,
) -> tuple[Node, ...]:
    """Return the shared fields; `leaf` is the field that holds a path's last part."""
    base_name = r"(?!\.{1,2}$)[A-Za-z0-9._{}-]+"
    return (
        Field("uuid", Uuid(), "Identity."),
        Field(
            "name",
            LunPath(),
            "Path, /vol/<volume>/<name>; or give the location.",
            access=WRITE,
            code=codes.bad_name,
        ),
        svm_reference(),
        Reference(
            "location.volume",
            Volume,
            "The volume that it is in.",
            access=WRITE,
            attribute="volume",
            scope=("svm",),
            unknown_code=codes.volume_unknown,
        ),
        Field(
            leaf,
            Text(255, 1, base_name, "letters, digits, . _ { } -"),
            "The last part of its path.",
            access=WRITE,
            attribute="base_name",
            code=codes.bad_name,
        ),
        *node_fields("location.node", of=on_its_aggregates_node),
        fixed("location.qtree.name", Text(), "Absent: volumes have no qtrees."),
        Field(
            "os_type",
            Choice(*os_types),
            "Operating system of the hosts; needed, but for a copy.",
            access=CREATE,
        ),
        Field(
            "space.size",
            Size(SMALLEST, LARGEST),
            "Size in bytes, rounded up to 4 KiB; needed, but for a copy; it can only grow.",
            access=WRITE,
            attribute="size",
            code=codes.size,
        ),
        Field(
            "space.used",
            Size(),
            "Bytes that it occupies in the aggregate.",
            get=Observation("used", int, 0),
        ),
        Field(
            "space.guarantee.requested",
            Boolean(),
            "Whether its whole size is set aside in the volume.",
            access=WRITE,
            default=False,
            attribute="reserved",
        ),
        Field(
            "space.guarantee.reserved",
            Boolean(),
            "Whether its whole size is set aside in the aggregate too.",
            get=lambda row, _: row.reserved and row.volume.guarantee == "volume",
        ),
        qos_reference("qos_policy"),
        Field("comment", Text(254), "Comment; that of its source for a copy.", access=WRITE),
        Field("enabled", Boolean(), "Whether hosts may use it.", access=WRITE, default=True),
        Field("create_time", Timestamp(), "When it was created."),
        Field(
            "status.state",
            Choice("online", "offline", "space_error"),
            "Whether it is served. With a space_error it is, but for writes that need new space: "
            "its aggregate has none left but what volumes with a guarantee have to themselves.",
            get=state,
        ),
        Field(
            "status.container_state",
            Choice("online", "aggregate_offline", "volume_offline"),
            "Whether its volume and aggregate are online.",
            get=container_state,
        ),
        Field(
            "status.mapped",
            Boolean(),
            "Whether it is mapped, so that hosts see it.",
            get=lambda row, _: bool(row.mappings),
        ),
        Field("status.read_only", Boolean(), "Never.", get=constant(False)),
        *statistics_fields(),
    )
