"""RDMA at Ethernet ports, by RoCE v2 or iWARP: what does it, and for which addresses.

An RDMA device is an adapter's own, or one of the kernel's that does in software on any Ethernet
port what adapters do: soft-RoCE (rxe) or soft-iWARP (siw). Ours are named after their port
(`PREFIXES`); others are used where they are, and stay. In `/sys/class/infiniband/<device>`
(drivers/infiniband/core/sysfs.c) `node_type` tells iWARP ("4: RNIC"), and of each of its `ports`:

* `gids/<index>` is its table of addresses, an IPv4 one as ::ffff:a.b.c.d. Empty entries are zeroes.
* `gid_attrs/{ndevs,types}/<index>` are the network interface of an entry and the kind of RoCE.
  Reading those of an empty entry gives EINVAL.

The kernel gives a device for RoCE the addresses of its network interface and of the VLANs on that,
a moment after they come (drivers/infiniband/core/roce_gid_mgmt.c, in a work queue), the one derived
from its hardware's address at once. The targets listen at an address only once it is in a table
(cma_acquire_dev_by_src_ip() in cma.c), and stop when its device goes. The table of one for iWARP
has its hardware's address alone: it serves all of its network interface's, and no VLAN's
(cma_validate_port()). Of two devices that have an address the one that came first is taken, so
there must not be two kinds at a port.

Traps:

* iWARP is TCP: siw listens at the very port of TCP's (siw_create_listen() in siw_cm.c), where
  nothing else can then (EADDRINUSE).

* rxe refuses a VLAN (EPERM, rxe_newlink() in drivers/infiniband/sw/rxe/rxe.c): it serves VLANs from
  the port or bond below. A port has one rxe at most (EEXIST).
* A device goes with its network interface. One that is renamed keeps its device, under a name that
  is wrong then.
* rxe takes one packet that it could not send, as happens while a link is away, for an error of the
  queue pair (rxe_requester() in rxe_req.c calls rxe_qp_error()). That of queue pair 1, for the
  start and the end of all connections, nothing heals but a new device: until then nobody connects,
  though the targets listen and the port is active. iSER's hosts came to that where a link was away
  for a minute, since they were disconnected while it was.
"""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

from sanstone.kernel.host import FileError, Files, Host, Link, Vlan
from sanstone.kernel.plan import Step

ROOT = "/sys/class/infiniband"
ROCE, IWARP = "roce", "iwarp"
PREFIXES = {ROCE: "roce_", IWARP: "iwarp_"}
"""By kind of RDMA: what our devices are called, before the name of their network interface."""
_DRIVERS = {ROCE: "rxe", IWARP: "siw"}
_CALLED = {ROCE: "RoCE", IWARP: "iWARP"}
TYPE = "RoCE v2"
RNIC = "4: RNIC"
LONGEST = 0.5
"""Seconds within which the kernel has put a new address into a table, if it does at all."""
_PAUSE = 0.02


class Place(NamedTuple):
    """A network interface, and a kind of RDMA that is done there."""

    link: str
    kind: str


@dataclass(frozen=True)
class RdmaPort:
    """A port of an RDMA device that does a kind of RDMA at the network interface `link`.

    `is_soft` is whether software does it, `is_ours` whether we created it for this interface or,
    under another name then, for another one.
    """

    device: str
    number: str
    link: str
    is_soft: bool
    kind: str = ROCE

    @property
    def is_ours(self) -> bool:
        """Return whether we created it."""
        return self.is_soft and self.device.startswith(PREFIXES[self.kind])

    @property
    def is_misnamed(self) -> bool:
        """Return whether we created it for an interface that has another name by now."""
        return self.is_ours and self.device != PREFIXES[self.kind] + self.link

    @property
    def place(self) -> Place:
        """Return its kind of RDMA and its link."""
        return Place(self.link, self.kind)

    @property
    def path(self) -> str:
        """Return its directory."""
        return f"{ROOT}/{self.device}/ports/{self.number}"


