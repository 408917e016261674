"""The protocol of a layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sanstone.kernel.host import Host, MappedDevice, Target

SECTOR = 512
"""Bytes of device-mapper's unit of length, for any block size."""


class Layer(Protocol):
    """One device-mapper device of a stack. Equal layers have equal tables."""

    @property
    def name(self) -> str:
        """The suffix of its devices' names; one of `layers.ORDER`."""

    @property
    def unit(self) -> int:
        """The device's size must be a multiple of so many bytes."""

    def table(
        self, host: Host, below: MappedDevice, sectors: int, live: Sequence[Target]
    ) -> list[Target]:
        """Return the table that maps `sectors` of the device below.

        `live` is the device's current table, empty for an inactive one: settings that must not
        change under hosts are taken from it.
        """
