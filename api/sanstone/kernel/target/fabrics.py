"""The fabrics of the SCSI target: targets, portal groups and ACLs as items of LIO's configfs.

There are two kinds. A `PortalFabric` (iSCSI, and iSER on its portals) has named targets with portal
groups, which listen at portals and can require CHAP. A `PortFabric` (qla2xxx, efct, tcm_fc, srpt)
has one target per port of an adapter, named by the port's world wide name or GID, with a single
portal group and no portals; it identifies initiators by the names of their ports.

Constraints of the kernel (drivers/target/, Linux 6.12):

* CHAP is set per initiator: an ACL's `attrib/authentication` overrides the portal group's (1
  requires CHAP, 0 does not). Writing "NULL" clears a name or secret (so none may begin with that).
* A portal group is enabled when its LUNs and ACLs are complete, and its portals are opened after
  that: a host that reconnects finds everything, and never gets "service unavailable". Portals bind
  with IP_FREEBIND, so a missing address is no error. `rtpi`, the relative target port identifier
  that hosts see, is assigned by the kernel in the order of enabling unless it was set before.
* A fabric module without `fabric_enable_tpg` (tcm_fc) has no `enable`: it exports each LUN at once.
* A target of qla2xxx_npiv is a virtual port. The mkdir creates it in its port's fabric, which fails
  unless the port's own target is enabled and the port logged in to a fabric that takes virtual
  ports (tcm_qla2xxx_npiv_make_lport() in drivers/scsi/qla2xxx/tcm_qla2xxx.c,
  qla24xx_vport_create_req_sanity_check() in qla_mid.c). With the port's own target goes what
  virtual ports work by (qlt_lport_deregister() in qla_target.c), so it must outlive them. To enable
  or disable that resets the adapter. In efct_npiv (drivers/scsi/elx/efct/efct_lio.c) a virtual port
  is created in the same way; there the port has no link before its own target is enabled.
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
    """An attribute that the array sets: the kernel's default in a new item, and the array's value.

    A `fixed` one can be set only once (`configfs.Attribute`).
    """

    default: str
    value: str
    fixed: bool = False


GROUP_ATTRIBUTES = {
    "authentication": Setting("1", "0"),
    "generate_node_acls": Setting("0", "0"),
    # Otherwise any portal reports the targets of all SVMs to any host in discovery.
    "demo_mode_discovery": Setting("1", "0"),
    "default_cmdsn_depth": Setting("64", "64"),
    # The least. Linux has no use for it, the product's kernel ends logins by it.
    "login_timeout": Setting("15", "5"),
}
# Unsolicited data in bursts of 256 KiB, then solicited bursts of 1 MiB. On an idle machine
# (User-mode Linux, two rounds) 1 MiB writes were 1.3 times as fast as with the kernel's values, and
# 4 KiB random and 64 KiB writes 1.1 to 1.3 times; reads differed by less than repeated runs do.
# Linux accepts one outstanding R2T whatever is offered (libiscsi); others may accept more. A change
# takes effect at a session's next login.
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
    """User names and secrets of CHAP; '' for none."""

    userid: str = ""
    password: str = field(default="", repr=False)
    userid_mutual: str = ""
    password_mutual: str = field(default="", repr=False)


@dataclass(frozen=True)
class Acl:
    """An initiator that may log in; `luns` maps the LUN numbers it sees to the portal group's."""

    initiator: str
    authentication: Authentication = Authentication()
    luns: Mapping[int, int] = field(default_factory=dict)
    owner: str = ""


class MappedLun(NamedTuple):
    """A mapped LUN: `seen_as` is its number for the initiator, `number` the portal group's."""

    initiator: str
    seen_as: int
    number: int
    backstore: str = ""
    owner: str = ""


