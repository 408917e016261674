"""The transports: the steps of a host's administrator to reach a device of an array by each.

These are reached at LIFs, those of `fc_transports` at Fibre Channel ports. `LifTransport` is what
tests ask of one. A transport more is a class more, and a line in `TRANSPORTS`, the rows of the
table of tests.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import NamedTuple

from lab.administrator import GIB, POLICIES, Administrator, Record
from lab.initiator import Iscsi, Multipath, Nvme, Path, Srp
from lab.mapped import mapped_lun, mapped_namespace
from lab.station import Host


class Software(NamedTuple):
    """A driver that does RDMA at any Ethernet port: its devices' type, and its module."""

    type: str
    module: str


SOFTWARE = {"roce": Software("rxe", "rdma_rxe"), "iwarp": Software("siw", "siw")}
"""By kind of RDMA: its driver in the kernel."""
LIFS, SRP_SERVICES = "network/ip/interfaces", "protocols/san/srp/services"


class Leg(NamedTuple):
    """A data network: the array's port and the host's on it, and the prefix of its addresses."""

    port: str
    host_port: str
    network: str


LEGS = Leg("e0a", "d1", "10.10.1"), Leg("e0b", "d2", "10.10.2")


class Transport(ABC):
    """A transport, as a host uses it that is to reach a device of `size` bytes."""

    name: str

    def __init__(self, admin: Administrator, size: int = GIB) -> None:
        self.admin, self.size = admin, size

    @abstractmethod
    def provisioned(self) -> AbstractContextManager[Record]:
        """Have a device that the host may reach, where the array serves the transport."""

    @abstractmethod
    def connect(self) -> None:
        """Connect wherever it is served. Raises GuestCommandFailed, also if it is nowhere."""

    @abstractmethod
    def disconnect(self) -> None:
        """End all connections."""

    @abstractmethod
    def device(self, record: Record) -> str:
        """Return the host's device once it is there."""

    @abstractmethod
    def single(self, record: Record) -> str:
        """Return the host's device over its one path, without the layer that joins paths.

        The kernel's own multipath of NVMe always belongs to it.
        """


class LifTransport(Transport):
    """A transport that is served at LIFs, by default over two paths."""

    good: str
    """What the host's tools call a path that is as it should be."""
    devices: str
    """The collection of the API that its devices are in."""
    lifs: str
    """What the names of its LIFs begin with, and their service policy is for."""
    number: int
    """The end of its addresses."""
    rdma = ""
    """The kind of RDMA that it goes over, if it does."""
    listed_as = ""
    """The array's name for it, if that is another."""
    discovers = True
    """Whether hosts can ask the array where it serves the transport."""

    def __init__(
        self,
        admin: Administrator,
        host: Host,
        legs: Sequence[Leg] = LEGS,
        *,
        number: int = 0,
        size: int = GIB,
    ) -> None:
        super().__init__(admin, size)
        self.host, self.legs = host, legs
        self.addresses = tuple(f"{leg.network}.{number or self.number}" for leg in legs)

    def add_lifs(self) -> list[Record]:
        """Add a LIF on each data network."""
        return [
            self.admin.add_lif(
                f"{self.lifs}_{leg.port}",
                leg.port,
                address,
                POLICIES[self.lifs],
                rdma=bool(self.rdma),
            )
            for leg, address in zip(self.legs, self.addresses, strict=True)
        ]

    def is_possible(self) -> bool:
        """Return whether the host's kernel has its modules, and so the array's of the same kind."""
        module = SOFTWARE[self.rdma].module if self.rdma else ""
        return not module or self.host.attempt(f"modprobe --dry-run --quiet {module}").status == 0

    @contextmanager
    def provisioned(self) -> Iterator[Record]:
        self._serve_rdma([self.rdma] if self.rdma else [])
        with self.mapped() as device:
            yield device
        self._serve_rdma([])

    @abstractmethod
    def mapped(self) -> AbstractContextManager[Record]:
        """Have a device that is mapped to the host."""

    @abstractmethod
    def discover(self) -> set[str]:
        """Return the addresses that the array lists for this transport, by discovery at one."""

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
        """Have the host see that its device grew, where the array does not notify it."""

    def of_svm(self, path: str, **query: str) -> list[Record]:
        """Return the SVM's records of a collection."""
        found = self.admin.api.get(path, **{"svm.name": self.admin.svm}, **query)["records"]
        return list(found)

    def _serve_rdma(self, protocols: list[str]) -> None:
        for lif in self.of_svm(LIFS, name=f"{self.lifs}_*"):
            self.admin.change(LIFS, lif, {"rdma_protocols": protocols})
        if protocols:
            self._do_rdma_in_host()

    def _do_rdma_in_host(self) -> None:
        """Have software do this kind of RDMA at the host's ports, and no other."""
        devices = self.host.run("test ! -e /sys/class/infiniband || ls /sys/class/infiniband")
        for device in devices.split():
            if not device.startswith(self.rdma):
                self.host.run(f"rdma link delete {device}")
        for port in (leg.host_port for leg in self.legs):
            device = f"{self.rdma}_{port}"
            add = f"rdma link add {device} type {SOFTWARE[self.rdma].type} netdev {port}"
            self.host.run(f"test -e /sys/class/infiniband/{device} || {add}")


