"""The SCSI target (LIO): what backstores and targets look like in configfs.

Rules of the kernel that `render` obeys (drivers/target/, Linux 6.12):

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
from sanstone.kernel.target.configfs import Attribute, Directory, Link, Once, Tree, link_target

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
        return f"{ROOT}/core/iblock_{int(self.serial, 16)}/{self.name}"


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
    tree = Tree()
    paths: dict[str, str] = {}
    for backstore in backstores:
        paths[backstore.name] = backstore.path
        _render_backstore(tree, backstore)
    for target in targets:
        fabric = f"{ROOT}/{target.fabric}"
        tree.nodes[fabric] = Directory()
        tree.nodes[f"{fabric}/{target.wwn}"] = Directory(target.owner)
        for group in target.groups:
            _render_group(tree, path_of_group(target.wwn, group.tag, target.fabric), group, paths)
    return tree


def path_of_group(wwn: str, tag: int, fabric: str = "iscsi") -> str:
    """Return the directory of a portal group."""
    return f"{ROOT}/{fabric}/{wwn}/tpgt_{tag}"


def _render_backstore(tree: Tree, backstore: Backstore) -> None:
    path, owner, nodes = backstore.path, backstore.owner, tree.nodes
    control = f"udev_path={backstore.device},readonly={int(backstore.read_only)}"
    nodes[path.rpartition("/")[0]] = Directory(owner)
    nodes[path] = Directory(owner)
    nodes[f"{path}/control"] = Attribute(control, owner, fixed=True)
    nodes[f"{path}/udev_path"] = Attribute(backstore.device, owner)
    nodes[f"{path}/enable"] = Attribute("1", owner)
    alua = f"{path}/alua/default_tg_pt_gp/alua_access_type"
    nodes[alua] = Attribute(IMPLICIT_ALUA, owner, default="3")
    _render_settings(tree, f"{path}/attrib", BACKSTORE_ATTRIBUTES, backstore.attributes, owner)
    nodes[f"{path}/wwn/vendor_id"] = Attribute(backstore.vendor, owner, fixed=True)
    nodes[f"{path}/wwn/product_id"] = Attribute(backstore.product, owner, fixed=True)
    if backstore.revision:
        nodes[f"{path}/wwn/revision"] = Attribute(backstore.revision, owner, fixed=True)
    restore = partial(reservations.restore, backstore=path, serial=backstore.serial)
    nodes[f"{path}/pr/res_aptpl_metadata"] = Once(restore, owner)
    nodes[f"{path}/wwn/vpd_unit_serial"] = Attribute(backstore.serial, owner, fixed=True)


def _render_group(tree: Tree, path: str, group: PortalGroup, backstores: Mapping[str, str]) -> None:
    owner, nodes = group.owner, tree.nodes
    nodes[path] = Directory(owner, disable=True)
    if group.relative_port:
        nodes[f"{path}/rtpi"] = Attribute(str(group.relative_port), owner, fixed=True)
    _render_settings(tree, f"{path}/attrib", GROUP_ATTRIBUTES, group.attributes, owner)
    _render_settings(tree, f"{path}/param", GROUP_PARAMETERS, group.parameters, owner)
    for number, name in group.luns.items():
        nodes[f"{path}/lun/lun_{number}"] = Directory(owner)
        nodes[f"{path}/lun/lun_{number}/{name}"] = Link(backstores[name], owner)
    for acl in group.acls:
        _render_acl(tree, path, acl)
    nodes[f"{path}/enable"] = Attribute("1" if group.enabled else "0", owner, default="0")
    for address, port in group.portals:
        name = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        nodes[f"{path}/np/{name}"] = Directory(owner)


def _render_acl(tree: Tree, group: str, acl: Acl) -> None:
    path, owner, nodes = f"{group}/acls/{acl.initiator}", acl.owner, tree.nodes
    nodes[path] = Directory(owner)
    for name in AUTHENTICATION:
        value = getattr(acl.authentication, name) or UNSET
        secret = name.startswith("password")
        nodes[f"{path}/auth/{name}"] = Attribute(value, owner, default=UNSET, secret=secret)
    demand = "1" if acl.authentication.userid else "0"
    nodes[f"{path}/attrib/authentication"] = Attribute(demand, owner, default="-1")
    for number, target_number in acl.luns.items():
        nodes[f"{path}/lun_{number}"] = Directory(owner)
        lun = f"{group}/lun/lun_{target_number}"
        nodes[f"{path}/lun_{number}/lun_{target_number}"] = Link(lun, owner)


def _render_settings(
    tree: Tree, path: str, settings: Mapping[str, _Setting], values: Mapping[str, str], owner: str
) -> None:
    if unknown := values.keys() - settings.keys():
        raise ValueError(f"{path} has no setting {', '.join(sorted(unknown))}")
    for name, setting in settings.items():
        value = values.get(name, setting.ours)
        tree.nodes[f"{path}/{name}"] = Attribute(value, owner, setting.fixed, setting.kernel)


def revalidate_size(host: Host, backstore: Backstore) -> None:
    """Have the initiators of a backstore's LUNs told of its device's size, if that is a new one.

    They then get a unit attention with their next command, and Linux hosts make a uevent of it.
    A kernel without our patch has no means for that.
    """
    path = f"{backstore.path}/revalidate_size"
    if host.files.exists(path):
        host.files.write(path, "1")


def read(host: Host, fabrics: Iterable[str] = ("iscsi",)) -> Tree:
    """Return what the kernel holds, of the attributes that `render` writes.

    Other kinds of backstores than iblock, and other fabrics than the named ones, are none of ours.
    """
    files, tree = host.files, Tree()
    if not files.exists(ROOT):
        return tree
    for hba in _starting(files, f"{ROOT}/core", "iblock_"):
        tree.nodes[hba] = Directory()
        for name in files.listdir(hba):
            if name not in ("hba_info", "hba_mode"):
                _read_backstore(files, tree, f"{hba}/{name}")
    for fabric in fabrics:
        if files.exists(f"{ROOT}/{fabric}"):
            tree.nodes[f"{ROOT}/{fabric}"] = Directory()
            for group in _groups(files, f"{ROOT}/{fabric}", tree):
                _read_group(files, tree, group)
    return tree


def _groups(files: Files, fabric: str, tree: Tree) -> Iterator[str]:
    for wwn in files.listdir(fabric):
        if wwn not in FABRIC_FILES:
            tree.nodes[f"{fabric}/{wwn}"] = Directory()
            yield from _starting(files, f"{fabric}/{wwn}", "tpgt_")


def _starting(files: Files, path: str, prefix: str) -> Iterator[str]:
    return (f"{path}/{name}" for name in files.listdir(path) if name.startswith(prefix))


_INFO = re.compile(r"UDEV PATH: (\S+) +readonly: (\d)")
_ACCESS_TYPES = {"None": "0", "Implicit": "1", "Explicit": "2", "Implicit and Explicit": "3"}


def _read_backstore(files: Files, tree: Tree, path: str) -> None:
    nodes = tree.nodes
    nodes[path] = Directory()
    info = _INFO.search(files.read(f"{path}/info"))
    control = f"udev_path={info[1]},readonly={info[2]}" if info else ""
    nodes[f"{path}/control"] = Attribute(control)
    alua = f"{path}/alua/default_tg_pt_gp/alua_access_type"
    nodes[alua] = Attribute(_ACCESS_TYPES[files.read(alua)])
    names = ("udev_path", "enable", "wwn/vendor_id", "wwn/product_id", "wwn/revision")
    for name in (*names, *(f"attrib/{name}" for name in BACKSTORE_ATTRIBUTES)):
        nodes[f"{path}/{name}"] = Attribute(files.read(f"{path}/{name}"))
    serial = files.read(f"{path}/wwn/vpd_unit_serial").rpartition(": ")[2]
    nodes[f"{path}/wwn/vpd_unit_serial"] = Attribute(serial)


def _read_group(files: Files, tree: Tree, path: str) -> None:
    nodes = tree.nodes
    nodes[path] = Directory(disable=True)
    nodes[f"{path}/rtpi"] = Attribute(str(int(files.read(f"{path}/rtpi"), 16)))
    names = (*(f"attrib/{n}" for n in GROUP_ATTRIBUTES), *(f"param/{n}" for n in GROUP_PARAMETERS))
    for name in (*names, "enable"):
        nodes[f"{path}/{name}"] = Attribute(files.read(f"{path}/{name}"))
    for lun in _starting(files, f"{path}/lun", "lun_"):
        _read_lun(files, tree, lun)
    for initiator in files.listdir(f"{path}/acls"):
        acl = f"{path}/acls/{initiator}"
        nodes[acl] = Directory()
        for name in AUTHENTICATION:
            value = files.read(f"{acl}/auth/{name}") or UNSET
            secret = name.startswith("password")
            nodes[f"{acl}/auth/{name}"] = Attribute(value, secret=secret)
        demand = f"{acl}/attrib/authentication"
        nodes[demand] = Attribute(files.read(demand))
        for lun in _starting(files, acl, "lun_"):
            _read_lun(files, tree, lun)
    for portal in files.listdir(f"{path}/np"):
        nodes[f"{path}/np/{portal}"] = Directory()


def _read_lun(files: Files, tree: Tree, path: str) -> None:
    tree.nodes[path] = Directory()
    for name in files.listdir(path):
        if name not in _LUN_FILES:
            tree.nodes[f"{path}/{name}"] = Link(link_target(files, f"{path}/{name}"))


_LUN_FILES = frozenset(
    (
        *("alua_tg_pt_gp", "alua_tg_pt_offline", "alua_tg_pt_status", "alua_tg_pt_write_md"),
        *("statistics", "write_protect"),
    )
)