def ports(host: Host) -> list[RdmaPort]:
    """Return the ports of RDMA devices that do RoCE or iWARP, by device. Raises FileError."""
    files = host.files
    if not files.exists(ROOT):
        return []
    rdma_ports = []
    for device in files.listdir(ROOT):
        is_soft = "/virtual/" in files.readlink(f"{ROOT}/{device}")
        kind = IWARP if files.read(f"{ROOT}/{device}/node_type").strip() == RNIC else ROCE
        for number in files.listdir(f"{ROOT}/{device}/ports"):
            if link := _link(files, f"{ROOT}/{device}/ports/{number}", kind):
                rdma_ports.append(RdmaPort(device, number, link, is_soft, kind))
    return rdma_ports


def base(links: Mapping[str, Link], name: str) -> str:
    """Return the network interface below a VLAN, else that itself."""
    link = links.get(name)
    return (
        base(links, link.composition.base) if link and isinstance(link.composition, Vlan) else name
    )


def place(links: Mapping[str, Link], name: str, kind: str) -> Place:
    """Return where a kind of RDMA is done for a link: RoCE below a VLAN, iWARP at itself."""
    return Place(name if kind == IWARP else base(links, name), kind)


def carries(host: Host, port: RdmaPort, link: str, address: str, *, patiently: bool) -> bool:
    """Return whether a device has the address of a link, so that targets can listen there.

    If `patiently`, wait for it as long as it may take after the address or the device came. Raises
    FileError.
    """
    if port.kind == IWARP:
        return port.link == link
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


def additions(existing: Collection[RdmaPort], desired: Mapping[Place, str]) -> list[Step]:
    """Return the steps after which there is a device at each of some places.

    `desired` are these, with the owner of each.
    """
    served = {port.place for port in existing if not port.is_misnamed}
    return [
        *(_removal(port) for port in existing if port.is_misnamed),
        *(_addition(place, owner) for place, owner in desired.items() if place not in served),
    ]


def removals(existing: Collection[RdmaPort], desired: Collection[Place]) -> list[Step]:
    """Return the steps that remove our devices from all but some places."""
    return [_removal(port) for port in existing if port.is_ours and port.place not in desired]


def _addition(place: Place, owner: str) -> Step:
    link, kind = place

    def run(host: Host) -> None:
        device = ["rdma", "link", "add", PREFIXES[kind] + link]
        host.commands.run([*device, "type", _DRIVERS[kind], "netdev", link])

    return Step(f"do {_CALLED[kind]} by software at port {link}", owner, run, f"rdma/{link}")


def _removal(port: RdmaPort) -> Step:
    def run(host: Host) -> None:
        host.commands.run(["rdma", "link", "delete", port.device])

    return Step(f"do {_CALLED[port.kind]} by software at port {port.link} no more", "", run)


def _link(files: Files, path: str, kind: str) -> str:
    """Return the network interface of a port that does a kind of RDMA, '' for one that does not."""
    for index in ("0", "1"):
        if kind == IWARP or _shown(files, f"{path}/gid_attrs/types/{index}") == TYPE:
            return _shown(files, f"{path}/gid_attrs/ndevs/{index}")
    return ""


def _has(files: Files, port: RdmaPort, link: str, address: IPv4Address | IPv6Address) -> bool:
    return any(
        _shown(files, f"{port.path}/gid_attrs/ndevs/{index}") == link
        and _shown(files, f"{port.path}/gid_attrs/types/{index}") == TYPE
        for index, gid in _table(files, port)
        if address in (gid, gid.ipv4_mapped)
    )


def _table(files: Files, port: RdmaPort) -> Iterator[tuple[str, IPv6Address]]:
    """Yield the entries of a port's table, the lowest first, which the kernel fills first."""
    for index in sorted(files.listdir(f"{port.path}/gids"), key=int):
        yield index, IPv6Address(files.read(f"{port.path}/gids/{index}"))


def _shown(files: Files, path: str) -> str:
    """Return the text of an entry of a table, '' if that is empty or has gone."""
    try:
        return files.read(path).strip()
    except FileError as error:
        if error.errno not in (errno.EINVAL, errno.ENOENT, errno.ENODEV):
            raise
        return ""
