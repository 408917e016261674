"""Above the thin device: what hosts see of a LUN or namespace.

    thin device ─ layer ─ … ─ exported device

The exported device has the exported name with any layers, and a number that never changes while it
is live; its table is that of the topmost layer, or the thin target itself where there is none. The
devices below it are at places of their own (`names.OVER_THIN`). So a layer comes and goes under a
live export by a swap of tables:

* It comes: the devices below are created from the bottom, then the table on top of them changes.
* It goes: the table on top of it changes, then its device is removed, and that of the thin target
  once nothing lies on it.

The live devices are read from each place. A device is completed if its volume or a layer was cut
short; one that belongs to no layer any more is removed.

On a node that stands by for the owner of the pool, an error table takes the place of the thin
target: the same devices, and no data. A takeover swaps that table.

Rules of this height:

* For a moment of a swap two devices show the volume, or the layer below, and one of them does I/O
  (dm-thin allows that: __open_device() in dm-thin-metadata.c). So a layer has no state of its own
  on the volume but a header that stays as it is.
* The bytes that hosts see must not move: layers that come and go have no header. One with a header
  comes with the volume.
* A layer is never larger than the device below it: a stack grows from the bottom, shrinks from the
  top
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError, MappedDevice, MappedState, RequestError, Target
from sanstone.kernel.storage import mapped, thin
from sanstone.kernel.storage.mapped import SECTOR, DeviceError, Place
from sanstone.kernel.storage.stack.layer import Below, Layer, of_mapped

STANDBY = "error"
"""The target that answers each request with an error (drivers/md/dm-target.c)."""
BASES = "thin", STANDBY
"""The targets below all layers."""


@dataclass(frozen=True)
class ThinDevice:
    """A desired exported device."""

    uuid: str
    pool: str
    """The device-mapper name of the pool (`names.pool_device`), '' for a device on standby."""
    thin_id: int
    """0 to MAXIMUM_THIN_ID, never reused within a pool."""
    size: int
    """Bytes, a multiple of the sector and of the `unit` of each layer."""
    layers: tuple[Layer, ...] = ()
    """The layers above the thin target, the lowest first."""

    @property
    def is_standby(self) -> bool:
        """Whether it has no data behind it."""
        return not self.pool

    def base(self, host: Host, size: int) -> Target:
        """Return the target below all layers, of `size` bytes. Raises HostError."""
        if self.is_standby:
            return Target(0, size // SECTOR, STANDBY, "")
        return thin.target(host, self.pool, self.thin_id, size)


class _Part(NamedTuple):
    """One device of a desired stack; that of the thin target has no layer."""

    place: Place
    layer: Layer | None
    size: int
    """Bytes above it."""


_Live = dict[Place, MappedState]


def ensure(host: Host, device: ThinDevice, *, new: bool = False) -> Ensured:
    """Activate the device with the desired layers and size, and create its node.

    The thin volume must exist (`thin.ensure_thin`). Also grows or shrinks online, and completes
    what was interrupted. Layers write their headers on a `new` volume only, an empty one or a copy
    of another. Raises DeviceError when something else has a name, the size is impossible, or bytes
    that hosts see would move; RequestError when the kernel refuses (ENODATA: there is no such thin
    volume).
    """
    _require_blocks(device)
    live = _live(host, device.uuid)
    layers = [
        layer for layer in device.layers if layer.needed(host) or _is_live(live, device, layer)
    ]
    exported = live.get(_exported(device.uuid))
    before = mapped.size(exported)
    if exported and not new:
        _require_still_bytes(live, device, layers)
    parts = _parts(device, layers, max(before, device.size))
    number, done = _build(host, device, parts, live, new=new)
    unused = [place for place in _places(device.uuid) if place not in {p.place for p in parts}]
    done += [mapped.ensure_none(host, place) for place in unused]
    final = _parts(device, layers, device.size)
    if before > device.size or any(mapped.size(live.get(p.place)) > p.size for p in final):
        done += _shrink(host, device, final)
    done += [part.layer.tune(host, part.place) for part in parts if part.layer]
    done.append(mapped.ensure_node(host, names.device_node(device.uuid), number))
    if all(each is Ensured.UNCHANGED for each in done):
        return Ensured.UNCHANGED
    return Ensured.CHANGED if exported else Ensured.CREATED


def ensure_none(host: Host, uuid: str) -> Ensured:
    """Remove the device and its node; the thin volume stays. EBUSY while anything uses it."""
    done = [mapped.ensure_none(host, place) for place in _places(uuid)]
    if host.files.exists(names.device_node(uuid)):
        host.files.unlink(names.device_node(uuid))
        done.append(Ensured.CHANGED)
    return Ensured.CHANGED if Ensured.CHANGED in done else Ensured.UNCHANGED


def devices(host: Host) -> set[str]:
    """Return the uuids of exported devices that exist, even in part, in the kernel or /dev."""
    uuids = {names.uuid_of_device(device.uuid) for device in host.mapper.devices()}
    if host.files.is_dir(names.NODES):
        uuids |= set(host.files.listdir(names.NODES))
    return uuids - {""}


def is_standby(host: Host, uuid: str) -> bool:
    """Return whether a live device has no data behind it."""
    live = [mapped.live(host, place) for place in (_exported(uuid), _place(uuid, names.THIN))]
    return any(state.table[0].kind == STANDBY for state in live if state)


def exists(host: Host, uuid: str) -> bool:
    """Return whether an exported device exists, even in part, in the kernel or /dev."""
    has_device = any(host.mapper.state(place.name) for place in _places(uuid))
    return has_device or host.files.exists(names.device_node(uuid))


def live_names(host: Host, uuid: str) -> list[str]:
    """Return the names of the devices of a stack: what hosts see first, the thin target last."""
    return [place.name for place in _places(uuid) if mapped.live(host, place)]


def used(host: Host, uuid: str) -> int:
    """Return the bytes that a device occupies in its pool. Raises DeviceError if it has failed."""
    for place in (_exported(uuid), _place(uuid, names.THIN)):
        status = next(iter(_status(host, place.name)), None)
        if status and status.kind == "thin":
            return thin.occupied(status)
    raise DeviceError("{}: there is no such device", names.device(uuid))


def report(host: Host, device: ThinDevice) -> dict[str, dict[str, object]]:
    """Return the facts of each live layer of a device, by the layer's name."""
    live = _live(host, device.uuid)
    layers = [layer for layer in device.layers if _is_live(live, device, layer)]
    parts = _parts(device, layers, device.size)
    return {part.layer.name: part.layer.report(host, part.place) for part in parts if part.layer}


