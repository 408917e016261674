"""The space of aggregates and volumes in the records of their `/metrics`.

Samples are taken every 5 minutes, beside the figures of what hosts do. Where there is none, such as
while the array was off or the aggregate not served, the fields are absent: never zero.
"""

from __future__ import annotations

from sanstone.core.declaration.resource import Field, Getter
from sanstone.core.declaration.types import Integer, Size

_SAMPLED = "as of the last sample in the interval; one is taken every 5 minutes."


def aggregate_space() -> tuple[Field, ...]:
    """Return the fields of an aggregate."""
    return (
        Field("space.block_storage.size", Size(), f"Bytes, {_SAMPLED}", get=_sampled("size")),
        Field(
            "space.block_storage.used",
            Size(),
            f"Bytes in use, {_SAMPLED}",
            get=_sampled("used"),
        ),
        Field(
            "space.block_storage.metadata_used_percent",
            Integer(),
            f"How full the pool's metadata was, {_SAMPLED}",
            get=_sampled("metadata_percent"),
        ),
        Field(
            "space.provisioned",
            Size(),
            f"Bytes of its volumes' sizes together, {_SAMPLED}",
            get=_sampled("provisioned"),
        ),
    )


def volume_space() -> tuple[Field, ...]:
    """Return the fields of a volume."""
    return (
        Field("space.size", Size(), f"Bytes, {_SAMPLED}", get=_sampled("size")),
        Field(
            "space.used",
            Size(),
            f"Bytes used or reserved in it, {_SAMPLED}",
            get=_sampled("used"),
        ),
        Field(
            "space.snapshot.used",
            Size(),
            f"Bytes that its snapshots held, {_SAMPLED} Absent while that was not measured.",
            get=_sampled("snapshots"),
        ),
        Field(
            "space.provisioned",
            Size(),
            f"Bytes that its LUNs and namespaces have together, {_SAMPLED}",
            get=_sampled("provisioned"),
        ),
    )


def _sampled(name: str) -> Getter:
    return lambda row, _reader: getattr(row.space, name)
