"""The starting point of tests of Fibre Channel: an array with a port, and its targets."""

from __future__ import annotations

from typing import Any

from scenarios import aggregate, chain, lun, svm, volume
from simulator import Simulator

INTERFACES, PORTS = "network/fc/interfaces", "network/fc/ports"
SERVICES = "protocols/san/fcp/services"
HOST, QLOGIC = "20:00:00:50:56:00:00:01", "21:00:00:24:ff:00:00:01"


def map_lun(array: Simulator) -> None:
    """Give an array a LUN that is mapped to HOST, and a port of QLogic's."""
    array.kernel.fibre_channel.plug()
    array.settle()
    chain(aggregate, svm, volume, lun)(array)
    array.make(SERVICES, {"svm.name": "svm1"})
    igroup = {"svm.name": "svm1", "name": "group1", "os_type": "linux", "protocol": "fcp"}
    array.do("POST", "protocols/san/igroups", igroup | {"initiators": [HOST]})
    mapped = {"svm.name": "svm1", "lun.name": "/vol/vol1/lun1", "igroup.name": "group1"}
    array.do("POST", "protocols/san/lun-maps", mapped)


def body(
    name: str = "fc1", svm_name: str = "svm1", port: str = "0000:03:00.0", protocol: str = "fcp"
) -> dict[str, Any]:
    """Return a request for an interface."""
    home = {"name": port, "node": {"name": "array-01"}}
    request = {"svm.name": svm_name, "name": name, "data_protocol": protocol}
    return request | {"location": {"home_port": home}}


def target_dump(array: Simulator) -> str:
    """Return the targets' content; a turn that reads everything anew must not change it."""
    array.settle()
    before = array.kernel.configfs.dump()
    array.reconciler.verify_all()
    array.settle()
    assert array.kernel.configfs.dump() == before
    return before.replace("/sys/kernel/config/", "")
