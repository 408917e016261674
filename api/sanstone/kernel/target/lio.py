"""The SCSI target (LIO): backstores and LUNs as items of configfs; for targets see `fabrics`.

Constraints of the kernel that `parts` meets (drivers/target/, Linux 6.12):

* `control` and `enable` configure a backstore, and the kernel accepts each only once. ALUA,
  `attrib/emulate_tpu` and the links of LUNs need an enabled backstore. Identity and several
  attributes are refused while a LUN is linked to the backstore, so they are `fixed`.
  `wwn/vpd_unit_serial` is written last: a backstore without it is incomplete and is created anew.
  Saved reservations are written before any LUN is linked (`reservations`).
* Each backstore has an HBA directory of its own, `core/iblock_<number>`. The kernel would accept
  all backstores in one, but rtslib removes the directory together with each backstore, so that
  `targetctl clear` fails on a shared one. The number is the serial number read as hexadecimal:
  unique, and stable without any record of it.
* An initiator sees the LUN numbers of its ACL (`lun_N`), not those of the portal group. Both must
  be stable, so that saved reservations match again.
* ALUA is implicit only: hosts read access states and cannot set them (with 3, the kernel's default,
  an initiator could). All LUNs of a machine are in one target port group: in `default_tg_pt_gp` (id
  0), or in one of its own, where another machine exports them in that. A group is active/optimized
  unless set; the kernel accepts a state for it when its access type is implicit. A LUN is in the
  default one until its link is there, so that has the same state.

Sizes: an iblock LUN always has its device's current size (iblock_get_blocks()), but 6.12 raises no
CAPACITY DATA HAS CHANGED. The product's kernel has a patch for that (board/common/patches)
and raises it when `revalidate_size` is called. With another kernel hosts see a new size when they
rescan (`iscsiadm -m session --rescan`, then `multipathd resize map`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from sanstone.kernel.host import Files, Host
from sanstone.kernel.target import reservations
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.configfs import (
    Attribute,
    Directory,
    Link,
    Node,
    OnCreation,
    Part,
    Tree,
    link_target,
)
from sanstone.kernel.target.fabrics import (
    ISCSI,
    UNSET,
    Fabric,
    MappedLun,
    PortalGroup,
    Setting,
    settings,
)

ROOT = reservations.TARGET
IMPLICIT_ALUA = "1"


BACKSTORE_ATTRIBUTES = {
    "emulate_tpu": Setting("0", "1"),
    "emulate_tpws": Setting("0", "1"),
    "emulate_caw": Setting("1", "1"),
    "emulate_3pc": Setting("1", "1"),
    "force_pr_aptpl": Setting("0", "0", fixed=True),
}
_DEFAULT_GROUP = "default_tg_pt_gp"
FABRIC_FILES = ("discovery_auth", "lio_version", "cpus_allowed_list", "version")


@dataclass(frozen=True)
class Backstore:
    """A block device behind LUNs; `serial` is unique in the array."""

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
    access: AccessState = AccessState.OPTIMIZED
    """Access state of all paths to it."""
    port_group: int = 0
    """Id of the target port group that its LUNs are in."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Values of BACKSTORE_ATTRIBUTES that differ from the array's."""
    owner: str = ""

    @property
    def path(self) -> str:
        """Its directory in configfs."""
        return path_of_backstore(self.serial, self.name)


@dataclass(frozen=True)
class ScsiTarget:
    """A target; `wwn` is an IQN, or the name of a port in the spelling of the fabric."""

    wwn: str
    fabric: Fabric = ISCSI
    groups: tuple[PortalGroup, ...] = ()
    owner: str = ""


def render(backstores: Iterable[Backstore], targets: Iterable[ScsiTarget]) -> Tree:
    """Return the tree that exports the targets. `backstores` must contain those of all LUNs."""
    return Tree.of(parts(backstores, targets))


