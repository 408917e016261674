"""Namespaces by NVMe over Fibre Channel: two paths of nvme-fcloop, at ports that serve FCP too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from provisioned import administrator_of

from lab.administrator import GIB, MIB, Administrator, Record
from lab.agent import GuestCommandFailed
from lab.fc_ports import INTERFACES, fc_ports, join, ports_of
from lab.loop_ports import Loop, carry, nvme_interfaces, pair
from lab.patience import eventually
from lab.station import Array, Host, Station
from lab.workload import Workload

ETHERNET = "e0c", "e0d"
NAMESPACES, SUBSYSTEMS = "storage/namespaces", "protocols/nvme/subsystems"
MAPS = "protocols/nvme/subsystem-maps"
FORCED = {"allow_delete_while_mapped": "true", "allow_delete_with_hosts": "true"}
WRITTEN, BLOCK = 24 * MIB, 16384
GOOD = "live optimized"


@pytest.fixture(scope="module")
def array(machines: Station) -> Array:
    """The array, which is its own host, with fio to prove that nothing is lost."""
    carry("fio", machines.host(), machines.array)
    return machines.array


@pytest.fixture(scope="module")
def admin(array: Array) -> Iterator[Administrator]:
    """An administrator of an array with two Fibre Channel ports."""
    admin = administrator_of(array)
    with ports_of(admin, array, *ETHERNET):
        yield admin


@pytest.fixture(scope="module")
def loop(array: Array, admin: Administrator) -> Iterator[Loop]:
    """The ports of nvme-fcloop, as many and of the same names."""
    loop = Loop(array, *(pair(number, port) for number, port in enumerate(fc_ports(admin), 1)))
    loop.plug()
    yield loop
    loop.leave()


@pytest.fixture(scope="module")
def interfaces(admin: Administrator, loop: Loop) -> Iterator[list[Record]]:
    """An interface of the SVM's at each port, by NVMe."""
    with nvme_interfaces(admin) as interfaces:
        yield interfaces


@pytest.fixture(scope="module")
def subsystem(admin: Administrator, loop: Loop, interfaces: list[Record]) -> Iterator[Record]:
    """A subsystem that lists the host."""
    subsystem = admin.add_subsystem("sub_fc", {"nqn": loop.name})
    yield admin.look_up(SUBSYSTEMS, subsystem)
    admin.remove(SUBSYSTEMS, subsystem, **FORCED)


@pytest.fixture(scope="module")
def namespace(admin: Administrator, subsystem: Record) -> Iterator[Record]:
    """A namespace that is mapped to the host."""
    volume = admin.add_volume("vol_fc")
    namespace = admin.add_namespace(volume, "ns1", GIB)
    admin.map_namespace(namespace, subsystem)
    yield namespace
    admin.api.delete(f"{MAPS}/{subsystem['uuid']}/{namespace['uuid']}")
    admin.remove("storage/volumes", volume)


@pytest.fixture(scope="module")
def device(loop: Loop, subsystem: Record, namespace: Record) -> Iterator[str]:
    """The host's device, with both of its paths."""
    loop.connect_all(subsystem["target_nqn"])
    device = loop.device(namespace["uuid"])
    eventually(lambda: are_good(loop, device, 2))
    yield device
    loop.disconnect()


def are_good(loop: Loop, device: str, count: int) -> bool:
    """Return whether so many paths are as they should be."""
    return [path.state for path in loop.paths(device)].count(GOOD) == count


def test_discovery_lists_both_ports(loop: Loop, subsystem: Record) -> None:
    here, elsewhere = (each.address for each in loop.pairs)
    entries = loop.discover(here)
    places = {each["traddr"] for each in entries if each["subnqn"] == subsystem["target_nqn"]}
    assert places == {here, elsewhere}


def test_a_host_that_is_not_admitted_is_refused_and_listed(
    admin: Administrator, loop: Loop, subsystem: Record, namespace: Record
) -> None:
    members = f"{SUBSYSTEMS}/{subsystem['uuid']}/hosts"
    admin.api.post(members, {"nqn": f"{loop.name}-other"})
    admin.api.delete(f"{members}/{loop.name}")
    with pytest.raises(GuestCommandFailed):
        loop.connect_all(subsystem["target_nqn"])
    refused = "protocols/san/refused-initiators"

    def refused_hosts() -> list[str]:
        query = {"initiator.name": loop.name, "subsystem.name": "sub_fc", "reason": "not_allowed"}
        return [each["initiator"]["name"] for each in admin.api.get(refused, **query)["records"]]

    eventually(lambda: refused_hosts() == [loop.name])
    admin.api.post(members, {"nqn": loop.name})
    eventually(lambda: refused_hosts() == [])