@contextmanager
def suspended(host: Host, uuids: Iterable[str]) -> Iterator[None]:
    """Suspend exported devices for a block: all of them, each layer before the one below it.

    So nothing above waits for a layer that has stopped. All are resumed at the end, from the
    bottom, even after one that cannot be. Raises HostError.
    """
    stopped: list[str] = []
    try:
        for uuid in sorted(set(uuids)):
            for name in live_names(host, uuid):
                stopped.append(name)
                host.mapper.suspend(name)
        yield
    finally:
        _resume(host, stopped)


def _resume(host: Host, stopped: Sequence[str]) -> None:
    failures = []
    for name in reversed(stopped):
        try:
            host.mapper.resume(name)
        except HostError as error:
            failures.append(error)
    if failures:
        raise failures[0]


def _place(uuid: str, name: str) -> Place:
    return Place(names.layer_device(uuid, name), names.layer_uuid(uuid, name))


def _exported(uuid: str) -> Place:
    return Place(names.device(uuid), names.device_uuid(uuid))


def _places(uuid: str) -> list[Place]:
    """Return all places of a stack, from the one that hosts see to the thin target's."""
    return [_exported(uuid), *(_place(uuid, name) for name in reversed(names.OVER_THIN))]


def _live(host: Host, uuid: str) -> _Live:
    """Return the live device at each place. Raises DeviceError."""
    states = {place: mapped.live(host, place) for place in _places(uuid)}
    return {place: state for place, state in states.items() if state}


def _is_live(live: _Live, device: ThinDevice, layer: Layer) -> bool:
    """Return whether a layer is live: at its own place, or as what hosts see."""
    exported = live.get(_exported(device.uuid))
    if exported is None:
        return False
    return _place(device.uuid, layer.name) in live or layer.holds(exported.table)


