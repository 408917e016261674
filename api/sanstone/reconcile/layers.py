"""The layers that the configuration declares: the one answer for everything that has any.

Stages and long jobs hand it to the stack (`kernel.storage.stack`) and look into it no further.
"""

from __future__ import annotations

from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.storage.stack.columns import AggregateLayers
from sanstone.kernel.storage.stack.layer import Layer
from sanstone.kernel.storage.stack.quality_of_service import Group, QualityOfService


def of_export(block_size: int, groups: tuple[Group, ...]) -> tuple[Layer, ...]:
    """Return the layers above the thin device of a LUN or namespace, the lowest first.

    `groups` are those that limit it.
    """
    limits = (QualityOfService(groups),) if groups else ()
    return (BlockSize(block_size), *limits)


def of_aggregate(_uuid: str) -> AggregateLayers:
    """Return the layers below an aggregate's volume group: none, in this release.

    They are the same for the aggregate's whole life, and known by its UUID alone.
    """
    return AggregateLayers()
