"""The protocol of a layer."""

from __future__ import annotations

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

    def needed(self, host: Host) -> bool:
        """Return whether this kernel needs a device for it.

        A device that is live keeps its layers until its next activation, when no host uses it.
        """

    def table(self, below: MappedDevice, sectors: int) -> list[Target]:
        """Return the table that maps `sectors` of the device below."""
