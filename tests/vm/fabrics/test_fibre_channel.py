"""Fibre Channel: LUNs by FCP over FCoE between two machines, namespaces by NVMe over nvme-fcloop.

Nobody has an adapter here. libfc's software driver makes Fibre Channel ports of Ethernet ports that
find each other (VN2VN); nvme-fcloop makes an NVMe target port of the names of such a port, and an
initiator's port beside it in the same machine.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from patience import eventually
from provisioned import administrator_of

from lab.administrator import GIB, MIB, Administrator, Record
from lab.initiator import Iscsi
from lab.station import Array, Host, Station
from lab.workload import Workload

FCOE = "/sys/module/libfcoe/parameters"
MTU, USUAL_MTU = 2500, 1500
"""Bytes; a frame of Fibre Channel is not split."""
FORCED = {"allow_delete_while_mapped": "true"}
INTERFACES, PORTS, LUNS = "network/fc/interfaces", "network/fc/ports", "storage/luns"
SERVICES = "protocols/san/fcp/services"
LOOP = "/sys/class/fcloop/ctl"
LOOP_INITIATOR = ("10001100aa000001", "20001100aa000001")


def wwpn_of(machine: Host, port: str) -> str:
    """Return the name that libfc gives to the port of an Ethernet port."""
    return "20:00:" + machine.run(f"cat /sys/class/net/{port}/address").strip()


def join(machine: Host, port: str) -> None:
    """Make an Ethernet port a Fibre Channel port."""
    machine.run(f"ip link set {port} mtu {MTU}; echo {port} > {FCOE}/create_vn2vn")


def leave(machine: Host, port: str) -> None:
    """Make a Fibre Channel port an Ethernet port alone."""
    machine.run(f"echo {port} > {FCOE}/destroy")


def log_in_anew(host: Host) -> None:
    """Have the host's port leave and come back.

    Linux does not look for LUNs at a port that it met as no target before, as it meets one that
    refuses it (fc_remote_port_add() in drivers/scsi/scsi_transport_fc.c, `scsi_target_id`).
    """
    leave(host, "d1")
    join(host, "d1")


def fc_ports(admin: Administrator) -> list[Record]:
    """Return the array's Fibre Channel ports that have a link."""
    return list(admin.api.get(PORTS, fields="**", state="online")["records"])


@pytest.fixture(scope="module")
def admin(machines: Station) -> Iterator[Administrator]:
    """An administrator of an array that serves, with a Fibre Channel port."""
    admin, array = administrator_of(machines.array), machines.array
    (e0c,) = admin.api.get("network/ethernet/ports", name="e0c")["records"]
    admin.change("network/ethernet/ports", e0c, {"mtu": MTU})
    join(array, "e0c")
    eventually(lambda: len(fc_ports(admin)) == 1)
    yield admin
    leave(array, "e0c")
    admin.change("network/ethernet/ports", e0c, {"mtu": USUAL_MTU})


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
    interface = add_interface(admin, "fcp_1", "fcp")
    yield interface
    admin.remove(INTERFACES, interface)
    (service,) = admin.api.get(SERVICES, **{"svm.name": admin.svm})["records"]
    admin.change(SERVICES, service["svm"], {"enabled": False})
    admin.remove(SERVICES, service["svm"])


def add_interface(admin: Administrator, name: str, data_protocol: str) -> Record:
    """Add an interface at the array's one port."""
    (port,) = fc_ports(admin)
    body = {"svm.name": admin.svm, "name": name, "data_protocol": data_protocol}
    body["location.home_port.uuid"] = port["uuid"]
    (record,) = admin.api.post(INTERFACES, body, return_records="true")["records"]
    return dict(record)


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


