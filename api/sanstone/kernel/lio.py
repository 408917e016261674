"""The SCSI target (LIO): what backstores and targets look like in configfs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sanstone.kernel.configfs import Tree
from sanstone.kernel.host import Host

ROOT = "/sys/kernel/config/target"


@dataclass(frozen=True)
class Backstore:
    """A block device that LUNs are made of; `serial` is unique in the array."""

    name: str
    device: str
    serial: str
    """12 hexadecimal digits."""
    vendor: str = "SANSTONE"
    """At most 8 characters."""
    product: str = "LUN"
    """At most 16 characters."""
    revision: str = ""
    """At most 4 characters; "" leaves the kernel's."""
    read_only: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Files in `attrib/`, on top of the defaults that every backstore of ours gets."""
    owner: str = ""


@dataclass(frozen=True)
class Authentication:
    """CHAP names and secrets; empty ones mean none."""

    userid: str = ""
    password: str = field(default="", repr=False)
    userid_mutual: str = ""
    password_mutual: str = field(default="", repr=False)


@dataclass(frozen=True)
class Acl:
    """An initiator that may log in; `luns` maps its LUN number to the portal group's."""

    initiator: str
    authentication: Authentication = Authentication()
    luns: Mapping[int, int] = field(default_factory=dict)
    owner: str = ""


@dataclass(frozen=True)
class PortalGroup:
    """A target portal group; `luns` maps its LUN numbers to backstore names."""

    tag: int
    portals: tuple[tuple[str, int], ...] = ()
    """(address, TCP port); IPv6 addresses without brackets."""
    luns: Mapping[int, str] = field(default_factory=dict)
    acls: tuple[Acl, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    enabled: bool = True
    owner: str = ""


@dataclass(frozen=True)
class ScsiTarget:
    """A target: `wwn` is an IQN for the fabric iscsi."""

    wwn: str
    fabric: str = "iscsi"
    groups: tuple[PortalGroup, ...] = ()
    owner: str = ""


@dataclass(frozen=True)
class Session:
    """A logged-in initiator."""

    target: str
    tag: int
    initiator: str
    id: int
    isid: str
    state: str
    connections: tuple[str, ...] = ()
    """The addresses from which the initiator's connections come."""


def render(backstores: Iterable[Backstore], targets: Iterable[ScsiTarget]) -> Tree:
    """Return the tree that serves this."""
    raise NotImplementedError


def read(host: Host) -> Tree:
    """Return what the kernel holds, of the attributes that `render` writes."""
    raise NotImplementedError


def sessions(host: Host) -> list[Session]:
    """Return the logged-in initiators."""
    raise NotImplementedError
