"""The transports of the table of tests: what an administrator of a host does with each.

`Transport` is what tests ask of one. A transport more is a class more, and a line in `TRANSPORTS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

from provisioned import mapped_lun, mapped_namespace

from lab.administrator import Administrator, Record
from lab.initiator import Iscsi, Nvme, Path, Srp
from lab.station import Host


class Software(NamedTuple):
    """A driver that does RDMA at any Ethernet port: its devices' type, and its module."""

    type: str
    module: str


SOFTWARE = {"roce": Software("rxe", "rdma_rxe"), "iwarp": Software("siw", "siw")}
"""By kind of RDMA: what does it in the kernel."""
LIFS, SRP_SERVICES = "network/ip/interfaces", "protocols/san/srp/services"


class Transport(ABC):
    """A transport, as a host uses it that is to reach a device over two paths."""

    name: str
    told_as = ""
    """What the array calls it, if that is not its name."""
    good: str
    """What the host's tools call a path that is as it should be."""
    devices: str
    """The collection of the API that its devices are in."""
    lifs: str
    """What the names of its LIFs begin with."""
    addresses: tuple[str, str]
    rdma = ""
    """The kind of RDMA that it goes over, if it does."""
    discovers = True
    """Whether hosts can ask the array where it serves the transport."""

    def __init__(self, admin: Administrator, host: Host) -> None:
        self.admin, self.host = admin, host

    def is_possible(self) -> bool:
        """Tell whether the host's kernel has what it needs, and so the array's of the same kind."""
        module = SOFTWARE[self.rdma].module if self.rdma else ""
        return not module or self.host.attempt(f"modprobe --dry-run --quiet {module}").status == 0

    @contextmanager
    def provisioned(self) -> Iterator[Record]:
        """Have a device of 1 GiB that the host may reach, and LIFs that serve the transport."""
        self._serve_rdma([self.rdma] if self.rdma else [])
        with self.mapped() as device:
            yield device
        self._serve_rdma([])

    @abstractmethod
    def mapped(self) -> AbstractContextManager[Record]:
        """Have a device of 1 GiB that is mapped to the host."""

    @abstractmethod
    def discover(self) -> set[str]:
        """Return the addresses that the array tells of for this transport, asked at one."""

    @abstractmethod
    def connect(self) -> None:
        """Connect at all addresses. Raises GuestCommandFailed, also if the array tells of none."""

    @abstractmethod
    def disconnect(self) -> None:
        """End all connections."""

    @abstractmethod
    def device(self, record: Record) -> str:
        """Return the host's device once it is there."""

    @abstractmethod
    def paths(self, device: str) -> list[Path]:
        """Return the host's paths to its device."""

    def are_good(self, device: str, count: int) -> bool:
        """Tell whether so many paths are as they should be."""
        return [path.state for path in self.paths(device)].count(self.good) == count

    @abstractmethod
    def admits(self, record: Record, *, admitted: bool) -> None:
        """Have the array admit the host to the device, or not."""

    @abstractmethod
    def look_again(self, device: str) -> None:
        """Have the host see that its device grew, if it is not told."""

    def _serve_rdma(self, protocols: list[str]) -> None:
        for lif in self.admin.api.get(LIFS, name=f"{self.lifs}_*")["records"]:
            self.admin.change(LIFS, lif, {"rdma_protocols": protocols})
        if protocols:
            self._do_rdma_in_host()

    def _do_rdma_in_host(self) -> None:
        """Have software do this kind of RDMA at the host's ports, and no other."""
        for device in self.host.run("ls /sys/class/infiniband 2>/dev/null || true").split():
            if not device.startswith(self.rdma):
                self.host.run(f"rdma link delete {device}")
        for port in ("d1", "d2"):
            device = f"{self.rdma}_{port}"
            add = f"rdma link add {device} type {SOFTWARE[self.rdma].type} netdev {port}"
            self.host.run(f"test -e /sys/class/infiniband/{device} || {add}")


class LunTransport(Transport):
    """A transport of LUNs, of which dm-multipath joins the paths."""

    good, devices = "active ready", "storage/luns"
    igroup, volume = "group1", "vol_lun"
    initiator: Iscsi | Srp

    def mapped(self) -> AbstractContextManager[Record]:
        return mapped_lun(self.admin, self.initiator, self.igroup, self.volume)

    def disconnect(self) -> None:
        self.initiator.log_out()

    def device(self, record: Record) -> str:
        return self.initiator.device(record["serial_number"])

    def paths(self, device: str) -> list[Path]:
        return self.initiator.paths(device)

    def admits(self, record: Record, *, admitted: bool) -> None:
        [igroup] = self.admin.api.get("protocols/san/igroups", name=self.igroup)["records"]
        members = f"protocols/san/igroups/{igroup['uuid']}/initiators"
        for name in self.initiator.names:
            if admitted:
                self.admin.api.post(members, {"name": name})
            else:
                self.admin.api.delete(f"{members}/{name}", allow_delete_while_mapped="true")

    def look_again(self, device: str) -> None:
        self.initiator.rescan(device)


