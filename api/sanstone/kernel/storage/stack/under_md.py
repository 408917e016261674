"""Under md: the layers on each disk of an aggregate. md has the device on top as its member.

A disk that was pulled leaves its layers live on nothing, for as long as md has them open. They are
never put onto the disk that comes back: md may not have noticed, and would take blocks that it
missed for in sync. Once md has let go, they are removed, and created anew on the disk.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host
from sanstone.kernel.storage import block, mapped
from sanstone.kernel.storage.mapped import DeviceError, Place
from sanstone.kernel.storage.stack import columns
from sanstone.kernel.storage.stack.columns import Column
from sanstone.kernel.storage.stack.layer import Layer


def member(host: Host, aggregate: str, identity: str, path: str, layers: Sequence[Layer]) -> str:
    """Return the device of a disk that md has, '' while that is not live on this disk.

    `identity` is the disk's (`block.Disk`), `path` is where it is now, '' for nowhere.
    """
    if not layers or not path:
        return path
    column = _column(aggregate, identity, layers)
    top = columns.live_top(host, column)
    return top.path if top and _lies_on(host, column, path) else ""


def ensure(
    host: Host,
    aggregate: str,
    identity: str,
    path: str,
    layers: Sequence[Layer],
    *,
    new: bool = False,
) -> Ensured:
    """Activate the layers on a disk. Headers are written on a `new` disk, which must be empty.

    Raises ContentError when it is not, DeviceError when its header is missing, or md has not let go
    of what lies on the disk that was there before.
    """
    if not layers:
        return Ensured.UNCHANGED
    column = _column(aggregate, identity, layers)
    if columns.live_top(host, column) and not _lies_on(host, column, path):
        _remove(host, aggregate, identity)
    base = columns.of_path(host, path)
    lowest, layer = column.parts[0]
    if new and not mapped.live(host, lowest) and not layer.is_prepared(host, lowest, base):
        block.require_empty(host, [path])
    return columns.ensure(host, base, column, new=new)[1]


def ensure_unused_removed(host: Host, aggregate: str, identities: Collection[str]) -> Ensured:
    """Remove the layers on disks that an aggregate has no more, once md has let go of them."""
    begin = names.disk_devices(aggregate)
    needed = {p.name for uid in identities for p in _places(aggregate, uid)}
    unused = [d for d in host.mapper.devices() if d.name.startswith(begin) and d.name not in needed]
    done = Ensured.UNCHANGED
    # Each time those go on which nothing lies.
    for _ in names.UNDER_MD:
        for device in unused:
            state = host.mapper.state(device.name)
            if state and not state.open_count:
                host.mapper.remove(device.name)
                done = Ensured.CHANGED
    return done


def ensure_erased(host: Host, aggregate: str, identity: str, path: str) -> None:
    """Remove the layers on a disk, and erase what they wrote on it, so that it is free again.

    Raises RequestError EBUSY while md has it.
    """
    _remove(host, aggregate, identity)
    host.commands.run(["wipefs", "--all", "--quiet", path])


def _remove(host: Host, aggregate: str, identity: str) -> None:
    for place in _places(aggregate, identity):
        mapped.ensure_none(host, place)


def _places(aggregate: str, identity: str) -> list[Place]:
    """Return all places on a disk, from the top."""
    return [_place(aggregate, identity, name) for name in reversed(names.UNDER_MD)]


def _place(aggregate: str, identity: str, name: str) -> Place:
    return Place(
        names.disk_device(aggregate, identity, name), names.disk_uuid(aggregate, identity, name)
    )


def _column(aggregate: str, identity: str, layers: Sequence[Layer]) -> Column:
    return Column(tuple((_place(aggregate, identity, layer.name), layer) for layer in layers))


def _lies_on(host: Host, column: Column, path: str) -> bool:
    """Return whether the lowest layer, which is live, lies on the disk at a path."""
    state = mapped.live(host, column.parts[0][0])
    if state is None:
        raise DeviceError("{}: lies on nothing", column.top.name)
    number = columns.of_path(host, path).number
    return any(number in target.arguments.split() for target in state.table)
