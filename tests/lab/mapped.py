"""LUNs and namespaces that a host may reach: created for it, and deleted after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lab.administrator import GIB, Administrator, Record
from lab.initiator import Multipath, Nvme


@contextmanager
def mapped_lun(
    admin: Administrator,
    initiator: Multipath,
    igroup: str = "group1",
    volume: str = "vol_lun",
    *,
    size: int = GIB,
) -> Iterator[Record]:
    """Have a LUN of `size` bytes that is mapped to the host, which is logged out before it goes.

    Igroup and volume of these names are its own.
    """
    admitted = admin.add_igroup(igroup, *initiator.names, protocol=initiator.protocol)
    holder = admin.add_volume(volume)
    lun = admin.add_lun(holder, "lun1", size)
    admin.map_lun(lun, admitted)
    yield lun
    initiator.log_out()
    admin.remove("protocols/san/igroups", admitted, allow_delete_while_mapped="true")
    admin.remove("storage/volumes", holder)


@contextmanager
def mapped_namespace(
    admin: Administrator, nvme: Nvme, name: str = "sub1", *, size: int = GIB, **properties: Any
) -> Iterator[Record]:
    """Have a namespace of `size` bytes in a subsystem of its own, disconnected before they go.

    The host is in the subsystem, with these properties. The record has the subsystem's NQN and UUID
    besides, as `nqn` and `subsystem`.
    """
    subsystem = admin.add_subsystem(name, {"nqn": nvme.name, **properties})
    volume = admin.add_volume(f"vol_{name}")
    namespace = admin.add_namespace(volume, "ns1", size)
    admin.map_namespace(namespace, subsystem)
    yield namespace | {"nqn": subsystem["target_nqn"], "subsystem": subsystem["uuid"]}
    nvme.disconnect()
    allowed = {"allow_delete_while_mapped": "true", "allow_delete_with_hosts": "true"}
    admin.remove("protocols/nvme/subsystems", subsystem, **allowed)
    admin.remove("storage/volumes", volume)
