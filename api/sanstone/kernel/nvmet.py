"""The NVMe target: what subsystems, hosts and ports look like in configfs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sanstone.kernel.configfs import Tree
from sanstone.kernel.host import Host

ROOT = "/sys/kernel/config/nvmet"


@dataclass(frozen=True)
class Namespace:
    """A block device under a namespace id (1 … 1024 in our arrays)."""

    nsid: int
    device: str
    uuid: str
    nguid: str
    """32 hexadecimal digits."""
    ana_group: int = 1
    owner: str = ""


@dataclass(frozen=True)
class AllowedHost:
    """A host NQN, with its DH-HMAC-CHAP keys in the form "DHHC-1:…:" where it has any."""

    nqn: str
    key: str = field(default="", repr=False)
    controller_key: str = field(default="", repr=False)
    hash: str = "hmac(sha256)"
    group: str = "null"
    owner: str = ""


@dataclass(frozen=True)
class Subsystem:
    """A subsystem; `hosts` are NQNs, `ports` are ids of `Port`s that it can be reached through."""

    nqn: str
    serial: str
    """At most 20 characters."""
    model: str = "Sanstone Array"
    """At most 40 characters."""
    firmware: str = ""
    """At most 8 characters; "" leaves the kernel's."""
    hosts: tuple[str, ...] = ()
    namespaces: tuple[Namespace, ...] = ()
    ports: tuple[int, ...] = ()
    owner: str = ""


@dataclass(frozen=True)
class Referral:
    """An address that a discovery controller names besides its own."""

    name: str
    address: str
    transport: str = "tcp"
    service: str = "8009"
    family: str = "ipv4"
    port_id: int = 0


@dataclass(frozen=True)
class Port:
    """An address at which subsystems are served; ids are 1 … 65535."""

    id: int
    address: str
    transport: str = "tcp"
    service: str = "4420"
    family: str = "ipv4"
    ana: Mapping[int, str] = field(default_factory=lambda: {1: "optimized"})
    """ANA group to state: optimized, non-optimized, inaccessible, persistent-loss, change."""
    referrals: tuple[Referral, ...] = ()
    owner: str = ""


@dataclass(frozen=True)
class Controller:
    """A live controller: one host connected to one subsystem through one port."""

    subsystem: str
    id: int
    host: str
    host_address: str
    port: int
    state: str
    keep_alive: int
    """Seconds."""


def render(
    subsystems: Iterable[Subsystem], hosts: Iterable[AllowedHost], ports: Iterable[Port]
) -> Tree:
    """Return the tree that serves this."""
    raise NotImplementedError


def read(host: Host) -> Tree:
    """Return what the kernel holds, of the attributes that `render` writes."""
    raise NotImplementedError


def controllers(host: Host) -> list[Controller]:
    """Return the live controllers."""
    raise NotImplementedError


def revalidate_size(host: Host, nqn: str, nsid: int) -> None:
    """Let the namespace take its device's new size, and tell the connected hosts."""
    raise NotImplementedError
