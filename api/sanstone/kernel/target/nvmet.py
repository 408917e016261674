"""The NVMe target (nvmet): subsystems, hosts and ports as items of configfs.

Constraints of the kernel that `parts` meets (drivers/nvme/target/configfs.c and core.c, Linux
6.12):

* A namespace accepts device, UUID, NGUID and block size only while it is disabled. So these are
  `fixed`, and `enable` is written last. At most 1,024 namespaces of a subsystem can be enabled
  (`MAXIMUM_NAMESPACES`).
* Serial number, model and firmware revision are frozen when the first host identifies a controller.
* `attr_cntlid_max` may not be below `attr_cntlid_min`, so it is written first. Two machines that
  export one subsystem have ids of controllers apart, by which hosts know them.
* A new subsystem admits linked hosts only (`attr_allow_any_host` stays 0).
* The first subsystem that is linked to a port opens the port's socket and freezes its address, how
  much hosts may send along with a write (`INLINE_DATA_SIZE`), and how much they may transfer by one
  command (`LARGEST_TRANSFER`). By then the address must be on
  a network interface: otherwise the kernel returns EADDRNOTAVAIL, and the next turn tries again.
  Hence the order hosts, subsystems, ports: a host that reconnects finds all of its namespaces.
* ANA group 1 always exists. Others are created per port and are inaccessible at first. 127 is the
  highest usable group: a namespace that is put into group 128 ends up in group 0
  (nvmet_ns_ana_grpid_store(), off by one).
* A key is cleared by writing a NUL byte; an empty line is refused (nvmet_auth_set_key() in auth.c).
  A changed key takes effect at the next connection or re-authentication; existing connections stay.
* A host in `tls_hosts` is let in by TLS alone, if it is in `allowed_hosts` too, where
  nvmet_setup_auth() looks for it (auth.c), and no host by another's key. A port tells each host
  whether it needs TLS and takes both kinds of connections, if `addr_treq` was "not required" before
  it was opened. Only the product's kernel has this (board/common/patches): Linux leaves it to the
  host whether it comes by TLS.
* A port's discovery log names the discovery service to which a referral leads, which a host has to
  ask. A host that gets a change notification may not end then: nvme-cli 2.13 does not know again
  the controllers that it has where its udev rule gives it "none" for its own address (fabrics.c,
  __discover), and follows referrals that lead back and forth. The product's kernel lists the
  subsystems of the other port instead, if that is of this machine (board/common/patches).
* Unlinking a host from a subsystem does not end its connections: see
  `sessions.disallowed_controllers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from sanstone.kernel.host import Files, Host
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import NvmeAddress
from sanstone.kernel.target.configfs import (
    EMPTY,
    Attribute,
    Directory,
    Link,
    Node,
    OnCreation,
    Part,
    Tree,
    link_target,
)

ROOT = "/sys/kernel/config/nvmet"
MAX_BLOCK_SIZE = "/sys/module/nvmet/parameters/max_block_size"
TLS_HOSTS = "/sys/module/nvmet/parameters/tls_hosts"
MAXIMUM_NAMESPACES = 1024
ALL_CONTROLLERS = range(1, 65520)
"""The ids that controllers may have (NVME_CNTLID_MIN, NVME_CNTLID_MAX in nvmet.h)."""
DISCOVERY_NQN = "nqn.2014-08.org.nvmexpress.discovery"
"""The name of every discovery subsystem that has none of its own (`discovery_nqn`)."""


@dataclass(frozen=True)
class Namespace:
    """A block device that is exported under a namespace id (1 … 1024 on Sanstone arrays)."""

    nsid: int
    device: str
    uuid: str
    nguid: str
    """32 hexadecimal digits."""
    ana_group: int = 1
    block_size: int | None = None
    """Bytes of a logical block, 512 … 4096; 0 for those of the device's. None for a kernel that
    knows no other (`has_block_size`)."""
    owner: str = ""


@dataclass(frozen=True)
class AllowedHost:
    """A host, by its NQN, with its DH-HMAC-CHAP keys in the form "DHHC-1:…:", '' for none."""

    nqn: str
    key: str = field(default="", repr=False)
    controller_key: str = field(default="", repr=False)
    hash: str = "hmac(sha256)"
    group: str = "null"
    owner: str = ""


@dataclass(frozen=True)
class Subsystem:
    """A subsystem; `hosts` are NQNs, `ports` are the ids of the `Port`s that export it.

    `tls_hosts` are those of the hosts that need TLS; the others may come without.
    """

    nqn: str
    serial: str
    """At most 20 characters."""
    model: str = "Sanstone Array"
    """At most 40 characters."""
    firmware: str = ""
    """Firmware revision, at most 8 characters; "" leaves the kernel's."""
    hosts: tuple[str, ...] = ()
    tls_hosts: frozenset[str] = frozenset()
    namespaces: tuple[Namespace, ...] = ()
    ports: tuple[int, ...] = ()
    controllers: range = ALL_CONTROLLERS
    """Ids of its controllers on this machine."""
    owner: str = ""