def parts(backstores: Iterable[Backstore], targets: Iterable[ScsiTarget]) -> Iterator[Part]:
    """Yield the parts of the tree that exports the targets."""
    paths: dict[str, Backstore] = {}
    for backstore in backstores:
        paths[backstore.name] = backstore
        yield backstore_part(backstore)
    for target in targets:
        fabric = target.fabric
        yield from fabric.target_parts(target.wwn, target.owner)
        for group in target.groups:
            path = fabric.group_path(target.wwn, group.tag)
            yield from fabric.group_parts(path, group)
            for number, name in group.luns.items():
                yield lun_part(path, number, paths[name], group.owner)
            for acl in group.acls:
                yield fabric.acl_part(path, acl)
                for seen_as, number in acl.luns.items():
                    mapped = MappedLun(acl.initiator, seen_as, number, owner=acl.owner)
                    yield fabric.mapped_lun_part(path, mapped)


def path_of_backstore(serial: str, name: str) -> str:
    """Return the directory of a backstore in configfs."""
    return f"{ROOT}/core/iblock_{int(serial, 16)}/{name}"


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
    }
    for name in dict.fromkeys((_DEFAULT_GROUP, _name_of_group(backstore.port_group))):
        nodes |= _port_group(f"{path}/alua/{name}", backstore)
    nodes |= settings(f"{path}/attrib", BACKSTORE_ATTRIBUTES, backstore.attributes, owner)
    nodes[f"{path}/wwn/vendor_id"] = Attribute(backstore.vendor, owner, fixed=True)
    nodes[f"{path}/wwn/product_id"] = Attribute(backstore.product, owner, fixed=True)
    if backstore.revision:
        nodes[f"{path}/wwn/revision"] = Attribute(backstore.revision, owner, fixed=True)
    restore = partial(reservations.restore, backstore=path, serial=backstore.serial)
    nodes[f"{path}/pr/res_aptpl_metadata"] = OnCreation(restore, owner)
    nodes[f"{path}/wwn/vpd_unit_serial"] = Attribute(backstore.serial, owner, fixed=True)
    return Part(0, ("backstore", path), (backstore.name,), nodes)


def _name_of_group(port_group: int) -> str:
    """Return the name of a target port group in configfs."""
    return f"group{port_group}" if port_group else _DEFAULT_GROUP


def _port_group(path: str, backstore: Backstore) -> dict[str, Node]:
    """Return the nodes of a target port group; the default one is always there."""
    owner, nodes = backstore.owner, dict[str, Node]()
    if not path.endswith(_DEFAULT_GROUP):
        nodes[path] = Directory(owner)
        nodes[f"{path}/tg_pt_gp_id"] = Attribute(str(backstore.port_group), owner, fixed=True)
    optimized = AccessState.OPTIMIZED.alua
    nodes[f"{path}/alua_access_type"] = Attribute(IMPLICIT_ALUA, owner, default="3")
    nodes[f"{path}/alua_access_state"] = Attribute(backstore.access.alua, owner, default=optimized)
    return nodes


def lun_part(group: str, number: int, backstore: Backstore, owner: str) -> Part:
    """Return the part of a LUN in the portal group at the path `group`."""
    path = f"{group}/lun/lun_{number}"
    nodes: dict[str, Node] = {
        path: Directory(owner),
        f"{path}/{backstore.name}": Link(backstore.path, owner),
    }
    if backstore.port_group:
        name = _name_of_group(backstore.port_group)
        nodes[f"{path}/alua_tg_pt_gp"] = Attribute(name, owner, default=_DEFAULT_GROUP)
    return Part(4, ("lun", path), (backstore.name,), nodes)


def revalidate_size(host: Host, backstore: str) -> None:
    """Have initiators notified if the device of the backstore at this path has changed its size.

    They get a unit attention with their next command, and Linux hosts turn it into a uevent. A
    kernel without the product's patch has no such attribute, and nothing happens. Raises FileError.
    """
    path = f"{backstore}/revalidate_size"
    if host.files.exists(path):
        host.files.write(path, "1")


