"""Fibre Channel ports of the lab's machines, and interfaces of the array's at them.

Nobody has an adapter here. libfc's software driver makes Fibre Channel ports of Ethernet ports that
find each other (VN2VN).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lab.administrator import Administrator, Record
from lab.initiator import SETTLED, Multipath
from lab.patience import eventually
from lab.station import Host

FCOE = "/sys/module/libfcoe/parameters"
MTU, USUAL_MTU = 2500, 1500
"""Bytes; a frame of Fibre Channel is not split."""
INTERFACES, PORTS = "network/fc/interfaces", "network/fc/ports"
SERVICES = "protocols/san/fcp/services"


def wwpn_of(machine: Host, port: str) -> str:
    """Return the name that libfc gives to the port of an Ethernet port."""
    return "20:00:" + machine.run(f"cat /sys/class/net/{port}/address").strip()


def join(machine: Host, port: str) -> None:
    """Make an Ethernet port a Fibre Channel port."""
    machine.run(f"ip link set {port} mtu {MTU}; echo {port} > {FCOE}/create_vn2vn")


def leave(machine: Host, port: str) -> None:
    """Make a Fibre Channel port an Ethernet port alone."""
    machine.run(f"echo {port} > {FCOE}/destroy")


def fc_ports(admin: Administrator) -> list[Record]:
    """Return the array's Fibre Channel ports that have a link."""
    return list(admin.api.get(PORTS, fields="**", state="online")["records"])


@contextmanager
def ports_of(admin: Administrator, array: Host, *names: str) -> Iterator[list[Record]]:
    """Have the array's Ethernet ports be Fibre Channel ports, and no others; yield those."""
    ethernet = [admin.api.get("network/ethernet/ports", name=n)["records"][0] for n in names]
    for port in ethernet:
        admin.change("network/ethernet/ports", port, {"mtu": MTU})
        join(array, port["name"])
    eventually(lambda: len(fc_ports(admin)) == len(names))
    yield fc_ports(admin)
    for port in ethernet:
        leave(array, port["name"])
        admin.change("network/ethernet/ports", port, {"mtu": USUAL_MTU})


@contextmanager
def port_of_host(host: Host, port: str) -> Iterator[Fcp]:
    """Have a host's Ethernet port be a Fibre Channel port; yield its initiator."""
    join(host, port)
    yield Fcp(host, port)
    leave(host, port)
    host.run(f"ip link set {port} mtu {USUAL_MTU}")


def add_interface(admin: Administrator, port: Record, name: str, data_protocol: str) -> Record:
    """Add an interface at a port."""
    body = {"svm.name": admin.svm, "name": name, "data_protocol": data_protocol}
    body["location.home_port.uuid"] = port["uuid"]
    (record,) = admin.api.post(INTERFACES, body, return_records="true")["records"]
    return dict(record)


@contextmanager
def fcp_interface(admin: Administrator, port: Record) -> Iterator[Record]:
    """Have the SVM serve FCP at a port; yield the interface."""
    admin.api.post(SERVICES, {"svm.name": admin.svm})
    interface = add_interface(admin, port, "fcp_1", "fcp")
    yield interface
    admin.remove(INTERFACES, interface)
    (service,) = admin.api.get(SERVICES, **{"svm.name": admin.svm})["records"]
    admin.change(SERVICES, service["svm"], {"enabled": False})
    admin.remove(SERVICES, service["svm"])


class Fcp(Multipath):
    """libfc's initiator at an Ethernet port of a host, and dm-multipath."""

    protocol = "fcp"

    def __init__(self, host: Host, port: str) -> None:
        super().__init__(host)
        self._port = port

    @property
    def names(self) -> list[str]:
        """What an igroup has to list for the host."""
        return [wwpn_of(self.host, self._port)]

    def log_in_anew(self) -> None:
        """Have the host's port leave and come back.

        Linux does not look for LUNs at a port that it met as no target before, as it meets one that
        refuses it (fc_remote_port_add() in drivers/scsi/scsi_transport_fc.c, `scsi_target_id`).
        """
        leave(self.host, self._port)
        join(self.host, self._port)

    def log_out(self) -> None:
        """Take away the disks that the port brought, if there are any."""
        self.host.run(f"{SETTLED}; multipath -F")
        disks = "/sys/class/fc_remote_ports/*/device/target*/*/delete"
        self.host.run(f"for each in {disks}; do ! test -e $each || echo 1 > $each; done")
