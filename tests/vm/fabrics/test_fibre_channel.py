"""LUNs by Fibre Channel: FCP over FCoE between two machines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fc_ports import (
    INTERFACES,
    PORTS,
    USUAL_MTU,
    add_interface,
    fc_ports,
    join,
    leave,
    ports_of,
    wwpn_of,
)
from patience import eventually

from lab.administrator import GIB, MIB, Administrator, Record
from lab.initiator import Iscsi
from lab.station import Host, Station
from lab.workload import Workload

FORCED = {"allow_delete_while_mapped": "true"}
WRITTEN = 32 * MIB
SCENARIO = Path(__file__).parents[2] / "unit/kernel/network/fabric_scenario"
COPY = "/run/scenarios/fabric_scenario.py"
LUNS, SERVICES = "storage/luns", "protocols/san/fcp/services"


def log_in_anew(host: Host) -> None:
    """Have the host's port leave and come back.

    Linux does not look for LUNs at a port that it met as no target before, as it meets one that
    refuses it (fc_remote_port_add() in drivers/scsi/scsi_transport_fc.c, `scsi_target_id`).
    """
    leave(host, "d1")
    join(host, "d1")


@pytest.fixture(scope="module")
def admin(machines: Station) -> Iterator[Administrator]:
    """An administrator of an array that serves, with a Fibre Channel port."""
    with ports_of(machines.array, "e0c") as admin:
        yield admin


@pytest.fixture(scope="module")
def host(machines: Station, admin: Administrator) -> Iterator[Host]:
    """A host with a Fibre Channel port."""
    host = machines.host()
    join(host, "d1")
    yield host
    leave(host, "d1")
    host.run(f"ip link set d1 mtu {USUAL_MTU}")


@pytest.fixture(scope="module")
def interface(admin: Administrator) -> Iterator[Record]:
    """An interface of the SVM's at the array's port, by FCP."""
    admin.api.post(SERVICES, {"svm.name": admin.svm})
    [port] = fc_ports(admin)
    interface = add_interface(admin, port, "fcp_1", "fcp")
    yield interface
    admin.remove(INTERFACES, interface)
    (service,) = admin.api.get(SERVICES, **{"svm.name": admin.svm})["records"]
    admin.change(SERVICES, service["svm"], {"enabled": False})
    admin.remove(SERVICES, service["svm"])


@pytest.fixture(scope="module")
def lun(admin: Administrator, host: Host, interface: Record) -> Iterator[Record]:
    """A LUN that is mapped to the host."""
    igroup = admin.add_igroup("fabric", wwpn_of(host, "d1"), protocol="fcp")
    volume = admin.add_volume("vol_fabric")
    lun = admin.add_lun(volume, "lun1", GIB)
    admin.map_lun(lun, igroup)
    yield lun
    admin.remove("protocols/san/igroups", igroup, **FORCED)
    admin.remove("storage/volumes", volume)


@pytest.fixture(scope="module")
def disk(host: Host, lun: Record) -> Iterator[str]:
    """The host's multipath device of the LUN."""
    log_in_anew(host)
    disks = Iscsi(host)
    device = disks.device(lun["serial_number"])
    yield device
    [path] = disks.path_devices(device)
    host.run(f"multipath -F; echo 1 > /sys/block/{path}/device/delete")


def refusals_of(admin: Administrator, host: Host) -> list[tuple[str, str]]:
    """Return where the host was refused, and why."""
    query = {"initiator.name": wwpn_of(host, "d1"), "fields": "interface,reason"}
    found = admin.api.get("protocols/san/refused-initiators", **query)["records"]
    return [(each["interface"]["name"], each["reason"]) for each in found]