def read(
    host: Host,
    fabrics: Iterable[Fabric] = (ISCSI,),
    progress: Callable[[], None] = lambda: None,
) -> Tree:
    """Return the live tree, limited to the attributes that `parts` writes. Raises FileError.

    `progress` is called between objects. Backstores other than iblock, and fabrics that are not
    among `fabrics`, do not belong to the array and are skipped.
    """
    files, tree = host.files, Tree()
    if not files.exists(ROOT):
        return tree
    for hba in _items(files, f"{ROOT}/core", "iblock_"):
        tree.put(hba, Directory())
        for name in files.listdir(hba):
            if name not in ("hba_info", "hba_mode"):
                progress()
                _read_backstore(files, tree, f"{hba}/{name}")
    with_port_groups = any(path.endswith("/tg_pt_gp_id") for path in tree.nodes)
    for fabric in fabrics:
        if files.exists(fabric.path):
            tree.put(fabric.path, Directory())
            _read_attributes(files, tree, fabric.path, *fabric.own_attributes)
            for group in _groups(files, fabric, tree):
                _read_group(files, tree, fabric, group, progress, with_port_groups)
    return tree


def _groups(files: Files, fabric: Fabric, tree: Tree) -> Iterator[str]:
    """Yield the portal groups of a fabric, and add its targets to the tree."""
    for wwn in files.listdir(fabric.path):
        if wwn not in FABRIC_FILES:
            tree.put(f"{fabric.path}/{wwn}", Directory(needs=fabric.needs(wwn)))
            yield from _items(files, f"{fabric.path}/{wwn}", "tpgt_")


def _items(files: Files, path: str, prefix: str) -> Iterator[str]:
    """Yield the paths of entries with a prefix in a directory."""
    return (f"{path}/{name}" for name in files.listdir(path) if name.startswith(prefix))


_INFO = re.compile(r"UDEV PATH: (\S+) +readonly: (\d)")
_ALIAS = re.compile(r"TG Port Alias: (\S+)\n")
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
    if name == "alua_tg_pt_gp":
        alias = _ALIAS.match(shown)
        return alias[1] if alias else ""
    if name == "vpd_unit_serial":
        return shown.rpartition(": ")[2]
    if name == "rtpi":
        return str(int(shown, 16))
    return shown or UNSET if item.endswith("/auth") else shown


def _read_backstore(files: Files, tree: Tree, path: str) -> None:
    """Add a backstore with its attributes to the tree."""
    tree.put(path, Directory())
    wwn = (f"wwn/{name}" for name in ("vendor_id", "product_id", "revision", "vpd_unit_serial"))
    attributes = (f"attrib/{name}" for name in BACKSTORE_ATTRIBUTES)
    names = ("control", "udev_path", "enable")
    _read_attributes(files, tree, path, *names, *attributes, *wwn)
    for group in files.listdir(f"{path}/alua"):
        item = f"{path}/alua/{group}"
        _read_attributes(files, tree, item, "alua_access_type", "alua_access_state")
        if group != _DEFAULT_GROUP:
            tree.put(item, Directory())
            _read_attributes(files, tree, item, "tg_pt_gp_id")


def _read_attributes(files: Files, tree: Tree, path: str, *names: str) -> None:
    """Add attributes of an item to the tree."""
    for name in names:
        value = read_attribute(files, f"{path}/{name}")
        secret = name.startswith("auth/password")
        tree.put(f"{path}/{name}", Attribute(value, secret=secret))


def _read_group(
    files: Files,
    tree: Tree,
    fabric: Fabric,
    path: str,
    progress: Callable[[], None],
    with_port_groups: bool,
) -> None:
    """Add a portal group with its LUNs, ACLs and portals to the tree."""
    progress()
    tree.put(path, Directory(disable=fabric.can_enable))
    _read_attributes(files, tree, path, *fabric.files_of_group())
    for lun in _items(files, f"{path}/lun", "lun_"):
        progress()
        _read_lun(files, tree, lun)
        if with_port_groups:
            _read_attributes(files, tree, lun, "alua_tg_pt_gp")
    for initiator in files.listdir(f"{path}/acls"):
        progress()
        acl = f"{path}/acls/{initiator}"
        tree.put(acl, Directory())
        _read_attributes(files, tree, acl, *fabric.files_of_acl())
        for lun in _items(files, acl, "lun_"):
            progress()
            _read_lun(files, tree, lun)
    for portal in files.listdir(f"{path}/np"):
        tree.put(f"{path}/np/{portal}", Directory())
        _read_attributes(files, tree, f"{path}/np/{portal}", *fabric.files_of_portal())


def _read_lun(files: Files, tree: Tree, path: str) -> None:
    """Add a LUN, of a portal group or an ACL, with its link to the tree."""
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
