"""The NVMe target: what subsystems, hosts and ports look like in configfs.

Rules of the kernel that `parts` obeys (drivers/nvme/target/configfs.c and core.c, Linux 6.12):

* A namespace takes device, UUID and NGUID only while it is disabled, so they are `fixed` and
  `enable` comes last. At most 1,024 namespaces of a subsystem can be enabled
  (`MAXIMUM_NAMESPACES`).
* Serial, model and firmware are frozen when the first host identifies a controller.
* A subsystem starts closed: only linked hosts may connect (`attr_allow_any_host` stays 0).
* The first subsystem link of a port opens its socket and freezes the port's address. The address
  must be on a link by then: EADDRNOTAVAIL otherwise, and the next pass tries again. Hence the
  order hosts, subsystems, ports: a host that reconnects finds all of its namespaces.
* ANA group 1 is always there; others are made per port and begin inaccessible. 127 is the last that
  is of use: a namespace put into 128 lands in 0 (nvmet_ns_ana_grpid_store(), off by one).
* A key is cleared by a NUL byte; an empty line is refused (nvmet_auth_set_key() in auth.c). A
  changed key counts from the next connection or re-authentication, live connections stay.
* Unlinking a host from a subsystem keeps its connections: see `sessions.strangers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sanstone.kernel.host import Files, Host
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import Address
from sanstone.kernel.target.configfs import (
    EMPTY,
    Attribute,
    Directory,
    Link,
    Node,
    Part,
    Tree,
    link_target,
)

ROOT = "/sys/kernel/config/nvmet"
MAXIMUM_NAMESPACES = 1024


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
    address: Address
    transport: str = "tcp"
    port_id: int = 0


@dataclass(frozen=True)
class Port:
    """An address at which subsystems are served; ids are 1 … 65535."""

    id: int
    address: Address
    transport: str = "tcp"
    ana: Mapping[int, AccessState] = field(default_factory=dict)
    """ANA group to state; group 1 is at each port, optimized where nothing is said of it."""
    referrals: tuple[Referral, ...] = ()
    owner: str = ""


def render(
    subsystems: Iterable[Subsystem], hosts: Iterable[AllowedHost], ports: Iterable[Port]
) -> Tree:
    """Return the tree that serves this. All NQNs in `Subsystem.hosts` must be among `hosts`."""
    return Tree.of(parts(subsystems, hosts, ports))


def parts(
    subsystems: Iterable[Subsystem], hosts: Iterable[AllowedHost], ports: Iterable[Port]
) -> Iterator[Part]:
    """Return the parts of the tree that serves this."""
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


def link(port_id: int, nqn: str) -> str:
    """Return the path of the link by which a port serves a subsystem."""
    return f"{ROOT}/ports/{port_id}/subsystems/{nqn}"


def host_part(host: AllowedHost) -> Part:
    """Return the part of a host."""
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
    if subsystem.firmware:
        nodes[f"{path}/attr_firmware"] = Attribute(subsystem.firmware, owner, fixed=True)
    for nqn in subsystem.hosts:
        nodes[f"{path}/allowed_hosts/{nqn}"] = Link(f"{ROOT}/hosts/{nqn}", owner)
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
        f"{path}/enable": Attribute("1", owner),
    }
    return Part(2, ("namespace", path), (nqn, namespace.uuid), nodes)


def port_part(port: Port) -> Part:
    """Return the part of a port, without the subsystems that it serves."""
    path, owner = f"{ROOT}/ports/{port.id}", port.owner
    nodes: dict[str, Node] = {path: Directory(owner)}
    for name, value in _address(port).items():
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


def link_part(port_id: int, subsystem: Subsystem) -> Part:
    """Return the part by which a port serves a subsystem."""
    path = link(port_id, subsystem.nqn)
    nodes = {path: Link(f"{ROOT}/subsystems/{subsystem.nqn}", subsystem.owner)}
    return Part(4, ("link", path), (subsystem.nqn,), {**nodes})


def _address(place: Port | Referral) -> dict[str, str]:
    return {
        "addr_adrfam": place.address.family,
        "addr_trtype": place.transport,
        "addr_traddr": place.address.transport_address,
        "addr_trsvcid": place.address.service,
    }


def read(host: Host, progress: Callable[[], None] = lambda: None) -> Tree:
    """Return what the kernel holds, of the attributes that `parts` writes.

    `progress` is called between objects.
    """
    files, tree = host.files, Tree()
    if not files.exists(ROOT):
        return tree
    for nqn in files.listdir(f"{ROOT}/hosts"):
        _read(files, tree, f"{ROOT}/hosts/{nqn}", _HOST)
    for nqn in files.listdir(f"{ROOT}/subsystems"):
        progress()
        path = f"{ROOT}/subsystems/{nqn}"
        _read(files, tree, path, _SUBSYSTEM)
        for nsid in files.listdir(f"{path}/namespaces"):
            progress()
            _read(files, tree, f"{path}/namespaces/{nsid}", _NAMESPACE)
        _read_links(files, tree, f"{path}/allowed_hosts")
    for port_id in files.listdir(f"{ROOT}/ports"):
        path = f"{ROOT}/ports/{port_id}"
        _read(files, tree, path, _ADDRESS)
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
_SUBSYSTEM = ("attr_allow_any_host", "attr_serial", "attr_model", "attr_firmware")
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
    tree.put(path, Directory())
    for name in names:
        value = read_attribute(files, f"{path}/{name}")
        secret = name in ("dhchap_key", "dhchap_ctrl_key")
        tree.put(f"{path}/{name}", Attribute(value, secret=secret))


def _read_links(files: Files, tree: Tree, path: str) -> None:
    for name in files.listdir(path):
        tree.put(f"{path}/{name}", Link(link_target(files, f"{path}/{name}")))


def revalidate_size(host: Host, nqn: str, nsid: int) -> None:
    """Let a namespace take its device's new size.

    The kernel tells connected hosts if it changed (nvmet_ns_changed()), and Linux hosts then rescan
    by themselves. Raises FileError (EINVAL) if the namespace is not enabled.
    """
    host.files.write(f"{ROOT}/subsystems/{nqn}/namespaces/{nsid}/revalidate_size", "1")
