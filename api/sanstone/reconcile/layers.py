"""The layers that the configuration declares: the one answer for everything that has any.

Stages and long jobs hand it to the stack (`kernel.storage.stack`) and look into it no further.
"""

from __future__ import annotations

from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.storage.stack.columns import AggregateLayers
from sanstone.kernel.storage.stack.layer import Layer


def of_export(block_size: int) -> tuple[Layer, ...]:
    """Return the layers above the thin device of a LUN or namespace, the lowest first."""
    return (BlockSize(block_size),)


def of_aggregate(_uuid: str) -> AggregateLayers:
    """Return the layers below an aggregate's volume group: none, in this release.

    They are the same for the aggregate's whole life, and known by its UUID alone.
    """
    return AggregateLayers()
