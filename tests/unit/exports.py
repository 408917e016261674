"""What SCSI and NVMe have alike: devices, groups of hosts and maps, by each protocol's names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from in_process import GIB, Array

SVM = {"svm.name": "svm1"}


@dataclass(frozen=True)
class Kind:
    """The names of a protocol; `host` is one that its groups may have."""

    device: str
    devices: str
    group: str
    groups: str
    hosts: str
    host: str
    maps: str

    def path(self, number: int) -> str:
        """Return the path of a device."""
        return f"/vol/vol1/{self.device}{number}"

    def make_device(self, array: Array, number: int) -> dict[str, Any]:
        """Make a device in the volume vol1."""
        described = {"os_type": "linux", "space.size": GIB}
        return array.make(self.devices, {"name": self.path(number), **described, **SVM})

    def make_group(self, array: Array, name: str, **more: Any) -> dict[str, Any]:
        """Make a group with one host."""
        described = {"os_type": "linux", self.hosts: [self.host]}
        return array.make(self.groups, {"name": name, **described, **SVM, **more})

    def entry(self, number: int, group: str) -> dict[str, Any]:
        """Return the body of a map."""
        return {f"{self.device}.name": self.path(number), f"{self.group}.name": group, **SVM}

    def unmap(self, array: Array, number: int) -> None:
        """Delete the map of a device."""
        array.delete(f"{self.maps}?{self.device}.name={self.path(number)}")


SCSI = Kind(
    device="lun",
    devices="storage/luns",
    group="igroup",
    groups="protocols/san/igroups",
    hosts="initiators",
    host="iqn.1994-05.com.redhat:host1",
    maps="protocols/san/lun-maps",
)
NVME = Kind(
    device="namespace",
    devices="storage/namespaces",
    group="subsystem",
    groups="protocols/nvme/subsystems",
    hosts="hosts",
    host="nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5",
    maps="protocols/nvme/subsystem-maps",
)
KINDS = (SCSI, NVME)


def prepare(array: Array, devices: int) -> None:
    """Make an SVM with so many LUNs and as many namespaces in the volume vol1."""
    array.disks(4)
    array.aggregate()
    array.svm(nvme={"enabled": True})
    array.volume()
    for kind in KINDS:
        for number in range(devices):
            kind.make_device(array, number)
