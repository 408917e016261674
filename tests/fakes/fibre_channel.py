"""Fibre Channel adapters of the fake machine, in sysfs as their drivers show them."""

from __future__ import annotations

import errno

from fakes.files import FakeFiles, SymbolicLink, Text
from fakes.items import Refused

HOSTS, DRIVERS = "/sys/class/fc_host", "/sys/class/scsi_host"
VIRTUAL_PORTS = "/sys/class/fc_vports"
LPFC_NVME_TARGETS = "/sys/module/lpfc/parameters/lpfc_enable_nvmet"
ATTRIBUTES = (
    *("node_name", "port_name", "symbolic_name", "port_state"),
    *("speed", "supported_speeds", "fabric_name", "port_id"),
    *("max_npiv_vports", "npiv_vports_inuse"),
)
COUNTERS = ("rx_frames", "tx_frames", "rx_words", "tx_words")
NO_FABRIC = ("0x0", "0xffffffffffffffff")
VIRTUAL = {"qla2xxx": "254", "efct": "128", "fcoe": "65535"}
"""By driver: how many virtual ports it makes at a port. The others have no such attribute."""


class FakeFibreChannel:
    """The ports that are plugged in. There are none at first, as in most machines."""

    def __init__(self, files: FakeFiles) -> None:
        self._files = files
        self._ports: list[dict[str, str]] = []
        self._virtual: dict[str, tuple[str, list[str]]] = {}
        """By WWPN of a virtual port: that of its port, and its files."""
        self._virtual_count = 0
        self.refuses_virtual: set[str] = set()
        """WWPNs of ports at a switch that takes no virtual ports."""

    def unplug(self) -> None:
        """Take the last port out."""
        self._ports.pop()
        host = f"host{len(self._ports) + 3}"
        for path in (f"{HOSTS}/{host}", f"{HOSTS}/{host}/statistics"):
            self._files.displace(path)
        shown = (*ATTRIBUTES, *(f"statistics/{name}" for name in COUNTERS))
        for path in (f"{DRIVERS}/{host}/proc_name", *(f"{HOSTS}/{host}/{a}" for a in shown)):
            self._files.displace(path)

    def make_nvme_target(self, *wwpns: str) -> None:
        """Load lpfc so that these ports are NVMe targets."""
        numbers = ",".join(str(int(wwpn.replace(":", ""), 16)) for wwpn in wwpns)
        self._files.place(LPFC_NVME_TARGETS, Text(f"{numbers}\n"))

    def count(self, number: int, **counters: int) -> None:
        """Let the driver of port `number`, from 1, report these of COUNTERS."""
        self.change(number, **{f"statistics/{n}": f"{v:#x}" for n, v in counters.items()})

    def change(self, number: int, **shown: str) -> None:
        """Let the driver of port `number`, from 1, show these attributes."""
        self._ports[number - 1] |= shown
        self._show()

    def plug(self, driver: str = "qla2xxx", **shown: str) -> None:
        """Put a port in, online in a fabric; `shown` are attributes that are otherwise."""
        number = len(self._ports) + 1
        attributes = {
            "node_name": f"0x20000024ff0000{number:02x}",
            "port_name": f"0x21000024ff0000{number:02x}",
            "symbolic_name": "QLE2692 FW:v9.08.02 DVR:v10.02.09",
            "port_state": "Online",
            "speed": "16 Gbit",
            "supported_speeds": "4 Gbit, 8 Gbit, 16 Gbit",
            "fabric_name": "0x100000051e000001",
            "port_id": f"0x0102{number:02x}",
            **{f"statistics/{name}": "0x0" for name in COUNTERS},
        }
        if driver in VIRTUAL:
            attributes |= {"max_npiv_vports": VIRTUAL[driver], "npiv_vports_inuse": "0"}
        self._ports.append(attributes | {"driver": driver} | shown)
        self._show()

    def reboot(self) -> None:
        """Find the ports again; virtual ones are gone until they are created again."""
        self._virtual.clear()
        for port in self._ports:
            if "npiv_vports_inuse" in port:
                port["npiv_vports_inuse"] = "0"
        self._show()

    def driver(self, wwpn: str) -> str:
        """Return the driver of a port, '' for no such port."""
        return next((port["driver"] for port in self._ports if _name(port) == wwpn), "")

    def has_virtual(self, wwpn: str) -> bool:
        """Return whether there is a virtual port at a port."""
        return any(base == wwpn for base, _ in self._virtual.values())

    def make_virtual(self, base: str, wwpn: str, wwnn: str) -> None:
        """Make a virtual port, as fc_vport_create() and the driver do. Raises Refused."""
        number, port = next((n, p) for n, p in enumerate(self._ports) if _name(p) == base)
        # qla24xx_vport_create_req_sanity_check(); efct takes it, and its fabric decides.
        in_fabric = port["fabric_name"] not in NO_FABRIC and port["port_state"] == "Online"
        takes = in_fabric and base not in self.refuses_virtual
        is_taken = wwpn in self._virtual or any(_name(each) == wwpn for each in self._ports)
        used = int(port["npiv_vports_inuse"])
        is_qlogic = port["driver"] == "qla2xxx"
        if used >= int(port["max_npiv_vports"]) or (is_qlogic and (is_taken or not takes)):
            raise Refused(errno.ENODEV if is_qlogic else errno.ENOMEM)
        vport = f"vport-{number + 3}:0-{self._virtual_count}"
        self._virtual_count += 1
        host = f"host{100 + self._virtual_count}"
        shown = {
            "port_name": f"0x{wwpn.replace(':', '')}",
            "node_name": f"0x{wwnn.replace(':', '')}",
            "port_state": port["port_state"],
            # efct_get_host_port_id() answers with the port's.
            "port_id": f"0x0103{self._virtual_count:02x}" if is_qlogic else port["port_id"],
        }
        files = [f"{HOSTS}/{host}/{name}" for name in shown]
        for path, text in zip(files, shown.values(), strict=True):
            self._files.place(path, Text(f"{text}\n"))
        state = f"{VIRTUAL_PORTS}/{vport}/vport_state"
        self._files.place(state, Text("Active\n" if is_qlogic else "Unknown\n"))
        place = f"{_place(number)}/{vport}/{host}/fc_host/{host}"
        self._files.place(f"{HOSTS}/{host}", SymbolicLink(place))
        self._virtual[wwpn] = base, [*files, state, f"{HOSTS}/{host}"]
        self.change(number + 1, npiv_vports_inuse=str(used + 1))

    def tell_virtual(self, wwpn: str, state: str) -> None:
        """Let the driver say this of a virtual port."""
        self._files.place(self._virtual[wwpn][1][-2], Text(f"{state}\n"))

    def remove_virtual(self, wwpn: str) -> None:
        """Remove a virtual port (fc_vport_terminate())."""
        base, files = self._virtual.pop(wwpn)
        for path in files:
            self._files.displace(path)
        number, port = next((n, p) for n, p in enumerate(self._ports) if _name(p) == base)
        self.change(number + 1, npiv_vports_inuse=str(int(port["npiv_vports_inuse"]) - 1))

    def _show(self) -> None:
        for number, shown in enumerate(self._ports):
            host = f"host{number + 3}"
            place = f"{_place(number)}/fc_host/{host}"
            self._files.place(f"{HOSTS}/{host}", SymbolicLink(place))
            for name, text in shown.items():
                path = (
                    f"{DRIVERS}/{host}/proc_name" if name == "driver" else f"{HOSTS}/{host}/{name}"
                )
                self._files.place(path, Text(f"{text}\n"))


def _place(number: int) -> str:
    """Return where the host of a port is."""
    return f"../../devices/pci0000:00/0000:00:02.0/0000:03:00.{number}/host{number + 3}"


def _name(port: dict[str, str]) -> str:
    """Return the WWPN of a port, with colons."""
    digits = port["port_name"].removeprefix("0x")
    return ":".join(digits[at : at + 2] for at in range(0, 16, 2))