@dataclass(frozen=True)
class Referral:
    """Another port's address, which the discovery controller of a port also reports."""

    name: str
    address: NvmeAddress
    transport: str = "tcp"
    port_id: int = 0


@dataclass(frozen=True)
class Port:
    """A port: an address at which subsystems are served. Ids are 1 … 65535."""

    id: int
    address: NvmeAddress
    transport: str = "tcp"
    ana: Mapping[int, AccessState] = field(default_factory=dict)
    """Access state by ANA group. Group 1 exists at each port; without an entry it is optimized."""
    referrals: tuple[Referral, ...] = ()
    takes_tls: bool = False
    """Whether hosts may come by TLS, if the transport is TCP; only where `has_tls`."""
    owner: str = ""


def render(
    subsystems: Iterable[Subsystem], hosts: Iterable[AllowedHost], ports: Iterable[Port]
) -> Tree:
    """Return the tree that exports the subsystems through the ports.

    All NQNs in `Subsystem.hosts` must be among `hosts`.
    """
    return Tree.of(parts(subsystems, hosts, ports))


def parts(
    subsystems: Iterable[Subsystem], hosts: Iterable[AllowedHost], ports: Iterable[Port]
) -> Iterator[Part]:
    """Yield the parts of the tree that exports the subsystems through the ports."""
    for host in hosts:
        yield host_part(host)
    for subsystem in subsystems:
        yield subsystem_part(subsystem)
        for namespace in subsystem.namespaces:
            yield namespace_part(subsystem.nqn, namespace)
        for port_id in subsystem.ports:
            yield link_part(port_id, subsystem)
    for port in ports:
        yield port_part(port)


def has_block_size(host: Host) -> bool:
    """Return whether a namespace can have larger blocks than its device.

    The product's kernel can (board/common/patches); `Namespace.block_size` is for it alone.
    """
    return host.files.exists(MAX_BLOCK_SIZE)


def has_tls(host: Host) -> bool:
    """Return whether hosts can be bound to TLS. Raises FileError."""
    return host.files.exists(TLS_HOSTS) and host.files.read(TLS_HOSTS).strip() == "Y"


def link(port_id: int, nqn: str) -> str:
    """Return the path of the link that exports a subsystem through a port."""
    return f"{ROOT}/ports/{port_id}/subsystems/{nqn}"


def host_part(host: AllowedHost) -> Part:
    """Return the part of a host with its keys."""
    path, owner = f"{ROOT}/hosts/{host.nqn}", host.owner
    nodes: dict[str, Node] = {
        path: Directory(owner),
        f"{path}/dhchap_hash": Attribute(host.hash, owner, default="hmac(sha256)"),
        f"{path}/dhchap_dhgroup": Attribute(host.group, owner, default="null"),
    }
    for name, key in (("dhchap_key", host.key), ("dhchap_ctrl_key", host.controller_key)):
        nodes[f"{path}/{name}"] = Attribute(key or EMPTY, owner, default=EMPTY, secret=True)
    return Part(0, ("host", path), (host.nqn,), nodes)


def subsystem_part(subsystem: Subsystem) -> Part:
    """Return the part of a subsystem with its allowed hosts, without namespaces."""
    path, owner = f"{ROOT}/subsystems/{subsystem.nqn}", subsystem.owner
    nodes: dict[str, Node] = {
        path: Directory(owner),
        f"{path}/attr_allow_any_host": Attribute("0", owner, default="0"),
        f"{path}/attr_serial": Attribute(subsystem.serial, owner, fixed=True),
        f"{path}/attr_model": Attribute(subsystem.model, owner, fixed=True),
    }
    for name, end in (("attr_cntlid_max", -1), ("attr_cntlid_min", 0)):
        value, default = str(subsystem.controllers[end]), str(ALL_CONTROLLERS[end])
        nodes[f"{path}/{name}"] = Attribute(value, owner, default=default)
    if subsystem.firmware:
        nodes[f"{path}/attr_firmware"] = Attribute(subsystem.firmware, owner, fixed=True)
    for nqn in subsystem.hosts:
        item, bound = f"{ROOT}/hosts/{nqn}", f"{path}/tls_hosts/{nqn}"
        needs: tuple[str, ...] = ()
        if nqn in subsystem.tls_hosts:
            # Bound first, so that it is never let in without.
            nodes[bound] = Link(item, owner)
            needs = (bound,)
        nodes[f"{path}/allowed_hosts/{nqn}"] = Link(item, owner, needs)
    return Part(1, ("subsystem", path), (subsystem.nqn,), nodes)


