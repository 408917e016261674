"""Device-mapper devices at places: activate them with a table, find them again, remove them.

A place is where a device belongs: a name and a uuid that come from `names`. The device at a place
is read from the kernel each time.

Traps:

* A device may have no table or be suspended if a process died between two requests; loading and
  resuming repairs both.
* A resume with a loaded table swaps tables in one request: hosts' I/O waits for that long, and no
  death leaves the device suspended (`real.mapper`).
* Nobody may lose the name to another: a device of this name with another uuid is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError, MappedDevice, MappedState, Target

SECTOR = 512
"""Bytes of device-mapper's unit of length, for any block size."""


class DeviceError(HostError):
    """A device or pool is in an unexpected state; the text says which."""


class Place(NamedTuple):
    """Where one device belongs: its device-mapper name and uuid."""

    name: str
    uuid: str


def live(host: Host, place: Place) -> MappedState | None:
    """Return the device's state at a place, None when none is live there. Raises DeviceError."""
    state = present(host, place)
    return state if state and state.live else None


def present(host: Host, place: Place) -> MappedState | None:
    """Return the device at a place, live or not; None when it is empty. Raises DeviceError."""
    state = host.mapper.state(place.name)
    if state and state.device.uuid != place.uuid:
        text = f"{place.name}: belongs to something else, its uuid is {state.device.uuid!r}"
        raise DeviceError(text)
    return state


def ensure(
    host: Host,
    place: Place,
    table: Sequence[Target],
    accepts: Callable[[Sequence[Target], Sequence[Target]], bool] = lambda live, new: live == new,
) -> tuple[MappedDevice, Ensured]:
    """Have a device at a place with a table, live and not suspended. Raises HostError.

    A live table that is accepted in the place of the new one stays.
    """
    state = present(host, place)
    if state is None:
        device = host.mapper.create(*place)
    else:
        device = state.device
        if state.live and not state.suspended and accepts(list(state.table), list(table)):
            return device, Ensured.UNCHANGED
    host.mapper.load(place.name, table)
    host.mapper.resume(place.name)
    return device, Ensured.CHANGED if state and state.live else Ensured.CREATED


def ensure_none(host: Host, place: Place) -> Ensured:
    """Remove the device at a place. Raises RequestError EBUSY while anything has it open."""
    if present(host, place) is None:
        return Ensured.UNCHANGED
    host.mapper.remove(place.name)
    return Ensured.CHANGED


def size(state: MappedState | None) -> int:
    """Return the bytes of a device, 0 for none."""
    return SECTOR * sum(target.length for target in state.table) if state else 0


def number(device: MappedDevice) -> str:
    """Return a device's number as tables name it, "253:3"."""
    return f"{device.major}:{device.minor}"


def ensure_node(host: Host, path: str, device: MappedDevice) -> Ensured:
    """Have a node of a device; one with another number, of another boot, is replaced."""
    number = (device.major, device.minor)
    if host.files.block_number(path) == number:
        return Ensured.UNCHANGED
    if host.files.exists(path):
        host.files.unlink(path)
    host.files.make_block_node(path, *number)
    return Ensured.CREATED
