"""Below the volume group: the layers on one disk, or on one md array, from the bottom.

Such a column comes with its aggregate and goes with it, so no table is swapped under a live device.
It only grows, when the device below has grown: a size that is read too early, of an array that is
being assembled, makes nothing smaller.
"""

from __future__ import annotations

from typing import NamedTuple

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host
from sanstone.kernel.storage import mapped
from sanstone.kernel.storage.mapped import DeviceError, Place
from sanstone.kernel.storage.stack.layer import Below, Layer, of_mapped


class AggregateLayers(NamedTuple):
    """The layers below an aggregate's volume group, the lowest first."""

    under_md: tuple[Layer, ...] = ()
    over_md: tuple[Layer, ...] = ()


class Column(NamedTuple):
    """Layers at their places, the lowest first, which is not empty."""

    parts: tuple[tuple[Place, Layer], ...]

    @property
    def top(self) -> Place:
        """The place of the device on top."""
        return self.parts[-1][0]


def of_path(host: Host, path: str) -> Below:
    """Return a disk or array as what layers lie on. Raises DeviceError, FileError."""
    number = host.files.block_number(path)
    if number is None:
        raise DeviceError("{}: is no block device", path)
    return Below(path, f"{number[0]}:{number[1]}", host.blocks.size(path))


def ensure(host: Host, base: Below, column: Column, *, new: bool) -> tuple[Below, Ensured]:
    """Activate a column on a device; return the device on top.

    Headers are written on a `new` one only, which has no data to keep. Raises HostError.
    """
    below, done = base, Ensured.UNCHANGED
    for place, layer in column.parts:
        size = layer.room(below.size)
        state = mapped.live(host, place)
        if state is None:
            if not layer.is_prepared(host, place, below):
                if not new:
                    text = "{}: the header of layer {} is not there"
                    raise DeviceError(text, below.path, layer.name)
                layer.prepare(host, place, below)
            device, outcome = layer.ensure(host, place, below, size)
        else:
            size = max(size, mapped.size(state))
            grows = size > mapped.size(state)
            change = layer.grow if grows else layer.ensure
            device, outcome = change(host, place, below, size)
        tuned = layer.tune(host, place)
        done = next(
            (each for each in (done, outcome, tuned) if each is not Ensured.UNCHANGED), done
        )
        below = of_mapped(device, size)
    return below, done


def live_top(host: Host, column: Column) -> Below | None:
    """Return the device on top where it is live, whatever is with those below."""
    state = mapped.live(host, column.top)
    return of_mapped(state.device, mapped.size(state)) if state else None