def namespace_part(nqn: str, namespace: Namespace) -> Part:
    """Return the part of a namespace in the subsystem `nqn`."""
    path, owner = f"{ROOT}/subsystems/{nqn}/namespaces/{namespace.nsid}", namespace.owner
    nodes: dict[str, Node] = {
        path: Directory(owner),
        f"{path}/device_path": Attribute(namespace.device, owner, True),
        f"{path}/device_uuid": Attribute(namespace.uuid.lower(), owner, True),
        f"{path}/device_nguid": Attribute(namespace.nguid.lower(), owner, True),
        f"{path}/ana_grpid": Attribute(str(namespace.ana_group), owner, default="1"),
    }
    if namespace.block_size is not None:
        size = str(namespace.block_size)
        nodes[f"{path}/block_size"] = Attribute(size, owner, fixed=True, default="0")
    nodes[f"{path}/enable"] = Attribute("1", owner)
    return Part(2, ("namespace", path), (nqn, namespace.uuid), nodes)


def port_part(port: Port) -> Part:
    """Return the part of a port with its ANA groups and referrals, without links to subsystems."""
    path, owner = f"{ROOT}/ports/{port.id}", port.owner
    nodes: dict[str, Node] = {path: Directory(owner)}
    # Before the address: a port without one is created anew, so that a killed process leaves none
    # out.
    item = f"{path}/param_mdts"
    nodes[item] = OnCreation(partial(_limit_transfers, path=item), owner)
    if port.transport == "tcp":
        item = f"{path}/param_inline_data_size"
        nodes[item] = OnCreation(partial(_write_inline_data_size, path=item), owner)
    for name, value in _address(port).items():
        nodes[f"{path}/{name}"] = Attribute(value, owner, fixed=True)
    if port.takes_tls and port.transport == "tcp":
        for name, value in _TAKES_TLS.items():
            nodes[f"{path}/{name}"] = Attribute(value, owner, fixed=True)
    for group, state in port.ana.items():
        item = f"{path}/ana_groups/{group}"
        default = AccessState.OPTIMIZED.ana
        if group != 1:
            default = AccessState.INACCESSIBLE.ana
            nodes[item] = Directory(owner)
        nodes[f"{item}/ana_state"] = Attribute(state.ana, owner, default=default)
    for referral in port.referrals:
        item = f"{path}/referrals/{referral.name}"
        nodes[item] = Directory(owner)
        for name, value in _address(referral).items():
            nodes[f"{item}/{name}"] = Attribute(value, owner, fixed=True)
        nodes[f"{item}/addr_portid"] = Attribute(str(referral.port_id), owner, True, "0")
        nodes[f"{item}/enable"] = Attribute("1", owner)
    return Part(3, ("port", path), (), nodes)


def has_referral(live: Tree, port_id: int, referral: Referral) -> bool:
    """Return whether a port refers to an address under a referral's name already."""
    node = live.nodes.get(f"{ROOT}/ports/{port_id}/referrals/{referral.name}/addr_traddr")
    return isinstance(node, Attribute) and node.value == referral.address.transport_address


def link_part(port_id: int, subsystem: Subsystem) -> Part:
    """Return the part that exports a subsystem through a port."""
    path = link(port_id, subsystem.nqn)
    nodes = {path: Link(f"{ROOT}/subsystems/{subsystem.nqn}", subsystem.owner)}
    return Part(4, ("link", path), (subsystem.nqn,), {**nodes})


INLINE_DATA_SIZE = 64 * 1024
"""Bytes that a host may send along with a write over NVMe/TCP, before the array requests them: in
one way instead of three. Linux allows 16 KiB of itself. In User-mode Linux writes of 32 KiB at a
depth of 8 were 1.4 times as fast, those of 64 KiB 1.2 times; more than 64 KiB gained nothing. A
port that serves keeps its former size. Queues are as long as nvmet lets them be (1,024), and the
host decides how many there are."""
LARGEST_TRANSFER = 8
"""The largest transfer of a command that hosts learn (MDTS, NVM Express Base Specification,
Identify Controller): 4 KiB times two to the power of this, so 1 MiB, as nvmet says by RDMA of
itself. Tables of a transfer are of one piece of memory, 12 KiB for 1 MiB; for the 32 MiB that Linux
takes without a limit there may be none. Linux has `param_mdts` since 7.1, the product's kernel
before (board/common/patches)."""
_TAKES_TLS = {"addr_tsas": "tls1.3", "addr_treq": "not required"}
"""In this order: the first one makes TLS required of all."""