def test_its_port_asks_no_fabric_as_the_fake_one_does(
    machines: Station, admin: Administrator
) -> None:
    assert fc_ports(admin)
    array, scenario = machines.array, SCENARIO.with_suffix(".py").read_bytes()
    array.run(f"install -D /dev/stdin {COPY}", stdin=scenario)
    told = array.run(f"$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler) {COPY}")
    assert told == SCENARIO.with_suffix(".txt").read_text()
    assert admin.api.get("network/fc/fabrics")["records"] == []


def test_a_host_in_no_igroup_sees_nothing_and_is_told_of(
    admin: Administrator, host: Host, interface: Record
) -> None:
    eventually(lambda: admin.look_up(INTERFACES, interface)["state"] == "up")
    stranger = admin.add_igroup("stranger", "20:00:00:00:00:00:00:01", protocol="fcp")
    volume = admin.add_volume("vol_stranger")
    admin.map_lun(admin.add_lun(volume, "lun1", GIB), stranger)
    log_in_anew(host)
    ports = "cat /sys/class/fc_remote_ports/*/port_name"
    # It sees the array's port all the same: that is the fabric's matter.
    name = "0x" + interface["wwpn"].replace(":", "")
    eventually(lambda: name in host.attempt(ports).out)
    assert "SANSTONE" not in host.run("lsscsi")
    assert admin.api.get("network/fc/logins")["records"] == []
    eventually(lambda: refusals_of(admin, host) == [("fcp_1", "not_allowed")])
    admin.remove("protocols/san/igroups", stranger, **FORCED)
    admin.remove("storage/volumes", volume)


def test_what_a_host_writes_by_fcp_it_reads_and_is_counted(
    admin: Administrator, host: Host, interface: Record, disk: str
) -> None:
    workload = Workload(host, "fcp", disk, WRITTEN, 8192)
    workload.start()
    assert workload.wait().read_back == WRITTEN
    workload.reread()
    [port] = fc_ports(admin)
    eventually(lambda: counted(admin, PORTS, port) >= WRITTEN)
    eventually(lambda: counted(admin, INTERFACES, interface) >= WRITTEN)


def counted(admin: Administrator, path: str, record: Record) -> int:
    """Return the bytes that hosts wrote at an object, 0 before they are counted."""
    shown = admin.look_up(path, record).get("statistics")
    return int(shown["throughput_raw"]["write"]) if shown else 0


def test_the_login_and_the_path_are_shown(
    admin: Administrator, host: Host, interface: Record, disk: str
) -> None:
    name = wwpn_of(host, "d1")

    def paths() -> list[tuple[str, str]]:
        found = admin.api.get("protocols/san/paths", fields="**", transport_protocol="fcp")
        return [(each["initiator"]["name"], each["state"]) for each in found["records"]]

    eventually(lambda: paths() == [(name, "connected")])
    assert refusals_of(admin, host) == []
    (login,) = admin.api.get("network/fc/logins", fields="**")["records"]
    assert login["interface"]["wwpn"] == interface["wwpn"]
    assert login["initiator"]["wwpn"] == name
    (service,) = admin.api.get("protocols/san/fcp/services", fields="**")["records"]
    assert (service["enabled"], service["state"]) == (True, "up")


def test_a_host_sees_a_lun_grow(admin: Administrator, host: Host, lun: Record, disk: str) -> None:
    admin.change(LUNS, lun, {"space.size": 2 * GIB})
    for name in Iscsi(host).path_devices(disk):
        host.run(f"echo 1 > /sys/block/{name}/device/rescan")
    host.run(f"multipathd resize map $(basename $(realpath {disk}))")
    assert int(host.run(f"blockdev --getsize64 {disk}")) == 2 * GIB


def test_a_host_goes_on_when_the_array_restarts(
    machines: Station, admin: Administrator, host: Host, disk: str
) -> None:
    workload = Workload(host, "restart", disk, 64 * MIB, 8192)
    workload.start()
    workload.wait_until_written(4 * MIB)
    machines.array.power_off_hard()
    machines.array.boot()
    join(machines.array, "e0c")
    assert workload.wait().read_back == 64 * MIB
    workload.reread()