def _parts(device: ThinDevice, layers: Sequence[Layer], size: int) -> list[_Part]:
    """Return the parts of a device of `size` bytes, the thin target first."""
    sizes = [size]
    for layer in reversed(layers):
        sizes.insert(0, layer.takes(sizes[0]))
    steps = [(names.THIN, None), *((layer.name, layer) for layer in layers)]
    places = [*(_place(device.uuid, name) for name, _ in steps[:-1]), _exported(device.uuid)]
    whats = zip(places, steps, sizes, strict=True)
    return [_Part(place, layer, size) for place, (_, layer), size in whats]


def _build(
    host: Host, device: ThinDevice, parts: Sequence[_Part], live: _Live, *, new: bool
) -> tuple[MappedDevice, list[Ensured]]:
    """Ensure all parts, from the bottom; none becomes smaller. Return the device that hosts see."""
    done: list[Ensured] = []
    below, size = None, 0
    for place, layer, desired_size in parts:
        size = max(desired_size, mapped.size(live.get(place)))
        if layer is None:
            part, outcome = mapped.ensure(host, place, [device.base(host, size)])
        else:
            assert below is not None
            if (new or place not in live) and not device.is_standby:
                _prepare(host, _place(device.uuid, layer.name), layer, below, new=new)
            part, outcome = layer.ensure(host, place, below, size)
        below = of_mapped(part, size)
        done.append(outcome)
    return part, done


def _prepare(host: Host, place: Place, layer: Layer, below: Below, *, new: bool) -> None:
    if layer.is_prepared(host, place, below):
        return
    if not new:
        raise DeviceError("{}: the header of layer {} is not there", place.name, layer.name)
    layer.prepare(host, place, below)


def _shrink(host: Host, device: ThinDevice, parts: Sequence[_Part]) -> list[Ensured]:
    """Shrink live parts from the top. Return what was done."""
    done: list[Ensured] = []
    for at in range(len(parts) - 1, -1, -1):
        place, layer, size = parts[at]
        if layer is None:
            done.append(mapped.ensure(host, place, [device.base(host, size)])[1])
            continue
        state = mapped.live(host, parts[at - 1].place)
        assert state is not None
        below = of_mapped(state.device, mapped.size(state))
        done.append(layer.grow(host, place, below, size)[1])
    return done


def _require_blocks(device: ThinDevice) -> None:
    for unit in (SECTOR, *(layer.unit for layer in device.layers)):
        if device.size <= 0 or device.size % unit:
            raise DeviceError(
                "{}: {} bytes is no multiple of {}-byte blocks",
                names.device(device.uuid),
                device.size,
                unit,
            )


def _require_still_bytes(live: _Live, device: ThinDevice, layers: Sequence[Layer]) -> None:
    """Raise DeviceError where layers that come or go would move the bytes that hosts see.

    What goes may be of no class that we know: the sizes tell whether it had a header. A resize that
    was cut short leaves sizes apart, too, but only with the layers that are to be.
    """
    exported = live[_exported(device.uuid)]
    size = mapped.size(exported)
    kept = [layer for layer in layers if _is_live(live, device, layer)]
    moved = any(layer.takes(size) != size for layer in layers if layer not in kept)
    is_base = exported.table[0].kind in BASES
    if _goes(live, device, kept) and size == device.size and not is_base:
        bottom = live.get(_place(device.uuid, names.THIN), exported)
        moved |= _parts(device, kept, size)[0].size != mapped.size(bottom)
    if moved:
        text = "{}: a layer with a header neither comes nor goes"
        raise DeviceError(text, names.device(device.uuid))


def _goes(live: _Live, device: ThinDevice, kept: Sequence[Layer]) -> bool:
    """Return whether anything is live above the thin target that is none of the layers kept."""
    of_kept = {_place(device.uuid, name) for name in (names.THIN, *(each.name for each in kept))}
    exported = _exported(device.uuid)
    table = live[exported].table
    is_other = table[0].kind not in BASES and not any(layer.holds(table) for layer in kept)
    return is_other or bool(live.keys() - of_kept - {exported})


def _status(host: Host, name: str) -> list[Target]:
    """Return the status of a device's targets, nothing where there is no such device."""
    try:
        return host.mapper.status(name)
    except RequestError as error:
        if error.errno != errno.ENXIO:
            raise
        return []
