"""RDMA devices of the fake machine: `/sys/class/infiniband`, and the program `rdma`.

An adapter's device is plugged in with its port; a soft one (rxe, siw) is created. One for RoCE has
an address of its own and those of its network interface and of the VLANs on that, one for iWARP its
own alone; each goes with the interface (see `kernel.network.rdma`). Adapters do RoCE v1 too, so
that they have each address twice.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv6Address, ip_address

from fakes.commands import FakeCommands
from fakes.device_counters import ReadOnly
from fakes.files import Directory, Node, SymbolicLink, Text
from fakes.interrupt import Interrupt
from fakes.network import FakeNetwork
from sanstone.kernel.host import CommandError, FileError, Link, Vlan
from sanstone.kernel.network.rdma import IWARP, RNIC, ROCE, ROOT, TYPE

V1 = "IB/RoCE v1"
KINDS = {"rxe": ROCE, "siw": IWARP}
FAILED = 255
EMPTY = 4
"""Entries of a table that nothing is in: far fewer than in a real one."""


@dataclass(frozen=True)
class _Device:
    index: int
    """Of its network interface."""
    is_adapter: bool
    kind: str = ROCE
    is_mute: bool = False
    """Whether queue pair 1 is in error, as that of a soft one may be after its link was away."""


@dataclass(frozen=True)
class _Entry:
    address: IPv6Address
    link: str
    type: str


class FakeRdma(ReadOnly):
    """`/sys/class/infiniband`. There are no devices at first, as in most machines."""

    def __init__(self, interrupt: Interrupt, commands: FakeCommands, network: FakeNetwork) -> None:
        self._interrupt, self._network = interrupt, network
        self._devices: dict[str, _Device] = {}
        self._adapters: dict[str, tuple[str, str]] = {}
        """By name: the port of each adapter's, and the kind of RDMA."""
        commands.register("rdma", self._rdma)

    def plug(self, link: str, name: str = "mlx5_0", kind: str = ROCE) -> None:
        """Have the adapter of a port do RDMA."""
        self._adapters[name] = link, kind
        self._devices[name] = _Device(self._links()[link].index, True, kind)

    def lose_messages(self, name: str) -> None:
        """Have a soft device fail to send a message about a connection."""
        self._devices[name] = replace(self._devices[name], is_mute=True)

    def listens(self, address: str) -> bool:
        """Return whether a target can listen at an address."""
        return self._device_at(address) is not None

    def is_tcp(self, address: str) -> bool:
        """Return whether to listen at an address takes a port of TCP's (siw_create_listen())."""
        device = self._device_at(address)
        return device is not None and device.kind == IWARP

    def _device_at(self, address: str) -> _Device | None:
        """Return the device at which one listens: the first (cma_acquire_dev_by_src_ip())."""
        parsed = ip_address(address)
        there, names = self.devices(), {link.index: name for name, link in self._links().items()}
        for device in (there[name] for name in self._devices):
            if device.kind == IWARP:
                at = (a for a in self._network.addresses() if a.link == names[device.index])
                has = parsed in [ip_address(each.address) for each in at]
            else:
                table = self._table(device)
                has = any(parsed in (each.address, each.address.ipv4_mapped) for each in table)
            if has:
                return device
        return None

    def port_names(self) -> set[str]:
        """Return the first address of each device, as 0x and 32 digits."""
        tables = (self._table(device) for device in self.devices().values())
        return {f"0x{table[0].address.exploded.replace(':', '')}" for table in tables}

    def devices(self) -> dict[str, _Device]:
        """Return the devices with a network interface that is there, by name."""
        there = {link.index for link in self._network.links()}
        self._devices = {n: each for n, each in self._devices.items() if each.index in there}
        return dict(sorted(self._devices.items()))

    def reboot(self) -> None:
        """Lose the soft ones, and find the adapters again."""
        adapters, self._devices = self._adapters, {}
        for name, (link, kind) in adapters.items():
            self.plug(link, name, kind)

    def node(self, path: str) -> Node | None:
        """Return the node at a path."""
        if path == ROOT:
            return Directory()
        name, *rest = path.removeprefix(f"{ROOT}/").split("/")
        device = self.devices().get(name)
        if device is None:
            return None
        if not rest:
            place = "pci0000:00/0000:03:00.0" if device.is_adapter else "virtual"
            return SymbolicLink(f"../../devices/{place}/infiniband/{name}")
        below = "/".join(rest)
        if below in ("ports", "ports/1", "ports/1/gids"):
            return Directory()
        if below == "node_type":
            return Text(f"{RNIC if device.kind == IWARP else '1: CA'}\n")
        is_rxe = not device.is_adapter and device.kind == ROCE
        if below == "ports/1/hw_counters/send_err" and is_rxe:
            return Text(f"{int(device.is_mute)}\n")
        if rest[:2] != ["ports", "1"] or not rest[-1].isdecimal():
            return None
        entry = self._entry(device, int(rest[-1]))
        texts = {
            "gids": (entry.address if entry else IPv6Address(0)).exploded,
            "gid_attrs/ndevs": entry.link if entry else None,
            "gid_attrs/types": entry.type if entry else None,
        }
        text = texts.get("/".join(rest[2:-1]), "")
        if text is None:
            raise FileError("read", path, errno.EINVAL)
        return Text(f"{text}\n") if text else None

    def listdir(self, path: str) -> list[str]:
        """Return the names in a directory, sorted as texts."""
        node = self.node(path)
        if not isinstance(node, Directory):
            raise FileError("list", path, errno.ENOTDIR if node else errno.ENOENT)
        if path == ROOT:
            return list(self.devices())
        name, _, below = path.removeprefix(f"{ROOT}/").partition("/")
        if below == "ports":
            return ["1"]
        table = self._table(self.devices()[name])
        return sorted(map(str, range(len(table) + EMPTY)))

    def dump(self) -> str:
        """Return the state as text."""
        names = {link.index: name for name, link in self._links().items()}
        return "\n".join(f"rdma {n} at {names[d.index]}" for n, d in self.devices().items())

    def _rdma(self, argv: Sequence[str], _stdin: str) -> str:
        """Make or delete a soft device, as iproute2's program does."""
        match argv[1:]:
            case ["-j", "resource", "show", "qp", "link", place]:
                state = "ERR" if self.devices()[place.partition("/")[0]].is_mute else "RTS"
                return json.dumps([{"lqpn": 1, "type": "GSI", "state": state}])
        with self._interrupt.step(" ".join(argv)):
            match argv[1:]:
                case ["link", "add", name, "type", driver, "netdev", link] if driver in KINDS:
                    self._add(argv, name, KINDS[driver], link)
                case ["link", "delete", name] if name in self.devices():
                    del self._devices[name]
                case _:
                    raise CommandError(argv, FAILED, "Wrong arguments, or no such device")
        return ""

    def _add(self, argv: Sequence[str], name: str, kind: str, link: str) -> None:
        """Make a soft device (rxe_newlink() in drivers/infiniband/sw/rxe/rxe.c, siw_newlink())."""
        there, devices = self._links().get(link), self.devices()
        if there is None:
            raise CommandError(argv, FAILED, "Wrong device name")
        if there.kind == "vlan" and kind == ROCE:
            raise CommandError(argv, FAILED, "error: Operation not permitted")
        if name in devices or any(
            (each.index, each.kind, each.is_adapter) == (there.index, kind, False)
            for each in devices.values()
        ):
            raise CommandError(argv, FAILED, "error: File exists")
        self._devices[name] = _Device(there.index, False, kind)

    def _links(self) -> dict[str, Link]:
        return {link.name: link for link in self._network.links()}

    def _entry(self, device: _Device, index: int) -> _Entry | None:
        table = self._table(device)
        return table[index] if index < len(table) else None

    def _table(self, device: _Device) -> list[_Entry]:
        if device.kind == IWARP:
            own = next(link for link in self._network.links() if link.index == device.index)
            digits = own.mac_address.replace(":", "").ljust(32, "0")
            return [_Entry(IPv6Address(bytes.fromhex(digits)), own.name, V1)]
        types = (V1, TYPE) if device.is_adapter else (TYPE,)
        return [
            _Entry(address, link, each)
            for address, link in self._addresses(device)
            for each in types
        ]

    def _addresses(self, device: _Device) -> Iterator[tuple[IPv6Address, str]]:
        links = self._links()
        own = next(link for link in links.values() if link.index == device.index)
        first, *others = (int(each, 16) for each in own.mac_address.split(":"))
        interface = bytes([first ^ 2, *others[:2], 0xFF, 0xFE, *others[2:]])
        yield IPv6Address(bytes.fromhex("fe80000000000000") + interface), own.name
        for each in self._network.addresses():
            if _base(links, each.link) == own.name:
                plain = ip_address(each.address)
                mapped = plain if isinstance(plain, IPv6Address) else f"::ffff:{plain}"
                yield IPv6Address(mapped), each.link


def _base(links: Mapping[str, Link], name: str) -> str:
    """Return the network interface that one is a VLAN of, or itself."""
    composition = links[name].composition
    return _base(links, composition.base) if isinstance(composition, Vlan) else name
