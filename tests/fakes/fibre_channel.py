"""Fibre Channel adapters of the fake machine, in sysfs as their drivers show them."""

from __future__ import annotations

from fakes.files import FakeFiles, SymbolicLink, Text

HOSTS, DRIVERS = "/sys/class/fc_host", "/sys/class/scsi_host"
LPFC_NVME_TARGETS = "/sys/module/lpfc/parameters/lpfc_enable_nvmet"
ATTRIBUTES = (
    *("node_name", "port_name", "symbolic_name", "port_state"),
    *("speed", "supported_speeds", "fabric_name", "port_id"),
)
COUNTERS = ("rx_frames", "tx_frames", "rx_words", "tx_words")


class FakeFibreChannel:
    """The ports that are plugged in. There are none at first, as in most machines."""

    def __init__(self, files: FakeFiles) -> None:
        self._files = files
        self._ports: list[dict[str, str]] = []

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
        """Let the driver of port `number`, from 1, tell these of COUNTERS."""
        self._ports[number - 1] |= {f"statistics/{n}": f"{v:#x}" for n, v in counters.items()}
        self.reboot()

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
        self._ports.append(attributes | {"driver": driver} | shown)
        self.reboot()

    def reboot(self) -> None:
        """Find the ports again."""
        for number, shown in enumerate(self._ports):
            place = f"../../devices/pci0000:00/0000:00:02.0/0000:03:00.{number}/host{number + 3}"
            host = f"host{number + 3}"
            self._files.place(f"{HOSTS}/{host}", SymbolicLink(f"{place}/fc_host/{host}"))
            for name, text in shown.items():
                path = (
                    f"{DRIVERS}/{host}/proc_name" if name == "driver" else f"{HOSTS}/{host}/{name}"
                )
                self._files.place(path, Text(f"{text}\n"))
