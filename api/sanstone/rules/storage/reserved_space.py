"""The promises of volumes to their LUNs and namespaces, out of the aggregate's space.

A volume with the guarantee `volume` has its size to itself, whatever others take. What snapshots
hold is of that, and the rest is promised to its LUNs and namespaces:

1. to each its size, those with a reservation first, as far as the volume's goes;
2. of the rest, to each as much again: after a snapshot every block may have to be copied at its
   next write, so that the snapshot keeps it. That is ONTAP's fractional reserve of 100 %, but no
   snapshot is refused where less is left;
3. to one of them the rest then, so that nobody else takes it.

An empty volume promises nothing yet: there is nobody to whom. A volume without a guarantee never
does: its content takes the space that others leave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sanstone.core.declaration.resource import Reader
from sanstone.model.volumes import ThinDevice

GUARANTEED = "volume"


class Content(NamedTuple):
    """A LUN or namespace in a volume; `size` in bytes."""

    uuid: str
    size: int
    reserved: bool


class Promise(NamedTuple):
    """The space that a LUN or namespace has to itself, in bytes."""

    size: int
    """As much as it may take."""
    copies: int
    """As much as copies for snapshots may take."""


def promises(size: int, contents: Collection[Content], snapshots_hold: int) -> dict[str, Promise]:
    """Return the promises of a guaranteed volume of `size` bytes, by UUID.

    `snapshots_hold` are the bytes that only snapshots have.
    """
    remaining = max(0, size - snapshots_hold)
    ordered = sorted(contents, key=lambda content: not content.reserved)
    sizes = _shared_out(remaining, ordered)
    remaining -= sum(sizes.values())
    copies = _shared_out(remaining, ordered)
    remaining -= sum(copies.values())
    if ordered:
        copies[ordered[0].uuid] += remaining
    return {uuid: Promise(share, copies[uuid]) for uuid, share in sizes.items()}


def is_refused(row: ThinDevice, reader: Reader) -> bool:
    """Return whether writes of a LUN or namespace that need new space are refused.

    So it is for what was promised nothing, where the aggregate has only promised space left.
    """
    if row.volume.guarantee == GUARANTEED:
        return False
    return bool(row.volume.aggregate.facts(reader).get("overcommitted_full", False))


def _shared_out(remaining: int, contents: Iterable[Content]) -> dict[str, int]:
    """Return the share of each in `remaining` bytes, the first as much as its size, and so on."""
    shares = {}
    for content in contents:
        shares[content.uuid] = min(content.size, remaining)
        remaining -= shares[content.uuid]
    return shares
