"""Fibre Channel ports of the machine, as the kernel's transport class shows them.

Each port of an adapter is a SCSI host with attributes in `/sys/class/fc_host/<host>`
(Documentation/scsi/scsi_fc_transport.rst, drivers/scsi/scsi_transport_fc.c); a driver need not
provide all of them. Hosts are numbered as drivers load, differently from boot to boot, so a port is
named after its slot: the address of its PCI function. Virtual ports (NPIV) are hosts too, below the
host of their port, and are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sanstone.kernel.host import Files, Host

ROOT = "/sys/class/fc_host"
DRIVERS = "/sys/class/scsi_host"
TARGETS = {"efct": ("fcp",), "fcoe": ("fcp",), "lpfc": ("fc_nvme",), "qla2xxx": ("fcp",)}
"""The protocols for which Linux has a target, by driver (drivers/scsi/elx/efct/efct_lio.c,
drivers/target/tcm_fc, drivers/scsi/lpfc/lpfc_nvmet.c, drivers/scsi/qla2xxx/tcm_qla2xxx.c)."""
OVER_ETHERNET = frozenset({"bnx2fc", "fcoe", "fnic", "qedf"})
"""Drivers of FCoE."""
NO_FABRIC = frozenset({"", "00:00:00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff:ff:ff"})
_PCI = re.compile(r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


@dataclass(frozen=True)
class Port:
    """A Fibre Channel port; speeds in gigabits per second, 0 if unknown.

    `state` is the kernel's, in lower case ("online", "linkdown"). `fabric` and `address` are the
    name of the fabric and the port's address in it, six hexadecimal digits; '' without a fabric.
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


def ports(host: Host) -> list[Port]:
    """Return the machine's Fibre Channel ports, by name. Raises FileError."""
    files = host.files
    if not files.exists(ROOT):
        return []
    places = ((name, files.readlink(f"{ROOT}/{name}")) for name in files.listdir(ROOT))
    return sorted(
        (_port(files, name, place) for name, place in places if "/vport-" not in place),
        key=lambda port: port.name,
    )


def _port(files: Files, host: str, place: str) -> Port:
    def shown(attribute: str) -> str:
        file = f"{ROOT}/{host}/{attribute}"
        return files.read(file).strip() if files.exists(file) else ""

    functions, fabric = _PCI.findall(place), _wwn(shown("fabric_name"))
    driver = f"{DRIVERS}/{host}/proc_name"
    return Port(
        name=functions[-1] if functions else host,
        wwnn=_wwn(shown("node_name")),
        wwpn=_wwn(shown("port_name")),
        driver=files.read(driver).strip() if files.exists(driver) else "",
        description=shown("symbolic_name"),
        state=shown("port_state").lower(),
        speed=max(_gigabits(shown("speed")), default=0),
        maximum=max(_gigabits(shown("supported_speeds")), default=0),
        fabric="" if fabric in NO_FABRIC else fabric,
        address="" if fabric in NO_FABRIC else shown("port_id").removeprefix("0x"),
    )


def _wwn(text: str) -> str:
    """Return a world wide name with colons, from the kernel's `0x2100…`."""
    return ":".join(re.findall("..", text.removeprefix("0x")))


def _gigabits(text: str) -> list[int]:
    """Return the speeds in a text such as `4 Gbit, 8 Gbit`; `unknown` has none."""
    return [int(number) for number in re.findall(r"(\d+) Gbit", text)]
