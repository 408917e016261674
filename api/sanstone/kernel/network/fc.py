"""Fibre Channel ports of the machine, as the kernel's transport class shows them.

Each port of an adapter is a SCSI host with attributes in `/sys/class/fc_host/<host>`
(Documentation/scsi/scsi_fc_transport.rst, drivers/scsi/scsi_transport_fc.c); a driver need not
provide all of them. Hosts are numbered as drivers load, differently from boot to boot, so a port is
named after its slot: the address of its PCI function; a port of FCoE, which has none, after its
Ethernet port. Virtual ports (NPIV) are hosts too, below the host of their port, in a folder
`vport-<host>:<channel>-<number>` that is an object of the class fc_vports; they are no ports here.

What a port does is partly decided when its driver is loaded. A port of lpfc is an NVMe target if
its name is among those of the parameter `lpfc_enable_nvmet` (drivers/scsi/lpfc/lpfc_init.c), and
can do nothing else then. So the image keeps lpfc from loading by itself (modprobe.d/sanstone.conf),
and `load_lpfc` does so with what the array serves.

nvme-fcloop (drivers/nvme/target/fcloop.c) makes NVMe target ports of any names, without hardware
and for tests, and lists them nowhere. Where it is loaded, each port may have one of its own names.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from sanstone.kernel.host import FileError, Files, Host

ROOT = "/sys/class/fc_host"
DRIVERS = "/sys/class/scsi_host"
OVER_ETHERNET = frozenset({"bnx2fc", "fcoe", "fnic", "qedf"})
"""Drivers of FCoE."""
LPFC, LOOP = "lpfc", "fcloop"
PARAMETERS = "/sys/module/lpfc/parameters"
NVME_TARGETS = f"{PARAMETERS}/lpfc_enable_nvmet"
LOOPS = "/sys/class/fcloop"
FUNCTIONS = "/sys/bus/pci/devices"
EMULEX, FIBRE_CHANNEL = "0x10df", "0x0c04"
"""PCI vendor, and the beginning of the PCI class, of adapters that lpfc is for."""
REMOTE_PORTS = "/sys/class/fc_remote_ports"
INITIATOR, TARGET = "FCP Initiator", "FCP Target"
"""Roles of a remote port (fc_port_role_names in drivers/scsi/scsi_transport_fc.c)."""
NO_FABRIC = frozenset({"", "00:00:00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff:ff:ff"})
NO_ADDRESS = "000000"
VIRTUAL_PORTS = "/sys/class/fc_vports"
LOGGED_IN, LOGS_IN = ("active", "unknown"), "initializing"
"""States of virtual ports (fc_vport_state_names) that are in the fabric, as far as their driver
says, and of those that soon are."""
UNCOUNTED, WORD = 2**64 - 1, 4
"""A counter that is none, and the bytes of a word."""
NO_NAME = frozenset({"", "<NULL>", "(null)"})
_VIRTUAL = re.compile(r"\bvport-(\d+):\d+-\d+")
"""Of a virtual port: its object, and the number of its port's host."""
_PCI = re.compile(r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


@dataclass(frozen=True)
class Port:
    """A Fibre Channel port; speeds in gigabits per second, 0 if unknown.

    `state` is the kernel's, in lower case ("online", "linkdown"). `fabric` is the name of the
    fabric, and `address` the port's address in it, or among its peers without a fabric, six
    hexadecimal digits; '' if there is none. `is_nvme_target` is whether lpfc presents it as one.
    `virtual_maximum` is how many virtual ports it can have, 0 where its driver supports none,
    `virtual_in_use` how many it has.
    """

    name: str
    wwnn: str
    wwpn: str
    driver: str
    description: str
    state: str
    speed: int
    maximum: int
    fabric: str
    address: str
    is_nvme_target: bool
    virtual_maximum: int
    virtual_in_use: int


@dataclass(frozen=True)
class VirtualPort:
    """A virtual port (NPIV), by its own name and that of its port, and its address, '' for none.

    `state` is what its driver says of its login to the fabric, in lower case ("active", "fabric
    rejected wwn"), and "unknown" of a driver that says nothing, as efct.
    """

    wwpn: str
    base: str
    address: str
    state: str


@dataclass(frozen=True)
class Traffic:
    """Frames and bytes that a port has received and sent since its counters began."""

    received: int
    sent: int
    received_bytes: int
    sent_bytes: int


@dataclass(frozen=True)
class RemotePort:
    """A port that a port of ours has seen: their names, and the other's address, six digits.

    `is_initiator` is whether it said at its login to be an initiator of FCP, and no target.
    """

    wwpn: str
    wwnn: str
    address: str
    seen_by: str
    is_initiator: bool


def ports(host: Host) -> list[Port]:
    """Return the machine's Fibre Channel ports, by name. Raises FileError."""
    files = host.files
    targets = _nvme_targets(files)
    ports = (_port(files, name, place, targets) for name, place in _hosts(files))
    return sorted(ports, key=lambda port: port.name)


def adapters(host: Host) -> dict[str, str]:
    """Return the SCSI host of each port ("host3") by the port's name. Raises FileError."""
    files = host.files
    return {_wwn(_shown(files, f"{ROOT}/{name}", "port_name")): name for name, _ in _hosts(files)}


def virtual_ports(host: Host) -> list[VirtualPort]:
    """Return the machine's virtual ports, by name. Raises FileError.

    A driver may answer with the address of its port (efct_get_host_port_id() in
    drivers/scsi/elx/efct/efct_xport.c), which is none of a virtual one.
    """
    files, ports = host.files, []
    for name in files.listdir(ROOT) if files.exists(ROOT) else ():
        vport = _VIRTUAL.search(files.readlink(f"{ROOT}/{name}"))
        if vport:
            base = f"{ROOT}/host{vport[1]}"
            address = _address(files, f"{ROOT}/{name}")
            ports.append(
                VirtualPort(
                    wwpn=_wwn(_shown(files, f"{ROOT}/{name}", "port_name")),
                    base=_wwn(_shown(files, base, "port_name")),
                    address="" if address == _address(files, base) else address,
                    state=_shown(files, f"{VIRTUAL_PORTS}/{vport[0]}", "vport_state").lower(),
                )
            )
    return sorted(ports, key=lambda port: port.wwpn)


def traffic(host: Host) -> dict[str, Traffic | None]:
    """Return the traffic of each port by name, None of a port that does not tell it now.

    The transport class has counters of 64 bits, of words of 4 bytes; all bits are set in one that
    the driver does not count, or cannot read at the moment (fc_stat_show() in
    drivers/scsi/scsi_transport_fc.c, qla2x00_get_fc_host_stats() in qla2xxx). To read them may take
    the adapter's firmware some milliseconds. Raises FileError.
    """
    files = host.files
    return {
        _wwn(_shown(files, f"{ROOT}/{name}", "port_name")): _traffic(files, f"{ROOT}/{name}")
        for name, _ in _hosts(files)
    }


def load_lpfc(host: Host, nvme_targets: Iterable[str]) -> None:
    """Load lpfc, if there is an adapter for it, with these ports (WWPNs) as NVMe targets.

    That it is loaded already is no error; then its parameters stay. Raises HostError.
    """
    files = host.files
    functions = files.listdir(FUNCTIONS) if files.exists(FUNCTIONS) else ()
    if not any(_is_emulex(files, f"{FUNCTIONS}/{function}") for function in functions):
        return
    names = ",".join(f"0x{wwpn.replace(':', '')}" for wwpn in sorted(nvme_targets))
    host.commands.run(["modprobe", LPFC, *([f"lpfc_enable_nvmet={names}"] if names else [])])


def has_loops(host: Host) -> bool:
    """Return whether nvme-fcloop is loaded."""
    return host.files.exists(LOOPS)


def remote_ports(host: Host) -> list[RemotePort]:
    """Return the ports that the machine's ports see online. Raises FileError.

    Drivers in target mode need not tell of initiators (qla2xxx does not).
    """
    files = host.files
    if not files.exists(REMOTE_PORTS):
        return []
    wwpns = {
        name.removeprefix("host"): _wwn(_shown(files, f"{ROOT}/{name}", "port_name"))
        for name in (files.listdir(ROOT) if files.exists(ROOT) else ())
    }
    ports = []
    for name in files.listdir(REMOTE_PORTS):
        path = f"{REMOTE_PORTS}/{name}"
        if _shown(files, path, "port_state") == "Online":
            roles = _shown(files, path, "roles").split(", ")
            ports.append(
                RemotePort(
                    wwpn=_wwn(_shown(files, path, "port_name")),
                    wwnn=_wwn(_shown(files, path, "node_name")),
                    address=_shown(files, path, "port_id").removeprefix("0x"),
                    # rport-<host>:<channel>-<number>
                    seen_by=wwpns.get(name.removeprefix("rport-").partition(":")[0], ""),
                    is_initiator=INITIATOR in roles and TARGET not in roles,
                )
            )
    return ports


def _hosts(files: Files) -> Iterator[tuple[str, str]]:
    """Yield the SCSI host of each port and where it is; those of virtual ports are left out."""
    for name in files.listdir(ROOT) if files.exists(ROOT) else ():
        place = files.readlink(f"{ROOT}/{name}")
        if not _VIRTUAL.search(place):
            yield name, place


def _traffic(files: Files, port: str) -> Traffic | None:
    counted = []
    for name in ("rx_frames", "tx_frames", "rx_words", "tx_words"):
        # A driver that cannot read them answers ENOENT (fc_stat_show()).
        try:
            counted.append(int(files.read(f"{port}/statistics/{name}"), 16))
        except FileError as error:
            if error.errno != errno.ENOENT:
                raise
            return None
    received, sent, *words = counted
    if UNCOUNTED in counted:
        return None
    return Traffic(received, sent, words[0] * WORD, words[1] * WORD)


def _port(files: Files, host: str, place: str, nvme_targets: Collection[int]) -> Port:
    shown = partial(_shown, files, f"{ROOT}/{host}")
    functions, fabric = _PCI.findall(place), _wwn(shown("fabric_name"))
    wwpn = _wwn(shown("port_name"))
    driver = _driver(files, host, functions)
    return Port(
        name=functions[-1] if functions else _ethernet_port(shown("symbolic_name")) or host,
        wwnn=_wwn(shown("node_name")),
        wwpn=wwpn,
        driver=driver,
        description=shown("symbolic_name"),
        state=shown("port_state").lower(),
        speed=max(_gigabits(shown("speed")), default=0),
        maximum=max(_gigabits(shown("supported_speeds")), default=0),
        fabric="" if fabric in NO_FABRIC else fabric,
        address=_address(files, f"{ROOT}/{host}"),
        is_nvme_target=driver == LPFC and int(wwpn.replace(":", ""), 16) in nvme_targets,
        virtual_maximum=int(shown("max_npiv_vports") or "0"),
        virtual_in_use=int(shown("npiv_vports_inuse") or "0"),
    )


def _address(files: Files, path: str) -> str:
    """Return the address of a port in its fabric, '' for none."""
    address = _shown(files, path, "port_id").removeprefix("0x")
    return "" if address == NO_ADDRESS else address


def _shown(files: Files, path: str, attribute: str) -> str:
    """Return an attribute of an object, '' if it is not there."""
    file = f"{path}/{attribute}"
    return files.read(file).strip() if files.exists(file) else ""


def _driver(files: Files, host: str, functions: Sequence[str]) -> str:
    """Return the driver of a port: its own name for itself, or the driver of its PCI function.

    The template of efct has no name (drivers/scsi/elx/efct/efct_xport.c).
    """
    name = _shown(files, f"{DRIVERS}/{host}", "proc_name")
    if name not in NO_NAME:
        return name
    link = f"{FUNCTIONS}/{functions[-1]}/driver" if functions else ""
    return files.readlink(link).rpartition("/")[2] if link and files.exists(link) else ""


def _ethernet_port(symbolic_name: str) -> str:
    """Return the Ethernet port in the symbolic name of a port of FCoE, `fcoe v0.1 over e0c`."""
    return symbolic_name.rpartition(" over ")[2] if " over " in symbolic_name else ""


def _nvme_targets(files: Files) -> set[int]:
    """Return the names of the ports that lpfc presents as NVMe targets."""
    if not files.exists(NVME_TARGETS):
        return set()
    # The kernel shows an array of numbers in decimal.
    return {int(text, 0) for text in files.read(NVME_TARGETS).split(",") if text.strip()}


def _is_emulex(files: Files, function: str) -> bool:
    """Return whether a PCI function is an adapter that lpfc is for."""
    is_fibre_channel = _shown(files, function, "class").startswith(FIBRE_CHANNEL)
    return is_fibre_channel and _shown(files, function, "vendor") == EMULEX


def _wwn(text: str) -> str:
    """Return a world wide name with colons, from the kernel's `0x2100…`."""
    return ":".join(re.findall("..", text.removeprefix("0x")))


def _gigabits(text: str) -> list[int]:
    """Return the speeds in a text such as `4 Gbit, 8 Gbit`; `unknown` has none."""
    return [int(number) for number in re.findall(r"(\d+) Gbit", text)]