class IscsiTransport(LunTransport):
    """iSCSI, over TCP or by iSER."""

    name, lifs = "iscsi", "iscsi"
    addresses = "10.10.1.1", "10.10.2.1"
    interface = "default"

    def __init__(self, admin: Administrator, host: Host) -> None:
        super().__init__(admin, host)
        self.initiator: Iscsi = Iscsi(host)

    def discover(self) -> set[str]:
        found = self.initiator.discover(self.addresses[0], self.interface)
        return {address for address, _ in found}

    def connect(self) -> None:
        self.discover()
        self.initiator.log_in()


class IserTransport(IscsiTransport):
    """iSCSI over RDMA."""

    name, interface, rdma = "iser", "iser", "roce"


class SrpTransport(LunTransport):
    """SRP: SCSI over RDMA, at LIFs of its own. It has no discovery over Ethernet."""

    name, lifs, rdma, discovers = "srp", "srp", "roce", False
    igroup, volume = "group_srp", "vol_srp"
    addresses = "10.10.1.3", "10.10.2.3"

    def __init__(self, admin: Administrator, host: Host) -> None:
        super().__init__(admin, host)
        self.initiator: Srp = Srp(host)

    @contextmanager
    def provisioned(self) -> Iterator[Record]:
        self._do_rdma_in_host()
        if not self.admin.api.get(SRP_SERVICES)["records"]:
            self.admin.add_srp()
        lifs = [
            self.admin.add_lif(f"srp_{port}", port, address, "default-data-srp", rdma=True)
            for port, address in zip(("e0a", "e0b"), self.addresses, strict=True)
        ]
        with self.mapped() as device:
            yield device
        for lif in lifs:
            self.admin.remove(LIFS, lif)

    def discover(self) -> set[str]:
        raise NotImplementedError

    def connect(self) -> None:
        [service] = self.admin.api.get(SRP_SERVICES, fields="target")["records"]
        for port, address in zip(("d1", "d2"), self.addresses, strict=True):
            self.initiator.connect(port, service["target"]["name"], address)


class NvmeTransport(Transport):
    """NVMe over TCP or RDMA."""

    name, good, devices, lifs = "nvme_tcp", "live optimized", "storage/namespaces", "nvme"
    addresses = "10.10.1.2", "10.10.2.2"
    called = "tcp"

    def __init__(self, admin: Administrator, host: Host) -> None:
        super().__init__(admin, host)
        self._nvme = Nvme(host, self.called)

    def mapped(self) -> AbstractContextManager[Record]:
        return mapped_namespace(self.admin, self._nvme)

    def discover(self) -> set[str]:
        records = self._nvme.discover(self.addresses[0])
        return {each["traddr"] for each in records if each["trtype"] == self.called}

    def connect(self) -> None:
        [subsystem] = self.admin.api.get(
            "protocols/nvme/subsystems", name="sub1", fields="target_nqn"
        )["records"]
        for address in self.addresses:
            self._nvme.connect_to(subsystem["target_nqn"], address)

    def disconnect(self) -> None:
        self._nvme.disconnect()

    def device(self, record: Record) -> str:
        return self._nvme.device(record["uuid"])

    def paths(self, device: str) -> list[Path]:
        return self._nvme.paths(device)

    def admits(self, record: Record, *, admitted: bool) -> None:
        [subsystem] = self.admin.api.get("protocols/nvme/subsystems", name="sub1")["records"]
        hosts = f"protocols/nvme/subsystems/{subsystem['uuid']}/hosts"
        if admitted:
            self.admin.api.post(hosts, {"nqn": self._nvme.name})
        else:
            self.admin.api.delete(f"{hosts}/{self._nvme.name}")

    def look_again(self, device: str) -> None:
        """It is told."""


class NvmeRdmaTransport(NvmeTransport):
    """NVMe over RDMA."""

    name, called, rdma = "nvme_rdma", "rdma", "roce"


class NvmeIwarpTransport(NvmeTransport):
    """NVMe over RDMA by iWARP, which Debian's kernel cannot do by software."""

    name, called, rdma, told_as = "nvme_iwarp", "rdma", "iwarp", "nvme_rdma"


TRANSPORTS: tuple[type[Transport], ...] = (
    IscsiTransport,
    IserTransport,
    SrpTransport,
    NvmeTransport,
    NvmeRdmaTransport,
    NvmeIwarpTransport,
)
