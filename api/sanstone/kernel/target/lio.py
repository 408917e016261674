"""The SCSI target (LIO): what backstores and targets look like in configfs.

Rules of the kernel that `parts` obeys (drivers/target/, Linux 6.12):

* A backstore is configured by `control` and `enable`, both once only; ALUA, `attrib/emulate_tpu`
  and the links of LUNs need it enabled. Identity and several attributes are refused while a LUN is
  linked to it, so they are `fixed`. `wwn/vpd_unit_serial` comes last: as long as it is missing,
  the backstore is unfinished and made anew. Saved reservations go in before any LUN is linked
  (`reservations`).
* Each backstore has an HBA folder of its own, `core/iblock_<number>`. The kernel would take all in
  one, but rtslib removes the folder with each backstore, so that `targetctl clear` dies on a
  shared one. The number is the serial number read as hexadecimal: unique, and stable without
  bookkeeping.
* LUN numbers in a portal group are a host's only through an ACL's `lun_N`. Both must be stable for
  saved reservations to find their way back.
* ALUA is implicit only: hosts see states, they cannot set them (with 3, the kernel's own choice,
  an initiator could). All LUNs are in `default_tg_pt_gp`, which is active/optimized.
* CHAP is per initiator: an ACL's `attrib/authentication` overrules the portal group's (1 demands
  it, 0 does not). A name or secret is unset by writing "NULL" (so none may begin with that).
* A portal group is enabled when its LUNs and ACLs are complete, its portals are opened after that:
  a host that reconnects finds everything, and is never told "service unavailable". Portals bind
  with IP_FREEBIND, so a missing address is no error. `rtpi`, the relative target port identifier
  that hosts see, is the kernel's choice by order of enabling unless set before.

Sizes: an iblock LUN has its device's size at every moment (iblock_get_blocks()), but 6.12 raises
no CAPACITY DATA HAS CHANGED. The product's kernel has a patch for that (board/common/patches/linux)
and does so when `revalidate_size` is called. With another kernel hosts see a new size when they
rescan (`iscsiadm -m session --rescan`, then `multipathd resize map`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from sanstone.kernel.host import Files, Host
from sanstone.kernel.target import reservations
from sanstone.kernel.target.configfs import (
    Attribute,
    Directory,
    Link,
    Node,
    Once,
    Part,
    Tree,
    link_target,
)

ROOT = "/sys/kernel/config/target"
UNSET = "NULL"
IMPLICIT_ALUA = "1"


class _Setting(NamedTuple):
    """A file that we may set: the kernel's value in a new item, and ours."""

    kernel: str
    ours: str
    fixed: bool = False


