"""Over md: the layers between a RAID group and the volume group.

LVM knows the device on top by a node of our own with a lasting name. The kernel's own name
(/dev/dm-3) differs after a boot, and the one in /dev/mapper is there when udev has come to it. LVM
looks for devices in /dev for that reason, and not in udev's list (lvmlocal.conf).
"""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host
from sanstone.kernel.storage import mapped
from sanstone.kernel.storage.mapped import Place
from sanstone.kernel.storage.stack import columns
from sanstone.kernel.storage.stack.columns import Column
from sanstone.kernel.storage.stack.layer import Layer


def device(aggregate: str, number: int, layers: Sequence[Layer]) -> str:
    """Return the path of a RAID group as LVM knows it, whether or not it is there."""
    return names.group_node(aggregate, number) if layers else names.array_device(aggregate, number)


def ensure(
    host: Host, aggregate: str, number: int, layers: Sequence[Layer], *, new: bool = False
) -> Ensured:
    """Activate the layers on an array that runs, and have them as long as it is.

    Headers are written on a `new` array only, which has no data to keep. Raises HostError.
    """
    if not layers:
        return Ensured.UNCHANGED
    base = columns.of_path(host, names.array_device(aggregate, number))
    column = Column(tuple((_place(aggregate, number, layer.name), layer) for layer in layers))
    _, done = columns.ensure(host, base, column, new=new)
    state = mapped.live(host, column.top)
    assert state is not None
    node = mapped.ensure_node(host, names.group_node(aggregate, number), state.device)
    return node if done is Ensured.UNCHANGED else done


def ensure_none(host: Host, aggregate: str, number: int) -> Ensured:
    """Remove the layers on an array, and their node. EBUSY while LVM has them open."""
    done = [
        mapped.ensure_none(host, _place(aggregate, number, name))
        for name in reversed(names.OVER_MD)
    ]
    if host.files.exists(names.group_node(aggregate, number)):
        host.files.unlink(names.group_node(aggregate, number))
        done.append(Ensured.CHANGED)
    return Ensured.CHANGED if Ensured.CHANGED in done else Ensured.UNCHANGED


def _place(aggregate: str, number: int, name: str) -> Place:
    return Place(
        names.group_device(aggregate, number, name), names.group_uuid(aggregate, number, name)
    )