def test_the_logins_and_the_paths_are_shown(admin: Administrator, loop: Loop, device: str) -> None:
    initiators = sorted(each.initiator for each in loop.pairs)

    def logins() -> list[str]:
        shown = admin.api.get("network/fc/logins", fields="**", protocol="fc_nvme")["records"]
        return sorted(each["initiator"]["wwpn"].replace(":", "") for each in shown)

    def paths() -> list[tuple[str, str]]:
        query = {"transport_protocol": "nvme_fc", "fields": "initiator,state"}
        shown = admin.api.get("protocols/san/paths", **query)["records"]
        return [(each["initiator"]["name"], each["state"]) for each in shown]

    eventually(lambda: logins() == initiators)
    eventually(lambda: set(paths()) >= {(loop.name, "connected")})
    assert paths().count((loop.name, "connected")) == 2


def test_growth_is_seen(admin: Administrator, array: Host, namespace: Record, device: str) -> None:
    admin.change(NAMESPACES, namespace, {"space.size": 2 * GIB})
    eventually(lambda: int(array.run(f"blockdev --getsize64 {device}")) == 2 * GIB)
    array.run(f"dd if=/dev/urandom of={device} bs=1M count=4 seek=2044 oflag=direct conv=fsync")


def test_nothing_is_lost_with_a_path_that_comes_back(
    admin: Administrator, array: Host, loop: Loop, interfaces: list[Record], device: str
) -> None:
    workload = Workload(array, "path", device, WRITTEN, BLOCK)
    workload.start()
    workload.wait_until_written(MIB)
    admin.change(INTERFACES, interfaces[1], {"enabled": False})
    eventually(lambda: are_good(loop, device, 1))
    workload.wait_until_written(8 * MIB)
    admin.change(INTERFACES, interfaces[1], {"enabled": True})
    assert workload.wait().read_back == WRITTEN
    workload.reread()
    eventually(lambda: are_good(loop, device, 2))


def test_nothing_is_lost_with_a_cable(array: Host, loop: Loop, device: str) -> None:
    workload = Workload(array, "cable", device, WRITTEN, BLOCK)
    workload.start()
    workload.wait_until_written(MIB)
    loop.lose_sight(loop.pairs[1])
    workload.wait()
    workload.reread()
    assert are_good(loop, device, 1)


def test_acknowledged_writes_are_there_after_a_power_cut(
    machines: Station, loop: Loop, subsystem: Record, namespace: Record, device: str
) -> None:
    array = machines.array
    workload = Workload(array, "cut", device, 256 * MIB, BLOCK, in_order=True)
    workload.start()
    workload.wait_until_written(4 * MIB)
    written = workload.written()
    array.power_off_hard()
    array.boot()
    carry("fio", machines.host(), array)
    admin = Administrator(array.api)
    for name in ETHERNET:
        join(array, name)
    eventually(lambda: len(fc_ports(admin)) == len(ETHERNET))
    loop.plug()
    up = {"state": "up", "data_protocol": "fc_nvme"}
    eventually(lambda: len(admin.api.get(INTERFACES, **up)["records"]) == len(ETHERNET))
    eventually(lambda: places_of(array, subsystem) == len(ETHERNET))
    for each in loop.pairs:
        # nvme-cli gives up where a port takes its time; the kernel goes on.
        with suppress(GuestCommandFailed):
            loop.connect_to(subsystem["target_nqn"], each.address)
    loop.device(namespace["uuid"])
    eventually(lambda: are_good(loop, device, 2))
    assert workload.reread(written).read_back >= 2 * MIB


def places_of(array: Host, subsystem: Record) -> int:
    """Return at how many Fibre Channel ports a subsystem is served.

    A host that asks sooner logs an error. It is served at LIFs, too.
    """
    listed = f"""cd /sys/kernel/config/nvmet/ports
    for port in $(grep -lx fc */addr_trtype); do
        ls -d ${{port%/*}}/subsystems/{subsystem["target_nqn"]}
    done"""
    return len(array.attempt(listed).out.split())