BACKSTORE_ATTRIBUTES = {
    "emulate_tpu": _Setting("0", "1"),
    "emulate_tpws": _Setting("0", "1"),
    "emulate_caw": _Setting("1", "1"),
    "emulate_3pc": _Setting("1", "1"),
    "force_pr_aptpl": _Setting("0", "0", fixed=True),
}
GROUP_ATTRIBUTES = {
    "authentication": _Setting("1", "0"),
    "generate_node_acls": _Setting("0", "0"),
    # Else any host that asks any portal is told of the targets of all SVMs.
    "demo_mode_discovery": _Setting("1", "0"),
    "default_cmdsn_depth": _Setting("64", "64"),
    "login_timeout": _Setting("15", "15"),
}
# Longer bursts, more R2Ts, no initial R2T (1 MiB, 8, No, segments of 256 KiB) raised 1 MiB writes
# 1.2 to 2.4 times in User-mode Linux, but in most runs lowered 4 KiB random ones to 0.65 to 0.85:
# the kernel's values stay until that is understood. A change counts from a session's next login.
GROUP_PARAMETERS = {
    "HeaderDigest": _Setting("CRC32C,None", "CRC32C,None"),
    "DataDigest": _Setting("CRC32C,None", "CRC32C,None"),
    "MaxConnections": _Setting("1", "1"),
    "InitialR2T": _Setting("Yes", "Yes"),
    "ImmediateData": _Setting("Yes", "Yes"),
    "MaxRecvDataSegmentLength": _Setting("8192", "8192"),
    "MaxBurstLength": _Setting("262144", "262144"),
    "FirstBurstLength": _Setting("65536", "65536"),
    "MaxOutstandingR2T": _Setting("1", "1"),
    "ErrorRecoveryLevel": _Setting("0", "0"),
}
_ALUA = "alua/default_tg_pt_gp/alua_access_type"
FABRIC_FILES = ("discovery_auth", "lio_version", "cpus_allowed_list")
AUTHENTICATION = ("userid", "password", "userid_mutual", "password_mutual")


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
    """Values of BACKSTORE_ATTRIBUTES that differ from ours."""
    owner: str = ""

    @property
    def path(self) -> str:
        """Its directory in configfs."""
        return path_of_backstore(self.serial, self.name)


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
    portals: tuple[tuple[str, int], ...] = ()
    """(address, TCP port); IPv6 addresses without brackets."""
    luns: Mapping[int, str] = field(default_factory=dict)
    acls: tuple[Acl, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Values of GROUP_ATTRIBUTES that differ from ours."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Values of GROUP_PARAMETERS that differ from ours."""
    relative_port: int = 0
    """Relative target port identifier, unique in the array; 0: the kernel's choice."""
    enabled: bool = True
    owner: str = ""


@dataclass(frozen=True)
class ScsiTarget:
    """A target: `wwn` is an IQN for the fabric iscsi."""

    wwn: str
    fabric: str = "iscsi"
    groups: tuple[PortalGroup, ...] = ()
    owner: str = ""


def render(backstores: Iterable[Backstore], targets: Iterable[ScsiTarget]) -> Tree:
    """Return the tree that serves this. Backstores named by LUNs must be among `backstores`."""
    return Tree.of(parts(backstores, targets))


def parts(backstores: Iterable[Backstore], targets: Iterable[ScsiTarget]) -> Iterator[Part]:
    """Return the parts of the tree that serves this."""
    paths: dict[str, Backstore] = {}
    for backstore in backstores:
        paths[backstore.name] = backstore
        yield backstore_part(backstore)
    for target in targets:
        yield from target_parts(target)
        for group in target.groups:
            path = path_of_group(target.wwn, group.tag, target.fabric)
            yield from group_parts(path, group)
            for number, name in group.luns.items():
                yield lun_part(path, number, paths[name], group.owner)
            for acl in group.acls:
                yield acl_part(path, acl)
                for seen_as, number in acl.luns.items():
                    mapped = MappedLun(acl.initiator, seen_as, number, owner=acl.owner)
                    yield mapped_lun_part(path, mapped)


def path_of_backstore(serial: str, name: str) -> str:
    """Return the directory of a backstore."""
    return f"{ROOT}/core/iblock_{int(serial, 16)}/{name}"


def path_of_group(wwn: str, tag: int, fabric: str = "iscsi") -> str:
    """Return the directory of a portal group."""
    return f"{ROOT}/{fabric}/{wwn}/tpgt_{tag}"


def backstore_part(backstore: Backstore) -> Part:
    """Return the part of a backstore."""
    path, owner = backstore.path, backstore.owner
    control = f"udev_path={backstore.device},readonly={int(backstore.read_only)}"
    nodes: dict[str, Node] = {
        path.rpartition("/")[0]: Directory(owner),
        path: Directory(owner),
        f"{path}/control": Attribute(control, owner, fixed=True),
        f"{path}/udev_path": Attribute(backstore.device, owner),
        f"{path}/enable": Attribute("1", owner),
        f"{path}/{_ALUA}": Attribute(IMPLICIT_ALUA, owner, default="3"),
    }
    settings = _settings(f"{path}/attrib", BACKSTORE_ATTRIBUTES, backstore.attributes, owner)
    nodes |= settings
    nodes[f"{path}/wwn/vendor_id"] = Attribute(backstore.vendor, owner, fixed=True)
    nodes[f"{path}/wwn/product_id"] = Attribute(backstore.product, owner, fixed=True)
    if backstore.revision:
        nodes[f"{path}/wwn/revision"] = Attribute(backstore.revision, owner, fixed=True)
    restore = partial(reservations.restore, backstore=path, serial=backstore.serial)
    nodes[f"{path}/pr/res_aptpl_metadata"] = Once(restore, owner)
    nodes[f"{path}/wwn/vpd_unit_serial"] = Attribute(backstore.serial, owner, fixed=True)
    return Part(0, ("backstore", path), (backstore.name,), nodes)


def target_parts(target: ScsiTarget) -> Iterator[Part]:
    """Return the parts of a target without its portal groups."""
    fabric = f"{ROOT}/{target.fabric}"
    yield Part(1, ("fabric", fabric), (), {fabric: Directory()})
    path = f"{fabric}/{target.wwn}"
    yield Part(2, ("target", path), (), {path: Directory(target.owner)})


def group_parts(path: str, group: PortalGroup) -> Iterator[Part]:
    """Return the parts of the portal group at `path` without LUNs and ACLs.

    There are two, since it is opened when everything else of it is there.
    """
    owner = group.owner
    nodes: dict[str, Node] = {path: Directory(owner, disable=True)}
    if group.relative_port:
        nodes[f"{path}/rtpi"] = Attribute(str(group.relative_port), owner, fixed=True)
    nodes |= _settings(f"{path}/attrib", GROUP_ATTRIBUTES, group.attributes, owner)
    nodes |= _settings(f"{path}/param", GROUP_PARAMETERS, group.parameters, owner)
    yield Part(3, ("group", path), (), nodes)
    enabled = "1" if group.enabled else "0"
    opened: dict[str, Node] = {f"{path}/enable": Attribute(enabled, owner, default="0")}
    for address, port in group.portals:
        name = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        opened[f"{path}/np/{name}"] = Directory(owner)
    yield Part(7, ("opened", path), (), opened)


def lun_part(group: str, number: int, backstore: Backstore, owner: str) -> Part:
    """Return the part of a LUN in the portal group at the path `group`."""
    path = f"{group}/lun/lun_{number}"
    nodes = {path: Directory(owner), f"{path}/{backstore.name}": Link(backstore.path, owner)}
    return Part(4, ("lun", path), (backstore.name,), nodes)


def acl_key(group: str, initiator: str) -> tuple[str, str]:
    """Return the key of the part of an initiator's ACL in a portal group."""
    return "acl", f"{group}/acls/{initiator}"


def acl_part(group: str, acl: Acl) -> Part:
    """Return the part of an initiator's ACL in a portal group, without the LUNs that it sees."""
    path, owner = f"{group}/acls/{acl.initiator}", acl.owner
    nodes: dict[str, Node] = {path: Directory(owner)}
    for name in AUTHENTICATION:
        value = getattr(acl.authentication, name) or UNSET
        secret = name.startswith("password")
        nodes[f"{path}/auth/{name}"] = Attribute(value, owner, default=UNSET, secret=secret)
    demand = "1" if acl.authentication.userid else "0"
    nodes[f"{path}/attrib/authentication"] = Attribute(demand, owner, default="-1")
    return Part(5, acl_key(group, acl.initiator), (acl.initiator,), nodes)


def mapped_lun_part(group: str, mapped: MappedLun) -> Part:
    """Return the part of a LUN that an initiator sees in a portal group."""
    path, owner = f"{group}/acls/{mapped.initiator}/lun_{mapped.seen_as}", mapped.owner
    lun = f"{group}/lun/lun_{mapped.number}"
    nodes = {path: Directory(owner), f"{path}/lun_{mapped.number}": Link(lun, owner)}
    about = (mapped.initiator, mapped.backstore) if mapped.backstore else (mapped.initiator,)
    return Part(6, ("mapped", path), about, nodes)


def _settings(
    path: str, settings: Mapping[str, _Setting], values: Mapping[str, str], owner: str
) -> dict[str, Node]:
    if unknown := values.keys() - settings.keys():
        raise ValueError(f"{path} has no setting {', '.join(sorted(unknown))}")
    return {
        f"{path}/{name}": Attribute(
            values.get(name, setting.ours), owner, setting.fixed, setting.kernel
        )
        for name, setting in settings.items()
    }


def revalidate_size(host: Host, backstore: str) -> None:
    """Have initiators told of the size of the device of the backstore at this path, if it is new.

    They then get a unit attention with their next command, and Linux hosts make a uevent of it.
    A kernel without our patch has no means for that.
    """
    path = f"{backstore}/revalidate_size"
    if host.files.exists(path):
        host.files.write(path, "1")


def read(host: Host, fabrics: Iterable[str] = ("iscsi",)) -> Tree:
    """Return what the kernel holds, of the attributes that `parts` writes.

    Other kinds of backstores than iblock, and other fabrics than the named ones, are none of ours.
    """
    files, tree = host.files, Tree()
    if not files.exists(ROOT):
        return tree
    for hba in _starting(files, f"{ROOT}/core", "iblock_"):
        tree.put(hba, Directory())
        for name in files.listdir(hba):
            if name not in ("hba_info", "hba_mode"):
                _read_backstore(files, tree, f"{hba}/{name}")
    for fabric in fabrics:
        if files.exists(f"{ROOT}/{fabric}"):
            tree.put(f"{ROOT}/{fabric}", Directory())
            for group in _groups(files, f"{ROOT}/{fabric}", tree):
                _read_group(files, tree, group)
    return tree


def _groups(files: Files, fabric: str, tree: Tree) -> Iterator[str]:
    for wwn in files.listdir(fabric):
        if wwn not in FABRIC_FILES:
            tree.put(f"{fabric}/{wwn}", Directory())
            yield from _starting(files, f"{fabric}/{wwn}", "tpgt_")


def _starting(files: Files, path: str, prefix: str) -> Iterator[str]:
    return (f"{path}/{name}" for name in files.listdir(path) if name.startswith(prefix))


_INFO = re.compile(r"UDEV PATH: (\S+) +readonly: (\d)")
_ACCESS_TYPES = {"None": "0", "Implicit": "1", "Explicit": "2", "Implicit and Explicit": "3"}


def read_attribute(files: Files, path: str) -> str:
    """Return an attribute in the form in which it is written. Raises FileError."""
    item, _, name = path.rpartition("/")
    if name == "control":
        info = _INFO.search(files.read(f"{item}/info"))
        return f"udev_path={info[1]},readonly={info[2]}" if info else ""
    shown = files.read(path)
    if name == "alua_access_type":
        return _ACCESS_TYPES[shown]
    if name == "vpd_unit_serial":
        return shown.rpartition(": ")[2]
    if name == "rtpi":
        return str(int(shown, 16))
    return shown or UNSET if item.endswith("/auth") else shown


def _read_backstore(files: Files, tree: Tree, path: str) -> None:
    tree.put(path, Directory())
    wwn = (f"wwn/{name}" for name in ("vendor_id", "product_id", "revision", "vpd_unit_serial"))
    attributes = (f"attrib/{name}" for name in BACKSTORE_ATTRIBUTES)
    _read_attributes(files, tree, path, "control", _ALUA, "udev_path", "enable", *attributes, *wwn)


def _read_attributes(files: Files, tree: Tree, path: str, *names: str) -> None:
    for name in names:
        value = read_attribute(files, f"{path}/{name}")
        secret = name.startswith("auth/password")
        tree.put(f"{path}/{name}", Attribute(value, secret=secret))


def _read_group(files: Files, tree: Tree, path: str) -> None:
    tree.put(path, Directory(disable=True))
    attributes = (f"attrib/{name}" for name in GROUP_ATTRIBUTES)
    parameters = (f"param/{name}" for name in GROUP_PARAMETERS)
    _read_attributes(files, tree, path, "rtpi", *attributes, *parameters, "enable")
    for lun in _starting(files, f"{path}/lun", "lun_"):
        _read_lun(files, tree, lun)
    for initiator in files.listdir(f"{path}/acls"):
        acl = f"{path}/acls/{initiator}"
        tree.put(acl, Directory())
        names = (f"auth/{name}" for name in AUTHENTICATION)
        _read_attributes(files, tree, acl, *names, "attrib/authentication")
        for lun in _starting(files, acl, "lun_"):
            _read_lun(files, tree, lun)
    for portal in files.listdir(f"{path}/np"):
        tree.put(f"{path}/np/{portal}", Directory())


def _read_lun(files: Files, tree: Tree, path: str) -> None:
    tree.put(path, Directory())
    for name in files.listdir(path):
        if name not in _LUN_FILES:
            tree.put(f"{path}/{name}", Link(link_target(files, f"{path}/{name}")))


_LUN_FILES = frozenset(
    (
        *("alua_tg_pt_gp", "alua_tg_pt_offline", "alua_tg_pt_status", "alua_tg_pt_write_md"),
        *("statistics", "write_protect"),
    )
)
