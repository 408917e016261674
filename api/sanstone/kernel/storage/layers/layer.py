"""The protocol of a layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sanstone.kernel.host import Host, MappedDevice, Target

SECTOR = 512
"""Bytes of device-mapper's unit of length, whatever the block size."""


class Layer(Protocol):
    """One device-mapper device of a stack. Equal layers have equal tables."""

    @property
    def name(self) -> str:
        """What the names of its devices end with; one of `layers.ORDER`."""

    @property
    def unit(self) -> int:
        """Bytes of which the device's size must be a multiple."""

    def table(
        self, host: Host, below: MappedDevice, sectors: int, live: Sequence[Target]
    ) -> list[Target]:
        """Return the table that maps `sectors` of the device below.

        `live` is the table that the device has now, empty for one that is not active: what must not
        change under hosts is taken over from it.
        """
