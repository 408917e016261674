"""A storage engineer's published comparison of iSCSI and NVMe/TCP, typed as it stands over SSH.

Only what differs from place to place is the lab's: the node's name and the host's own names. The
host's part follows: discovery, login and connection by both protocols, and fio on both devices.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ssh_client import Client

from lab.administrator import MIB, Administrator, Record
from lab.initiator import Iscsi, Nvme
from lab.patience import eventually
from lab.station import Host
from lab.workload import Workload

SVM = "nvme"
NODE = "sanstone-01"
PLACE = f"-netmask-length 16 -home-node {NODE} -home-port a0a-1092"
LIF = "network interface create -vserver nvme -lif"
ISCSI, NVME = "-service-policy default-data-iscsi", "-service-policy default-data-nvme-tcp"
HOST_LEG, HOST_ADDRESS = "d1.1092", "10.92.4.101/16"
WRITTEN, BLOCK = 16 * MIB, 32 * 1024
PORTS = (
    # The lab's switch knows nothing of aggregation, so one port at a time carries all.
    f"network port ifgrp create -node {NODE} -ifgrp a0a -distr-func port -mode singlemode",
    f"network port ifgrp add-port -node {NODE} -ifgrp a0a -port e0c",
    f"network port ifgrp add-port -node {NODE} -ifgrp a0a -port e0d",
    f"network port vlan create -node {NODE} -vlan-name a0a-1092",
)


def transcript(initiator: str, host_nqn: str) -> tuple[str, ...]:
    """Return the lines, for a host of these names."""
    subsystem = "-vserver nvme -subsystem subsys1"
    return (
        "vserver create -vserver nvme -data-services data-iscsi,data-nvme-tcp",
        "vserver add-protocols -vserver nvme -protocols iscsi,nvme",
        "network route create -vserver nvme -destination 0.0.0.0/0 -gateway 10.92.0.1",
        "volume create -vserver nvme -volume nvme -size 100g -security-style unix",
        "volume create -vserver nvme -volume iscsi -size 100g -security-style unix",
        f"{LIF} lif1 -address 10.92.4.131 {PLACE} {ISCSI}",
        f"{LIF} lif2 -address 10.92.4.132 {PLACE} {NVME}",
        f"{LIF} lif3 -address 10.92.4.133 {PLACE} {ISCSI}",
        f"{LIF} lif4 -address 10.92.4.134 {PLACE} {NVME}",
        "vserver nvme create -vserver nvme",
        "vserver iscsi create -vserver nvme",
        "lun create -vserver nvme -path /vol/iscsi/disk.lun -size 80g -ostype linux",
        "igroup create -vserver nvme -igroup linux -ostype linux -protocol iscsi "
        f"-initiator {initiator}",
        "lun map -vserver nvme -path /vol/iscsi/disk.lun -igroup linux",
        "nvme namespace create -vserver nvme -path /vol/nvme/disk.ns -size 80g -ostype linux",
        f"nvme subsystem create {subsystem} -ostype linux",
        f"nvme subsystem host add {subsystem} -host-nqn {host_nqn}",
        f"nvme subsystem map add {subsystem} -path /vol/nvme/disk.ns",
    )


@pytest.fixture
def leg(host: Host) -> Iterator[None]:
    """A leg of the host in the VLAN."""
    host.run(
        f"""set -e
        ip link add link d1 name {HOST_LEG} type vlan id 1092
        ip address add {HOST_ADDRESS} dev {HOST_LEG}
        ip link set {HOST_LEG} up
        """
    )
    yield
    host.run(f"ip link delete {HOST_LEG}")


@pytest.fixture
def typed(admin: Administrator, administrator: Client, iscsi: Iscsi, nvme: Nvme) -> Iterator[None]:
    """All lines were typed; their objects are deleted, after the host has let go of them."""
    for line in (*PORTS, *transcript(iscsi.name, nvme.name)):
        done = administrator.by_password("admin", line)
        assert (done.returncode, done.stderr) == (0, ""), f"{line}\n{done.stdout}{done.stderr}"
    yield
    iscsi.log_out()
    nvme.disconnect()
    remove_all(admin)


def remove_all(admin: Administrator) -> None:
    """Delete the SVM and the ports with all that is in them, from the hosts' end to the disks."""
    forced = {"allow_delete_while_mapped": "true"}
    for path, options in (
        ("protocols/san/igroups", forced),
        ("protocols/nvme/subsystems", forced | {"allow_delete_with_hosts": "true"}),
        ("storage/volumes", {}),
        ("network/ip/interfaces", {}),
        ("network/ip/routes", {}),
    ):
        for record in admin.api.get(path, svm__name=SVM)["records"]:
            admin.remove(path, record, **options)
    for path in ("protocols/san/iscsi/services", "protocols/nvme/services"):
        [service] = admin.api.get(path, svm__name=SVM, fields="svm.uuid")["records"]
        place = f"{path}/{service['svm']['uuid']}"
        admin.api.patch(place, {"enabled": False})
        admin.api.delete(place)
    [svm] = admin.api.get("svm/svms", name=SVM)["records"]
    admin.remove("svm/svms", svm)
    for name in ("a0a-1092", "a0a"):
        [port] = admin.api.get("network/ethernet/ports", name=name)["records"]
        admin.remove("network/ethernet/ports", port)


def record(admin: Administrator, path: str, fields: str) -> Record:
    """Return the one record of the SVM at `path`."""
    [record] = admin.api.get(path, svm__name=SVM, fields=fields)["records"]
    return dict(record)


@pytest.mark.usefixtures("leg", "typed")
def test_the_published_session_serves_its_host(
    admin: Administrator, host: Host, iscsi: Iscsi, nvme: Nvme
) -> None:
    iscsi.discover("10.92.4.131")
    iscsi.log_in()
    disk = iscsi.device(record(admin, "storage/luns", "serial_number")["serial_number"])
    eventually(lambda: [path.state for path in iscsi.paths(disk)] == ["active ready"] * 2)
    nvme.connect("10.92.4.132")
    drive = nvme.device(record(admin, "storage/namespaces", "uuid")["uuid"])
    eventually(lambda: [path.state for path in nvme.paths(drive)] == ["live optimized"] * 2)
    for device in (disk, drive):
        assert int(host.run(f"blockdev --getsize64 {device}")) == 80 << 30
    for name, device in (("iscsi", disk), ("nvme", drive)):
        workload = Workload(host, name, device, WRITTEN, BLOCK)
        workload.start()
        assert workload.wait().written == WRITTEN


def test_a_home_node_that_does_not_exist_is_named(
    admin: Administrator, administrator: Client
) -> None:
    line = (
        f"network interface create -vserver {admin.svm} -lif lif9 -address 10.92.4.135 "
        "-netmask-length 16 -home-node cl3n2 -home-port e0a"
    )
    done = administrator.by_password("admin", line)
    assert done.returncode != 0
    assert 'Error: command failed: node "cl3n2" does not exist.' in done.stdout + done.stderr
