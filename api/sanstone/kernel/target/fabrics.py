"""The fabrics of the SCSI target: what targets, portal groups and ACLs look like in LIO's configfs.

There are two families. A `PortalFabric` (iSCSI, and iSER in its portals) has targets by name; each
has portal groups, which listen at portals and can demand CHAP. A `PortFabric` (qla2xxx, efct,
tcm_fc, srpt) has a target for each port of an adapter, by the port's world wide name, with one
portal group and without portals; initiators are known by their ports' names.

Rules of the kernel (drivers/target/, Linux 6.12):

* CHAP is per initiator: an ACL's `attrib/authentication` overrules the portal group's (1 demands
  it, 0 does not). A name or secret is unset by writing "NULL" (so none may begin with that).
* A portal group is enabled when its LUNs and ACLs are complete, its portals are opened after that:
  a host that reconnects finds everything, and is never told "service unavailable". Portals bind
  with IP_FREEBIND, so a missing address is no error. `rtpi`, the relative target port identifier
  that hosts see, is the kernel's choice by order of enabling unless set before.
* A fabric module without `fabric_enable_tpg` (tcm_fc) has no `enable`: it serves each LUN at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from sanstone.kernel.target.addresses import Address, InternetAddress, WorldWideName
from sanstone.kernel.target.configfs import Attribute, Directory, Link, Node, Part
from sanstone.kernel.target.reservations import TARGET

UNSET = "NULL"


class Setting(NamedTuple):
    """A file that we may set: the kernel's value in a new item, and ours."""

    kernel: str
    ours: str
    fixed: bool = False


GROUP_ATTRIBUTES = {
    "authentication": Setting("1", "0"),
    "generate_node_acls": Setting("0", "0"),
    # Else any host that asks any portal is told of the targets of all SVMs.
    "demo_mode_discovery": Setting("1", "0"),
    "default_cmdsn_depth": Setting("64", "64"),
    "login_timeout": Setting("15", "15"),
}
# Unsolicited data in bursts of 256 KiB, and bursts of 1 MiB after that. On an idle machine
# (User-mode Linux, two rounds) 1 MiB writes were 1.3 times as fast as with the kernel's values, and
# 4 KiB random and 64 KiB ones 1.1 to 1.3 times; reads differed by less than one run from the next.
# Linux takes one R2T at a time whatever is offered (libiscsi); others may take more. A change
# counts from a session's next login.
GROUP_PARAMETERS = {
    "HeaderDigest": Setting("CRC32C,None", "CRC32C,None"),
    "DataDigest": Setting("CRC32C,None", "CRC32C,None"),
    "MaxConnections": Setting("1", "1"),
    "InitialR2T": Setting("Yes", "No"),
    "ImmediateData": Setting("Yes", "Yes"),
    "MaxRecvDataSegmentLength": Setting("8192", "262144"),
    "MaxBurstLength": Setting("262144", "1048576"),
    "FirstBurstLength": Setting("65536", "262144"),
    "MaxOutstandingR2T": Setting("1", "8"),
    "ErrorRecoveryLevel": Setting("0", "0"),
}
AUTHENTICATION = ("userid", "password", "userid_mutual", "password_mutual")


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


class MappedLun(NamedTuple):
    """A LUN that an initiator sees: `seen_as` is its number there, `number` the portal group's."""

    initiator: str
    seen_as: int
    number: int
    backstore: str = ""
    owner: str = ""