class LunTransport(LifTransport):
    """A transport of LUNs. dm-multipath joins their paths."""

    good, devices = "active ready", "storage/luns"
    igroup, volume = "group1", "vol_lun"

    @property
    @abstractmethod
    def initiator(self) -> Multipath:
        """The host's."""

    def mapped(self) -> AbstractContextManager[Record]:
        return mapped_lun(self.admin, self.initiator, self.igroup, self.volume, size=self.size)

    def disconnect(self) -> None:
        self.initiator.log_out()

    def device(self, record: Record) -> str:
        return self.initiator.device(record["serial_number"])

    def single(self, record: Record) -> str:
        return self.initiator.single_disk(record["serial_number"])

    def paths(self, device: str) -> list[Path]:
        return self.initiator.paths(device)

    def admits(self, record: Record, *, admitted: bool) -> None:
        [igroup] = self.of_svm("protocols/san/igroups", name=self.igroup)
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
    number = 1
    interface = "default"

    @cached_property
    def initiator(self) -> Iscsi:
        return Iscsi(self.host)

    def discover(self) -> set[str]:
        found = self.initiator.discover(self.addresses[0], self.interface)
        return {address for address, _ in found}

    def connect(self) -> None:
        self.discover()
        # An array with several SVMs lists all that know the host.
        for address in self.addresses:
            self.initiator.log_in_at(address, self.interface)


class IserTransport(IscsiTransport):
    """iSCSI over RDMA."""

    name, interface, rdma = "iser", "iser", "roce"


class SrpTransport(LunTransport):
    """SRP: SCSI over RDMA, at LIFs of its own. It has no discovery over Ethernet."""

    name, lifs, number, rdma, discovers = "srp", "srp", 3, "roce", False
    igroup, volume = "group_srp", "vol_srp"

    @cached_property
    def initiator(self) -> Srp:
        return Srp(self.host)

    @contextmanager
    def provisioned(self) -> Iterator[Record]:
        self._do_rdma_in_host()
        if not self.of_svm(SRP_SERVICES):
            self.admin.add_srp()
        lifs = self.add_lifs()
        with self.mapped() as device:
            yield device
        for lif in lifs:
            self.admin.remove(LIFS, lif)

    def discover(self) -> set[str]:
        raise AssertionError("SRP has no discovery over Ethernet: see `discovers`")

    def connect(self) -> None:
        [service] = self.of_svm(SRP_SERVICES, fields="target")
        for leg, address in zip(self.legs, self.addresses, strict=True):
            self.initiator.connect(leg.host_port, service["target"]["name"], address)


class NvmeTransport(LifTransport):
    """NVMe over TCP or RDMA."""

    name, good, devices, lifs = "nvme_tcp", "live optimized", "storage/namespaces", "nvme"
    number = 2
    called = "tcp"

    @cached_property
    def _nvme(self) -> Nvme:
        return Nvme(self.host, self.called)

    def mapped(self) -> AbstractContextManager[Record]:
        return mapped_namespace(self.admin, self._nvme, size=self.size)

    def discover(self) -> set[str]:
        records = self._nvme.discover(self.addresses[0])
        return {each["traddr"] for each in records if each["trtype"] == self.called}

    def connect(self) -> None:
        [subsystem] = self.of_svm("protocols/nvme/subsystems", name="sub1", fields="target_nqn")
        for address in self.addresses:
            self._nvme.connect_to(subsystem["target_nqn"], address)

    def disconnect(self) -> None:
        self._nvme.disconnect()

    def device(self, record: Record) -> str:
        return self._nvme.device(record["uuid"])

    def single(self, record: Record) -> str:
        return self.device(record)

    def paths(self, device: str) -> list[Path]:
        return self._nvme.paths(device)

    def admits(self, record: Record, *, admitted: bool) -> None:
        [subsystem] = self.of_svm("protocols/nvme/subsystems", name="sub1")
        hosts = f"protocols/nvme/subsystems/{subsystem['uuid']}/hosts"
        if admitted:
            self.admin.api.post(hosts, {"nqn": self._nvme.name})
        else:
            self.admin.api.delete(f"{hosts}/{self._nvme.name}")

    def look_again(self, device: str) -> None:
        """The array notifies the host."""


class NvmeRdmaTransport(NvmeTransport):
    """NVMe over RDMA."""

    name, called, rdma = "nvme_rdma", "rdma", "roce"


class NvmeIwarpTransport(NvmeTransport):
    """NVMe over RDMA by iWARP, which Debian's kernel cannot do by software."""

    name, called, rdma, listed_as = "nvme_iwarp", "rdma", "iwarp", "nvme_rdma"


TRANSPORTS: tuple[type[LifTransport], ...] = (
    IscsiTransport,
    IserTransport,
    SrpTransport,
    NvmeTransport,
    NvmeRdmaTransport,
    NvmeIwarpTransport,
)
