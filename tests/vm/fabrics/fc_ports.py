"""Fibre Channel ports of the lab's machines, and interfaces of the array's at them.

Nobody has an adapter here. libfc's software driver makes Fibre Channel ports of Ethernet ports that
find each other (VN2VN).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from patience import eventually
from provisioned import administrator_of

from lab.administrator import Administrator, Record
from lab.station import Array, Host

FCOE = "/sys/module/libfcoe/parameters"
MTU, USUAL_MTU = 2500, 1500
"""Bytes; a frame of Fibre Channel is not split."""
INTERFACES, PORTS = "network/fc/interfaces", "network/fc/ports"


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
def ports_of(array: Array, *names: str) -> Iterator[Administrator]:
    """Have the array's Ethernet ports be Fibre Channel ports; yield an administrator."""
    admin = administrator_of(array)
    ethernet = [admin.api.get("network/ethernet/ports", name=n)["records"][0] for n in names]
    for port in ethernet:
        admin.change("network/ethernet/ports", port, {"mtu": MTU})
        join(array, port["name"])
    eventually(lambda: len(fc_ports(admin)) == len(names))
    yield admin
    for port in ethernet:
        leave(array, port["name"])
        admin.change("network/ethernet/ports", port, {"mtu": USUAL_MTU})


def add_interface(admin: Administrator, port: Record, name: str, data_protocol: str) -> Record:
    """Add an interface at a port."""
    body = {"svm.name": admin.svm, "name": name, "data_protocol": data_protocol}
    body["location.home_port.uuid"] = port["uuid"]
    (record,) = admin.api.post(INTERFACES, body, return_records="true")["records"]
    return dict(record)