@dataclass(frozen=True)
class PortalGroup:
    """A target portal group; `luns` maps its LUN numbers to backstore names."""

    tag: int
    address: Address | None = None
    """Where it listens; None, and the name of a port, for nowhere by itself."""
    luns: Mapping[int, str] = field(default_factory=dict)
    acls: tuple[Acl, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Values of the fabric's attributes that differ from ours."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Values of the fabric's parameters that differ from ours."""
    relative_port: int = 0
    """Relative target port identifier, unique in the array; 0: the kernel's choice."""
    enabled: bool = True
    rdma: bool = False
    """Whether its portal takes connections over RDMA (iSER)."""
    owner: str = ""


@dataclass(frozen=True)
class Fabric(ABC):
    """A fabric module, by the folder of its targets."""

    name: str
    authenticates: ClassVar[bool]
    """Whether an initiator can be asked to prove who it is."""

    @property
    def path(self) -> str:
        """Return the folder of the targets."""
        return f"{TARGET}/{self.name}"

    @property
    @abstractmethod
    def attributes(self) -> Mapping[str, Setting]:
        """Return the attributes of a portal group that we set."""

    @property
    def parameters(self) -> Mapping[str, Setting]:
        """Return the parameters of a portal group that we set."""
        return {}

    @property
    def can_enable(self) -> bool:
        """Return whether a portal group is served once it is enabled, and not at once."""
        return True

    @abstractmethod
    def target(self, service: str, address: Address) -> str:
        """Return the name of the target for a service's name and an address."""

    @abstractmethod
    def tag(self, endpoint: int) -> int:
        """Return the tag of the portal group of an endpoint, by the endpoint's id."""

    def group_path(self, target: str, tag: int) -> str:
        """Return the directory of a portal group."""
        return f"{self.path}/{target}/tpgt_{tag}"

    def acl_key(self, group: str, initiator: str) -> tuple[str, str]:
        """Return the key of the part of an initiator's ACL in the portal group at a path."""
        return "acl", f"{group}/acls/{self._called(initiator)}"

    def target_parts(self, target: str, owner: str) -> Iterator[Part]:
        """Return the parts of a target without its portal groups."""
        yield Part(1, ("fabric", self.path), (), {self.path: Directory()})
        path = f"{self.path}/{target}"
        yield Part(2, ("target", path), (), {path: Directory(owner)})

    def group_parts(self, path: str, group: PortalGroup) -> Iterator[Part]:
        """Return the parts of the portal group at `path` without LUNs and ACLs.

        There are two, since it is opened when everything else of it is there.
        """
        owner = group.owner
        nodes: dict[str, Node] = {path: Directory(owner, disable=self.can_enable)}
        if group.relative_port:
            nodes[f"{path}/rtpi"] = Attribute(str(group.relative_port), owner, fixed=True)
        nodes |= settings(f"{path}/attrib", self.attributes, group.attributes, owner)
        nodes |= settings(f"{path}/param", self.parameters, group.parameters, owner)
        yield Part(3, ("group", path), (), nodes)
        opened = self._opened(path, group)
        if opened:
            yield Part(7, ("opened", path), (), opened)

    def acl_part(self, group: str, acl: Acl) -> Part:
        """Return the part of an ACL in the portal group at a path, without its LUNs."""
        path = f"{group}/acls/{self._called(acl.initiator)}"
        nodes: dict[str, Node] = {path: Directory(acl.owner)}
        nodes |= self._authentication(path, acl)
        return Part(5, self.acl_key(group, acl.initiator), (acl.initiator,), nodes)

    def mapped_lun_part(self, group: str, mapped: MappedLun) -> Part:
        """Return the part of a LUN that an initiator sees in the portal group at a path."""
        owner = mapped.owner
        path = f"{group}/acls/{self._called(mapped.initiator)}/lun_{mapped.seen_as}"
        lun = f"{group}/lun/lun_{mapped.number}"
        nodes = {path: Directory(owner), f"{path}/lun_{mapped.number}": Link(lun, owner)}
        about = (mapped.initiator, mapped.backstore) if mapped.backstore else (mapped.initiator,)
        return Part(6, ("mapped", path), about, nodes)

    def files_of_group(self) -> Iterator[str]:
        """Yield the files of a portal group that are read."""
        yield "rtpi"
        yield from (f"attrib/{name}" for name in self.attributes)
        yield from (f"param/{name}" for name in self.parameters)
        if self.can_enable:
            yield "enable"

    def files_of_acl(self) -> Iterator[str]:
        """Yield the files of an ACL that are read."""
        yield from ()

    def files_of_portal(self) -> Iterator[str]:
        """Yield the files of a portal that are read."""
        yield from ()

    def _called(self, initiator: str) -> str:
        """Return what an initiator is called in configfs."""
        return initiator

    def _opened(self, path: str, group: PortalGroup) -> dict[str, Node]:
        """Return the nodes that open a portal group."""
        if not self.can_enable:
            return {}
        enabled = "1" if group.enabled else "0"
        return {f"{path}/enable": Attribute(enabled, group.owner, default="0")}

    def _authentication(self, path: str, acl: Acl) -> dict[str, Node]:
        """Return the nodes by which the initiator at a path proves who it is."""
        return {}


@dataclass(frozen=True)
class PortalFabric(Fabric):
    """A fabric whose targets listen at portals: each endpoint is a portal group."""

    authenticates = True

    @property
    def attributes(self) -> Mapping[str, Setting]:
        return GROUP_ATTRIBUTES

    @property
    def parameters(self) -> Mapping[str, Setting]:
        return GROUP_PARAMETERS

    def target(self, service: str, address: Address) -> str:
        return service

    def tag(self, endpoint: int) -> int:
        return endpoint

    def files_of_acl(self) -> Iterator[str]:
        yield from (f"auth/{name}" for name in AUTHENTICATION)
        yield "attrib/authentication"

    def files_of_portal(self) -> Iterator[str]:
        yield "iser"

    def _opened(self, path: str, group: PortalGroup) -> dict[str, Node]:
        nodes = super()._opened(path, group)
        if isinstance(group.address, InternetAddress):
            ip, port = group.address.ip, group.address.port
            portal = f"{path}/np/[{ip}]:{port}" if ":" in ip else f"{path}/np/{ip}:{port}"
            nodes[portal] = Directory(group.owner)
            rdma = "1" if group.rdma else "0"
            nodes[f"{portal}/iser"] = Attribute(rdma, group.owner, fixed=True, default="0")
        return nodes

    def _authentication(self, path: str, acl: Acl) -> dict[str, Node]:
        nodes: dict[str, Node] = {}
        for name in AUTHENTICATION:
            value = getattr(acl.authentication, name) or UNSET
            secret = name.startswith("password")
            nodes[f"{path}/auth/{name}"] = Attribute(value, acl.owner, default=UNSET, secret=secret)
        demand = "1" if acl.authentication.userid else "0"
        nodes[f"{path}/attrib/authentication"] = Attribute(demand, acl.owner, default="-1")
        return nodes


@dataclass(frozen=True)
class PortFabric(Fabric):
    """A fabric whose targets are ports of adapters: an endpoint is all of one.

    `target_name` and `initiator_name` say how the module spells a port's world wide name: `{name}`
    stands for it as 20:00:…, `{digits}` for its 16 hexadecimal digits.
    """

    target_name: str = "{name}"
    initiator_name: str = "{name}"
    has_enable: bool = True
    group_attributes: tuple[tuple[str, str, str], ...] = ()
    """Attributes of a portal group: name, the kernel's value in a new one, ours."""
    authenticates = False

    @property
    def attributes(self) -> Mapping[str, Setting]:
        return {name: Setting(kernel, ours) for name, kernel, ours in self.group_attributes}

    @property
    def can_enable(self) -> bool:
        return self.has_enable

    def target(self, service: str, address: Address) -> str:
        assert isinstance(address, WorldWideName)
        return _spelled(self.target_name, address.port)

    def tag(self, endpoint: int) -> int:
        return 1

    def _called(self, initiator: str) -> str:
        return _spelled(self.initiator_name, initiator)


ISCSI = PortalFabric("iscsi")


def _spelled(template: str, name: str) -> str:
    return template.format(name=name, digits=name.replace(":", ""))


def settings(
    path: str, known: Mapping[str, Setting], values: Mapping[str, str], owner: str
) -> dict[str, Node]:
    """Return the nodes of the files in a folder that we set, some to other values than ours."""
    if unknown := values.keys() - known.keys():
        raise ValueError(f"{path} has no setting {', '.join(sorted(unknown))}")
    return {
        f"{path}/{name}": Attribute(
            values.get(name, setting.ours), owner, setting.fixed, setting.kernel
        )
        for name, setting in known.items()
    }