def _write_inline_data_size(host: Host, path: str) -> None:
    host.files.write(path, str(INLINE_DATA_SIZE))


def _limit_transfers(host: Host, path: str) -> None:
    if host.files.exists(path):
        host.files.write(path, str(LARGEST_TRANSFER))


def _address(port: Port | Referral) -> dict[str, str]:
    """Return the attributes that hold the address of a port or referral."""
    return {
        "addr_adrfam": port.address.family,
        "addr_trtype": port.transport,
        "addr_traddr": port.address.transport_address,
        "addr_trsvcid": port.address.service,
    }


def read(host: Host, progress: Callable[[], None] = lambda: None) -> Tree:
    """Return the live tree, limited to the attributes that `parts` writes. Raises FileError.

    `progress` is called between objects.
    """
    files, tree = host.files, Tree()
    if not files.exists(ROOT):
        return tree
    with_tls = has_tls(host)
    of_hosts = ("allowed_hosts", "tls_hosts") if with_tls else ("allowed_hosts",)
    of_port = (*_ADDRESS, *_TAKES_TLS) if with_tls else _ADDRESS
    of_namespace = (*_NAMESPACE, "block_size") if has_block_size(host) else _NAMESPACE
    for nqn in files.listdir(f"{ROOT}/hosts"):
        _read(files, tree, f"{ROOT}/hosts/{nqn}", _HOST)
    for nqn in files.listdir(f"{ROOT}/subsystems"):
        progress()
        path = f"{ROOT}/subsystems/{nqn}"
        _read(files, tree, path, _SUBSYSTEM)
        for nsid in files.listdir(f"{path}/namespaces"):
            progress()
            _read(files, tree, f"{path}/namespaces/{nsid}", of_namespace)
        for directory in of_hosts:
            _read_links(files, tree, f"{path}/{directory}")
    for port_id in files.listdir(f"{ROOT}/ports"):
        path = f"{ROOT}/ports/{port_id}"
        _read(files, tree, path, of_port)
        for group in files.listdir(f"{path}/ana_groups"):
            if group != "1":
                tree.put(f"{path}/ana_groups/{group}", Directory())
            state = f"{path}/ana_groups/{group}/ana_state"
            tree.put(state, Attribute(read_attribute(files, state)))
        for name in files.listdir(f"{path}/referrals"):
            _read(files, tree, f"{path}/referrals/{name}", _REFERRAL)
        _read_links(files, tree, f"{path}/subsystems")
    return tree


_HOST = ("dhchap_hash", "dhchap_dhgroup", "dhchap_key", "dhchap_ctrl_key")
_SUBSYSTEM = (
    *("attr_allow_any_host", "attr_serial", "attr_model", "attr_firmware"),
    *("attr_cntlid_max", "attr_cntlid_min"),
)
_NAMESPACE = ("device_path", "device_uuid", "device_nguid", "ana_grpid", "enable")
_ADDRESS = ("addr_adrfam", "addr_trtype", "addr_traddr", "addr_trsvcid")
_REFERRAL = (*_ADDRESS, "addr_portid", "enable")


def read_attribute(files: Files, path: str) -> str:
    """Return an attribute in the form in which it is written. Raises FileError."""
    value = files.read(path).rstrip(" ")
    if path.endswith("/device_nguid"):
        value = value.replace("-", "")
    return value or EMPTY


def _read(files: Files, tree: Tree, path: str, names: tuple[str, ...]) -> None:
    """Add an item with its attributes `names` to the tree."""
    tree.put(path, Directory())
    for name in names:
        value = read_attribute(files, f"{path}/{name}")
        secret = name in ("dhchap_key", "dhchap_ctrl_key")
        tree.put(f"{path}/{name}", Attribute(value, secret=secret))


def _read_links(files: Files, tree: Tree, path: str) -> None:
    """Add the links in a directory to the tree."""
    for name in files.listdir(path):
        tree.put(f"{path}/{name}", Link(link_target(files, f"{path}/{name}")))


def revalidate_size(host: Host, nqn: str, nsid: int) -> None:
    """Have nvmet read the size of a namespace's device again.

    If the size has changed, the kernel notifies connected hosts (nvmet_ns_changed()), and Linux
    hosts then rescan by themselves. Raises FileError: EINVAL if the namespace is not enabled.
    """
    host.files.write(f"{ROOT}/subsystems/{nqn}/namespaces/{nsid}/revalidate_size", "1")