@dataclass(frozen=True)
class PortalGroup:
    """A target portal group; `luns` maps LUN numbers to names of backstores."""

    tag: int
    address: Address | None = None
    """The IP address at which it listens. It opens no portal for None or the name of a port."""
    luns: Mapping[int, str] = field(default_factory=dict)
    acls: tuple[Acl, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Values of the fabric's attributes that differ from the array's."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Values of the fabric's parameters that differ from the array's."""
    relative_port: int = 0
    """Relative target port identifier, unique in the array; 0 leaves it to the kernel."""
    enabled: bool = True
    rdma: bool = False
    """Whether its portal accepts connections over RDMA (iSER)."""
    owner: str = ""


@dataclass(frozen=True)
class Fabric(ABC):
    """A fabric module; `name` is the directory of its targets."""

    name: str
    authenticates: ClassVar[bool]
    """Whether the fabric can authenticate initiators."""

    @property
    def path(self) -> str:
        """Return the directory of the targets."""
        return f"{TARGET}/{self.name}"

    @property
    @abstractmethod
    def attributes(self) -> Mapping[str, Setting]:
        """Return the attributes of a portal group that the array sets."""

    @property
    def parameters(self) -> Mapping[str, Setting]:
        """Return the parameters of a portal group that the array sets."""
        return {}

    @property
    def own_attributes(self) -> Mapping[str, Setting]:
        """Return the attributes of the fabric as a whole that the array sets."""
        return {}

    @property
    def can_enable(self) -> bool:
        """Return whether a portal group serves hosts once it is enabled, rather than at once."""
        return True

    @abstractmethod
    def target(self, service: str, address: Address) -> str:
        """Return the name of the target of a service at an address."""

    def needs(self, target: str) -> str:
        """Return the portal group without which a target cannot be, '' for none."""
        return ""

    @abstractmethod
    def tag(self, endpoint: int) -> int:
        """Return the tag of an endpoint's portal group, by the endpoint's id."""

    def group_path(self, target: str, tag: int) -> str:
        """Return the directory of a portal group."""
        return f"{self.path}/{target}/tpgt_{tag}"

    def acl_key(self, group: str, initiator: str) -> tuple[str, str]:
        """Return the key of the part of an initiator's ACL in the portal group at `group`."""
        return "acl", f"{group}/acls/{self._configfs_name(initiator)}"

    def target_parts(self, target: str, owner: str) -> Iterator[Part]:
        """Yield the parts of a target without its portal groups."""
        nodes: dict[str, Node] = {self.path: Directory()}
        nodes |= settings(self.path, self.own_attributes, {}, "")
        yield Part(1, ("fabric", self.path), (), nodes)
        path = f"{self.path}/{target}"
        yield Part(2, ("target", path), (), {path: Directory(owner, needs=self.needs(target))})

    def group_parts(self, path: str, group: PortalGroup) -> Iterator[Part]:
        """Yield the parts of the portal group at `path` without LUNs and ACLs.

        There are two, because the portal group is opened after everything else in it is in place.
        """
        owner = group.owner
        nodes: dict[str, Node] = {path: Directory(owner, disable=self.can_enable)}
        if group.relative_port:
            nodes[f"{path}/rtpi"] = Attribute(str(group.relative_port), owner, fixed=True)
        nodes |= settings(f"{path}/attrib", self.attributes, group.attributes, owner)
        nodes |= settings(f"{path}/param", self.parameters, group.parameters, owner)
        yield Part(3, ("group", path), (), nodes)
        opening = self._opening_nodes(path, group)
        if opening:
            yield Part(7, ("opening", path), (), opening)

    def acl_part(self, group: str, acl: Acl) -> Part:
        """Return the part of an ACL in the portal group at `group`, without its mapped LUNs."""
        path = f"{group}/acls/{self._configfs_name(acl.initiator)}"
        nodes: dict[str, Node] = {path: Directory(acl.owner)}
        nodes |= self._authentication(path, acl)
        return Part(5, self.acl_key(group, acl.initiator), (acl.initiator,), nodes)

    def mapped_lun_part(self, group: str, mapped: MappedLun) -> Part:
        """Return the part of a mapped LUN in the portal group at the path `group`."""
        owner = mapped.owner
        path = f"{group}/acls/{self._configfs_name(mapped.initiator)}/lun_{mapped.seen_as}"
        lun = f"{group}/lun/lun_{mapped.number}"
        nodes = {path: Directory(owner), f"{path}/lun_{mapped.number}": Link(lun, owner)}
        objects = (mapped.initiator, mapped.backstore) if mapped.backstore else (mapped.initiator,)
        return Part(6, ("mapped", path), objects, nodes)

    def files_of_group(self) -> Iterator[str]:
        """Yield the attributes of a portal group that are read."""
        yield "rtpi"
        yield from (f"attrib/{name}" for name in self.attributes)
        yield from (f"param/{name}" for name in self.parameters)
        if self.can_enable:
            yield "enable"

    def files_of_acl(self) -> Iterator[str]:
        """Yield the attributes of an ACL that are read."""
        yield from ()

    def files_of_portal(self) -> Iterator[str]:
        """Yield the attributes of a portal that are read."""
        yield from ()

    def _configfs_name(self, initiator: str) -> str:
        """Return the name of an initiator in configfs."""
        return initiator

    def _opening_nodes(self, path: str, group: PortalGroup) -> dict[str, Node]:
        """Return the nodes that open a portal group to initiators."""
        if not self.can_enable:
            return {}
        enabled = "1" if group.enabled else "0"
        return {f"{path}/enable": Attribute(enabled, group.owner, default="0")}

    def _authentication(self, path: str, acl: Acl) -> dict[str, Node]:
        """Return the nodes that authenticate an initiator; its ACL is at `path`."""
        return {}


@dataclass(frozen=True)
class PortalFabric(Fabric):
    """A fabric with targets that listen at portals: each endpoint is a portal group."""

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

    def _opening_nodes(self, path: str, group: PortalGroup) -> dict[str, Node]:
        nodes = super()._opening_nodes(path, group)
        if isinstance(group.address, InternetAddress):
            ip, port = group.address.ip, group.address.port
            portal = f"{path}/np/[{ip}]:{port}" if ":" in ip else f"{path}/np/{ip}:{port}"
            nodes[portal] = Directory(group.owner)
            rdma = "1" if group.rdma else "0"
            nodes[f"{portal}/iser"] = Attribute(rdma, group.owner, default="0")
        return nodes

    def _authentication(self, path: str, acl: Acl) -> dict[str, Node]:
        nodes: dict[str, Node] = {}
        for name in AUTHENTICATION:
            value = getattr(acl.authentication, name) or UNSET
            secret = name.startswith("password")
            nodes[f"{path}/auth/{name}"] = Attribute(value, acl.owner, default=UNSET, secret=secret)
        required = "1" if acl.authentication.userid else "0"
        nodes[f"{path}/attrib/authentication"] = Attribute(required, acl.owner, default="-1")
        return nodes


@dataclass(frozen=True)
class PortFabric(Fabric):
    """A fabric with ports of adapters as targets: each endpoint is a port.

    `target_name` and `initiator_name` are the module's spelling of a port's name: `{name}` stands
    for 20:00:…, `{digits}` for the hexadecimal digits. If its targets are virtual ports,
    `virtual_of` is the fabric of the adapters' own ports, and a target's name begins with its
    port's and an @.
    """

    target_name: str = "{name}"
    initiator_name: str = "{name}"
    has_enable: bool = True
    fabric_attributes: tuple[tuple[str, str, str], ...] = ()
    """Attributes of the fabric as a whole: name, the kernel's default, the array's value."""
    group_attributes: tuple[tuple[str, str, str], ...] = ()
    """Attributes of a portal group: name, the kernel's default in a new one, the array's value."""
    virtual_of: str = ""
    authenticates = False

    @property
    def own_attributes(self) -> Mapping[str, Setting]:
        return {name: Setting(default, value) for name, default, value in self.fabric_attributes}

    @property
    def attributes(self) -> Mapping[str, Setting]:
        return {name: Setting(default, value) for name, default, value in self.group_attributes}

    @property
    def can_enable(self) -> bool:
        return self.has_enable

    def target(self, service: str, address: Address) -> str:
        assert not isinstance(address, InternetAddress)
        node, base = "", ""
        if isinstance(address, WorldWideName):
            node, base = address.node, address.base
        return _format_name(self.target_name, address.port, node, base)

    def needs(self, target: str) -> str:
        base = f"{TARGET}/{self.virtual_of}/{target.partition('@')[0]}"
        return f"{base}/tpgt_{self.tag(0)}" if self.virtual_of else ""

    def tag(self, endpoint: int) -> int:
        return 1

    def _configfs_name(self, initiator: str) -> str:
        return _format_name(self.initiator_name, initiator)


ISCSI = PortalFabric("iscsi")


def _format_name(template: str, name: str, node: str = "", base: str = "") -> str:
    """Return a port's name in the spelling of a fabric module."""
    digits, node_digits = name.replace(":", ""), node.replace(":", "")
    return template.format(name=name, digits=digits, base=base, node_digits=node_digits)


def settings(
    path: str, available: Mapping[str, Setting], values: Mapping[str, str], owner: str
) -> dict[str, Node]:
    """Return the nodes of the attributes in a directory.

    `values` replaces values of the array. Raises ValueError for an attribute that is not available.
    """
    if unknown := values.keys() - available.keys():
        raise ValueError(f"{path} has no setting {', '.join(sorted(unknown))}")
    return {
        f"{path}/{name}": Attribute(
            values.get(name, setting.value), owner, setting.fixed, setting.default
        )
        for name, setting in available.items()
    }
