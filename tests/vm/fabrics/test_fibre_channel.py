"""LUNs by Fibre Channel: FCP over FCoE between two machines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from provisioned import administrator_of

from lab.administrator import GIB, MIB, Administrator, Record
from lab.fc_ports import (
    INTERFACES,
    PORTS,
    Fcp,
    fc_ports,
    fcp_interface,
    join,
    port_of_host,
    ports_of,
    wwpn_of,
)
from lab.mapped import mapped_lun
from lab.patience import eventually
from lab.station import Host, Station
from lab.workload import Workload

FORCED = {"allow_delete_while_mapped": "true"}
WRITTEN = 16 * MIB
SCENARIO = Path(__file__).parents[2] / "unit/kernel/network/fabric_scenario"
COPY = "/run/scenarios/fabric_scenario.py"
LUNS = "storage/luns"
TARGETS = "/sys/kernel/config/target/fc"


@pytest.fixture(scope="module")
def admin(machines: Station) -> Iterator[Administrator]:
    """An administrator of an array that serves, with a Fibre Channel port."""
    admin = administrator_of(machines.array)
    with ports_of(admin, machines.array, "e0c"):
        yield admin


@pytest.fixture(scope="module")
def fcp(machines: Station, admin: Administrator) -> Iterator[Fcp]:
    """A host's Fibre Channel port."""
    with port_of_host(machines.host(), "d1") as fcp:
        yield fcp


@pytest.fixture(scope="module")
def host(fcp: Fcp) -> Host:
    """A host with a Fibre Channel port."""
    return fcp.host


@pytest.fixture(scope="module")
def interface(admin: Administrator) -> Iterator[Record]:
    """An interface of the SVM's at the array's port, by FCP."""
    [port] = fc_ports(admin)
    with fcp_interface(admin, port) as interface:
        yield interface


@pytest.fixture(scope="module")
def lun(admin: Administrator, fcp: Fcp, interface: Record) -> Iterator[Record]:
    """A LUN that is mapped to the host."""
    with mapped_lun(admin, fcp) as lun:
        yield lun


@pytest.fixture(scope="module")
def disk(fcp: Fcp, lun: Record) -> str:
    """The host's multipath device of the LUN."""
    fcp.log_in_anew()
    return fcp.device(lun["serial_number"])


def refusals_of(admin: Administrator, host: Host) -> list[tuple[str, str]]:
    """Return where the host was refused, and why."""
    query = {"initiator.name": wwpn_of(host, "d1"), "fields": "interface,reason"}
    records = admin.api.get("protocols/san/refused-initiators", **query)["records"]
    return [(each["interface"]["name"], each["reason"]) for each in records]


def test_its_port_asks_no_fabric_as_the_fake_one_does(
    machines: Station, admin: Administrator
) -> None:
    assert fc_ports(admin)
    array, scenario = machines.array, SCENARIO.with_suffix(".py").read_bytes()
    array.run(f"install -D /dev/stdin {COPY}", stdin=scenario)
    output = array.run(f"$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler) {COPY}")
    assert output == SCENARIO.with_suffix(".txt").read_text()
    assert admin.api.get("network/fc/fabrics")["records"] == []


def test_a_host_in_no_igroup_sees_nothing_and_is_listed(
    admin: Administrator, fcp: Fcp, host: Host, interface: Record
) -> None:
    eventually(lambda: admin.look_up(INTERFACES, interface)["state"] == "up")
    stranger = admin.add_igroup("stranger", "20:00:00:00:00:00:00:01", protocol="fcp")
    volume = admin.add_volume("vol_stranger")
    admin.map_lun(admin.add_lun(volume, "lun1", GIB), stranger)
    fcp.log_in_anew()
    ports = "cat /sys/class/fc_remote_ports/*/port_name"
    # It sees the array's port all the same: that is the fabric's matter.
    name = "0x" + interface["wwpn"].replace(":", "")
    eventually(lambda: name in host.attempt(ports).out)
    assert "SANSTONE" not in host.run("lsscsi")
    assert admin.api.get("network/fc/logins")["records"] == []
    eventually(lambda: refusals_of(admin, host) == [("fcp_1", "not_allowed")])
    admin.remove("protocols/san/igroups", stranger, **FORCED)
    admin.remove("storage/volumes", volume)


def test_a_host_reads_its_writes_by_fcp_and_they_are_counted(
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
        answer = admin.api.get("protocols/san/paths", fields="**", transport_protocol="fcp")
        return [(each["initiator"]["name"], each["state"]) for each in answer["records"]]

    eventually(lambda: paths() == [(name, "connected")])
    assert refusals_of(admin, host) == []
    (login,) = admin.api.get("network/fc/logins", fields="**")["records"]
    assert login["interface"]["wwpn"] == interface["wwpn"]
    assert login["initiator"]["wwpn"] == name
    (service,) = admin.api.get("protocols/san/fcp/services", fields="**")["records"]
    assert (service["enabled"], service["state"]) == (True, "up")


def test_a_host_sees_a_lun_grow(
    admin: Administrator, host: Host, fcp: Fcp, lun: Record, disk: str
) -> None:
    admin.change(LUNS, lun, {"space.size": 2 * GIB})
    fcp.rescan(disk)
    assert int(host.run(f"blockdev --getsize64 {disk}")) == 2 * GIB


def test_a_host_goes_on_when_the_array_restarts(
    machines: Station, admin: Administrator, host: Host, disk: str
) -> None:
    workload = Workload(host, "restart", disk, 24 * MIB, 8192)
    workload.start()
    workload.wait_until_written(4 * MIB)
    array = machines.array
    array.power_off_hard()
    # The host asks a port that comes back once whether it is a target: it has no link before it is.
    array.start(unplugged=("e0c",))
    array.wait()
    join(array, "e0c")
    served = f"test -d {TARGETS}/{wwpn_of(array, 'e0c')}/tpgt_1/acls/{wwpn_of(host, 'd1')}/lun_0"
    eventually(lambda: array.attempt(served).status == 0)
    array.plug("e0c", connected=True)
    assert workload.wait().read_back == 24 * MIB
    workload.reread()
