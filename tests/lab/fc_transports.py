"""The transports over Fibre Channel; see `transports`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lab.administrator import GIB, Administrator, Record
from lab.fc_ports import Fcp, fcp_interface
from lab.loop_ports import Loop, nvme_interfaces
from lab.mapped import mapped_lun, mapped_namespace
from lab.transports import Transport


class FcpTransport(Transport):
    """FCP, between a Fibre Channel port of the host's and one of the array's."""

    name = "fcp"

    def __init__(self, admin: Administrator, fcp: Fcp, port: Record, *, size: int = GIB) -> None:
        super().__init__(admin, size)
        self._fcp, self._port = fcp, port

    @contextmanager
    def provisioned(self) -> Iterator[Record]:
        with (
            fcp_interface(self.admin, self._port),
            mapped_lun(self.admin, self._fcp, size=self.size) as lun,
        ):
            yield lun

    def connect(self) -> None:
        self._fcp.log_in_anew()

    def disconnect(self) -> None:
        self._fcp.log_out()

    def device(self, record: Record) -> str:
        return self._fcp.device(record["serial_number"])

    def single(self, record: Record) -> str:
        return self._fcp.single_disk(record["serial_number"])


class NvmeFcTransport(Transport):
    """NVMe over Fibre Channel by nvme-fcloop, for which the array is its own host."""

    name = "nvme_fc"

    def __init__(self, admin: Administrator, loop: Loop, *, size: int = GIB) -> None:
        super().__init__(admin, size)
        self._loop, self._subsystem = loop, ""

    @contextmanager
    def provisioned(self) -> Iterator[Record]:
        self._loop.plug()
        with (
            nvme_interfaces(self.admin),
            mapped_namespace(self.admin, self._loop, size=self.size) as namespace,
        ):
            self._subsystem = namespace["nqn"]
            yield namespace
        self._loop.leave()

    def connect(self) -> None:
        self._loop.connect_all(self._subsystem)

    def disconnect(self) -> None:
        self._loop.disconnect()

    def device(self, record: Record) -> str:
        return self._loop.device(record["uuid"])

    def single(self, record: Record) -> str:
        return self.device(record)
