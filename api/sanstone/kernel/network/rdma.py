"""RDMA over Converged Ethernet (RoCE v2): what does it at Ethernet ports, and for which addresses.

An RDMA device is an adapter's own, or soft-RoCE (rxe), which does in software on any Ethernet port
what adapters do. Ours are named after their port (`PREFIX`); others are used where they are, and
stay. In `/sys/class/infiniband/<device>` (drivers/infiniband/core/sysfs.c), of each of a device's
`ports`:

* `gids/<index>` is its table of addresses, an IPv4 one as ::ffff:a.b.c.d. Empty entries are zeroes.
* `gid_attrs/{ndevs,types}/<index>` are the network interface of an entry and the kind of RoCE.
  Reading those of an empty entry gives EINVAL.

The kernel gives a device the addresses of its network interface and of the VLANs on that, a moment
after they come (drivers/infiniband/core/roce_gid_mgmt.c, in a work queue), the one derived from
its hardware's address at once. The targets listen at an address only once it is in a table
(cma_acquire_dev_by_src_ip() in cma.c), and stop when its device goes.

Traps:

* rxe refuses a VLAN (EPERM, rxe_newlink() in drivers/infiniband/sw/rxe/rxe.c): it serves VLANs from
  the port or bond below. A port has one rxe at most (EEXIST).
* A device goes with its network interface. One that is renamed keeps its device, under a name that
  is wrong then.
* rxe takes one packet that it could not send, as happens while a link is away, for an error of the
  queue pair (rxe_requester() in rxe_req.c calls rxe_qp_error()). That of queue pair 1, by which all
  connections are made and ended, nothing heals but making the device anew: until then nobody
  connects, though the targets listen and the port is active. iSER's hosts came to that where a link
  was away for a minute, since they were disconnected while it was.
"""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

from sanstone.kernel.host import FileError, Files, Host, Link, Vlan
from sanstone.kernel.plan import Step

ROOT = "/sys/class/infiniband"
PREFIX = "roce_"
ROCE = "RoCE v2"
LONGEST = 0.5
"""Seconds within which the kernel has put a new address into a table, if it does at all."""
_PAUSE = 0.02


@dataclass(frozen=True)
class RdmaPort:
    """A port of an RDMA device that does RoCE at the network interface `link`.

    `is_soft` is whether software does it, `is_ours` whether we made it for this interface or, under
    another name then, for another one.
    """

    device: str
    number: str
    link: str
    is_soft: bool

    @property
    def is_ours(self) -> bool:
        """Return whether we made it."""
        return self.is_soft and self.device.startswith(PREFIX)

    @property
    def is_misnamed(self) -> bool:
        """Return whether we made it for an interface that has another name by now."""
        return self.is_ours and self.device != PREFIX + self.link

    @property
    def path(self) -> str:
        """Return its directory."""
        return f"{ROOT}/{self.device}/ports/{self.number}"


def ports(host: Host) -> list[RdmaPort]:
    """Return the ports of RDMA devices that do RoCE, by device. Raises FileError."""
    files = host.files
    if not files.exists(ROOT):
        return []
    return [
        RdmaPort(device, number, link, "/virtual/" in files.readlink(f"{ROOT}/{device}"))
        for device in files.listdir(ROOT)
        for number in files.listdir(f"{ROOT}/{device}/ports")
        if (link := _link(files, f"{ROOT}/{device}/ports/{number}"))
    ]


def base(links: Mapping[str, Link], name: str) -> str:
    """Return at which network interface RDMA is done for a link: below a VLAN, else at itself."""
    link = links.get(name)
    return base(links, link.made_of.base) if link and isinstance(link.made_of, Vlan) else name


def carries(host: Host, port: RdmaPort, link: str, address: str, *, patiently: bool) -> bool:
    """Return whether a device's table has the address of a link, so that targets can listen there.

    If `patiently`, wait for it as long as it may take after the address or the device came. Raises
    FileError.
    """
    deadline = time.monotonic() + (LONGEST if patiently else 0)
    while not _has(host.files, port, link, ip_address(address)):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE)
    return True


def gid(host: Host, port: RdmaPort) -> str:
    """Return the first address of a port's table, as fe80:0000:…: by it SRP names the port.

    Raises FileError.
    """
    return host.files.read(f"{port.path}/gids/0").strip()


def is_mute(host: Host, port: RdmaPort) -> bool:
    """Return whether a device of ours has lost queue pair 1, so that nobody connects any more.

    Raises HostError.
    """
    failed = f"{port.path}/hw_counters/send_err"
    if not (port.is_ours and host.files.exists(failed) and int(host.files.read(failed))):
        return False
    argv = ["rdma", "-j", "resource", "show", "qp", "link", f"{port.device}/{port.number}"]
    pairs = json.loads(host.commands.run(argv) or "[]")
    return any(pair["lqpn"] == 1 and pair["state"] == "ERR" for pair in pairs)


def additions(existing: Collection[RdmaPort], desired: Mapping[str, str]) -> list[Step]:
    """Return the steps after which there is a device at each of some network interfaces.

    `desired` are their names, with the owner of each.
    """
    served = {port.link for port in existing if not port.is_misnamed}
    return [
        *(_removal(port) for port in existing if port.is_misnamed),
        *(_addition(link, owner) for link, owner in desired.items() if link not in served),
    ]


def removals(existing: Collection[RdmaPort], desired: Collection[str]) -> list[Step]:
    """Return the steps that remove our devices from all but some network interfaces."""
    return [_removal(port) for port in existing if port.is_ours and port.link not in desired]


def _addition(link: str, owner: str) -> Step:
    def run(host: Host) -> None:
        host.commands.run(["rdma", "link", "add", PREFIX + link, "type", "rxe", "netdev", link])

    return Step(f"do RoCE by software at port {link}", owner, run, f"rdma/{link}")


def _removal(port: RdmaPort) -> Step:
    def run(host: Host) -> None:
        host.commands.run(["rdma", "link", "delete", port.device])

    return Step(f"do RoCE by software at port {port.link} no more", "", run)


def _link(files: Files, path: str) -> str:
    """Return the network interface of a port that does RoCE, '' for one that does not."""
    for index in ("0", "1"):
        if _shown(files, f"{path}/gid_attrs/types/{index}") == ROCE:
            return _shown(files, f"{path}/gid_attrs/ndevs/{index}")
    return ""


def _has(files: Files, port: RdmaPort, link: str, address: IPv4Address | IPv6Address) -> bool:
    return any(
        _shown(files, f"{port.path}/gid_attrs/ndevs/{index}") == link
        and _shown(files, f"{port.path}/gid_attrs/types/{index}") == ROCE
        for index, gid in _table(files, port)
        if address in (gid, gid.ipv4_mapped)
    )


def _table(files: Files, port: RdmaPort) -> Iterator[tuple[str, IPv6Address]]:
    """Yield the entries of a port's table, the lowest first, which the kernel fills first."""
    for index in sorted(files.listdir(f"{port.path}/gids"), key=int):
        yield index, IPv6Address(files.read(f"{port.path}/gids/{index}"))


def _shown(files: Files, path: str) -> str:
    """Return what is told of an entry of a table, '' if that is empty or has gone."""
    try:
        return files.read(path).strip()
    except FileError as error:
        if error.errno not in (errno.EINVAL, errno.ENOENT, errno.ENODEV):
            raise
        return ""
