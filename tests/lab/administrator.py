"""What a storage administrator does over REST, each as one call: the bodies are ONTAP's.

    admin = Administrator(array.api)
    admin.add_aggregate()
    admin.add_svm()
    admin.add_data_lifs()
    lun = admin.add_lun(admin.add_volume("vol1"), "lun1", 4 * GIB)

Adding returns the new record. All of it is in one SVM, and on one aggregate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab.api import Api

Record = dict[str, Any]
MIB, GIB = 1 << 20, 1 << 30
# By name: port, address. An SVM has a path of each protocol on each of the lab's data networks.
DATA_LIFS = {
    "iscsi_1": ("e0a", "10.10.1.1"),
    "iscsi_2": ("e0b", "10.10.2.1"),
    "nvme_1": ("e0a", "10.10.1.2"),
    "nvme_2": ("e0b", "10.10.2.2"),
}
POLICIES = {
    "iscsi": "default-data-iscsi",
    "nvme": "default-data-nvme-tcp",
    "srp": "default-data-srp",
}
"""The service policy of a LIF, by the prefix of its name."""


@dataclass(frozen=True)
class Administrator:
    """Works on `api`, in the SVM and on the aggregate of these names."""

    api: Api
    svm: str = "svm1"
    aggregate: str = "aggr1"

    def add_aggregate(
        self, disks: int = 8, raid_type: str = "raid_dp", names: Sequence[str] = ()
    ) -> Record:
        """Add the aggregate, of so many spare disks or of those named; raid_dp is RAID 6."""
        primary: Record = {"disk_count": disks, "raid_type": raid_type}
        if names:
            primary = {"disks": [{"name": name} for name in names], "raid_type": raid_type}
        return self._add(
            "storage/aggregates", {"name": self.aggregate, "block_storage": {"primary": primary}}
        )

    def add_svm(self) -> Record:
        """Add the SVM and have it serve iSCSI and NVMe."""
        svm = self._add("svm/svms", {"name": self.svm})
        self._add("protocols/san/iscsi/services", {"svm.name": self.svm})
        self._add("protocols/nvme/services", {"svm.name": self.svm})
        return svm

    def add_srp(self) -> None:
        """Have the SVM serve SRP too."""
        self._add("protocols/san/srp/services", {"svm.name": self.svm})

    def add_data_lifs(self) -> list[Record]:
        """Add the LIFs of DATA_LIFS."""
        return [
            self.add_lif(name, port, address, POLICIES[name.partition("_")[0]])
            for name, (port, address) in DATA_LIFS.items()
        ]

    def add_lif(
        self, name: str, port: str, address: str, policy: str, *, rdma: bool = False
    ) -> Record:
        """Add an interface with an address of a /24 network."""
        body = {
            "svm.name": self.svm,
            "name": name,
            "ip": {"address": address, "netmask": "24"},
            "location.home_port.name": port,
            "service_policy": policy,
            "rdma_protocols": ["roce"] if rdma else [],
        }
        return self._add("network/ip/interfaces", body)

    def add_lag(self, mode: str, *ports: str, mtu: int = 1500) -> Record:
        """Add an interface group of ports; `mode` is multimode, multimode_lacp or singlemode."""
        members = [{"name": port} for port in ports]
        lag = {"mode": mode, "distribution_policy": "ip", "member_ports": members}
        return self._add("network/ethernet/ports", {"type": "lag", "lag": lag, "mtu": mtu})

    def add_vlan(self, port: str, tag: int) -> Record:
        """Add a VLAN on a port or an interface group."""
        vlan = {"base_port": {"name": port}, "tag": tag}
        return self._add("network/ethernet/ports", {"type": "vlan", "vlan": vlan})

    def add_volume(self, name: str, size: int = 4 * GIB, guarantee: str = "none") -> Record:
        """Add a volume of `size` bytes."""
        body = {"svm.name": self.svm, "name": name, "size": size, "guarantee.type": guarantee}
        return self._add("storage/volumes", body | {"aggregates": [{"name": self.aggregate}]})

    def add_lun(self, volume: Record, name: str, size: int = GIB) -> Record:
        """Add a LUN of `size` bytes to a volume."""
        return self._add("storage/luns", self._device(volume, name, size))

    def add_namespace(
        self, volume: Record, name: str, size: int = GIB, block_size: int = 4096
    ) -> Record:
        """Add a namespace of `size` bytes to a volume."""
        body = self._device(volume, name, size) | {"space.block_size": block_size}
        return self._add("storage/namespaces", body)

    def add_igroup(self, name: str, *initiators: str, protocol: str = "iscsi") -> Record:
        """Add an igroup with these initiators: names of iSCSI, or of ports for `fcp` and `srp`."""
        body = {"svm.name": self.svm, "name": name, "os_type": "linux", "protocol": protocol}
        members = [{"name": initiator} for initiator in initiators]
        return self._add("protocols/san/igroups", body | {"initiators": members})

    def add_subsystem(self, name: str, *hosts: Record) -> Record:
        """Add a subsystem with these hosts, each at least {"nqn": …}."""
        body = {"svm.name": self.svm, "name": name, "os_type": "linux", "hosts": list(hosts)}
        return self._add("protocols/nvme/subsystems", body)

    def map_lun(self, lun: Record, igroup: Record) -> Record:
        """Show a LUN to an igroup."""
        body = {"svm.name": self.svm, "lun.name": lun["name"], "igroup.name": igroup["name"]}
        return self._add("protocols/san/lun-maps", body)

    def map_namespace(self, namespace: Record, subsystem: Record) -> Record:
        """Show a namespace to a subsystem's hosts."""
        names = {"namespace.name": namespace["name"], "subsystem.name": subsystem["name"]}
        return self._add("protocols/nvme/subsystem-maps", {"svm.name": self.svm, **names})

    def remove(self, path: str, record: Record, **options: str) -> None:
        """Delete a record of the collection at `path`."""
        self.api.delete(f"{path}/{record['uuid']}", **options)

    def change(self, path: str, record: Record, body: Record) -> None:
        """Change a record of the collection at `path`."""
        self.api.patch(f"{path}/{record['uuid']}", body)

    def look_up(self, path: str, record: Record) -> Record:
        """Return all of a record as it is now."""
        return dict(self.api.get(f"{path}/{record['uuid']}", fields="**"))

    def _device(self, volume: Record, name: str, size: int) -> Record:
        path = f"/vol/{volume['name']}/{name}"
        return {"svm.name": self.svm, "name": path, "os_type": "linux", "space.size": size}

    def _add(self, path: str, body: Record) -> Record:
        (record,) = self.api.post(path, body, return_records="true")["records"]
        return dict(record)