def test_a_host_in_no_igroup_sees_nothing(
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
    admin.remove("protocols/san/igroups", stranger, **FORCED)
    admin.remove("storage/volumes", volume)


def test_what_a_host_writes_by_fcp_it_reads(host: Host, disk: str) -> None:
    workload = Workload(host, "fcp", disk, 32 * MIB, 8192)
    workload.start()
    assert workload.wait().read_back == 32 * MIB
    workload.reread()


def test_the_login_and_the_path_are_shown(
    admin: Administrator, host: Host, interface: Record, disk: str
) -> None:
    name = wwpn_of(host, "d1")

    def paths() -> list[tuple[str, str]]:
        found = admin.api.get("protocols/san/paths", fields="**", transport_protocol="fcp")
        return [(each["initiator"]["name"], each["state"]) for each in found["records"]]

    eventually(lambda: paths() == [(name, "connected")])
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


def test_nvme_is_served_at_the_same_port(machines: Station) -> None:
    array, admin = machines.array, Administrator(machines.array.api)
    eventually(lambda: len(fc_ports(admin)) == 1)
    (port,) = fc_ports(admin)
    make_loop(array, port)
    eventually(lambda: fc_ports(admin)[0]["supported_protocols"] == ["fc_nvme", "fcp"])
    interface = add_interface(admin, "nvme_fc_1", "fc_nvme")
    subsystem = admin.add_subsystem(
        "fabric_nvme", {"nqn": "nqn.2014-08.org.nvmexpress:uuid:fabric"}
    )
    volume = admin.add_volume("vol_nvme")
    namespace = admin.add_namespace(volume, "ns1", GIB)
    admin.map_namespace(namespace, subsystem)
    node, name = (port[key].replace(":", "") for key in ("wwnn", "wwpn"))
    ends = (
        f"--transport fc --traddr nn-0x{node}:pn-0x{name} "
        "--host-traddr nn-0x{}:pn-0x{} --hostnqn nqn.2014-08.org.nvmexpress:uuid:fabric "
    ).format(*LOOP_INITIATOR)
    nqn = admin.look_up("protocols/nvme/subsystems", subsystem)["target_nqn"]
    assert f"subnqn:  {nqn}" in array.run(f"nvme discover {ends}")
    array.run(f"nvme connect {ends} --nqn {nqn}")
    device = f"/dev/disk/by-id/nvme-uuid.{namespace['uuid']}"
    eventually(lambda: array.attempt(f"test -b {device}").status == 0)
    array.run("dd if=/dev/urandom of=/run/written bs=1M count=32 status=none")
    array.run(f"dd if=/run/written of={device} bs=64k oflag=direct conv=fsync status=none")
    array.run(f"dd if={device} bs=64k count=512 iflag=direct status=none | cmp - /run/written")

    def logins() -> list[str]:
        shown = admin.api.get("network/fc/logins", fields="**", protocol="fc_nvme")["records"]
        return [each["initiator"]["wwpn"].replace(":", "") for each in shown]

    eventually(lambda: logins() == [LOOP_INITIATOR[1]])
    array.run("udevadm settle; nvme disconnect-all; rm /run/written")
    subsystems = "protocols/nvme/subsystems"
    admin.remove(subsystems, subsystem, allow_delete_with_hosts="true", **FORCED)
    admin.remove("storage/volumes", volume)
    admin.remove(INTERFACES, interface)
    array.run("systemctl unmask --runtime nvmf-connect@.service")


def make_loop(array: Array, port: Record) -> None:
    """Make an NVMe target port of the names of a port, and an initiator that sees it."""
    node, name = (port[key].replace(":", "") for key in ("wwnn", "wwpn"))
    target = f"wwnn=0x{node},wwpn=0x{name}"
    initiator_node, initiator = LOOP_INITIATOR
    # Its rule would connect to the port before a subsystem is served there.
    array.run("systemctl mask --runtime nvmf-connect@.service")
    array.run(
        "modprobe -a nvmet-fc nvme-fc nvme-fcloop\n"
        f"echo wwnn=0x{initiator_node},wwpn=0x{initiator},roles=0x10 > {LOOP}/add_local_port\n"
        f"echo {target} > {LOOP}/add_target_port\n"
        f"echo {target},lpwwnn=0x{initiator_node},lpwwpn=0x{initiator},roles=0x60 "
        f"> {LOOP}/add_remote_port"
    )
