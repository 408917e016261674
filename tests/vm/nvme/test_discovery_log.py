"""Discovery: each portal lists all, and hosts that stay connected to it learn of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from lab.administrator import Administrator
from lab.initiator import Nvme
from lab.patience import eventually
from lab.station import Host

LIFS, SUBSYSTEMS = "network/ip/interfaces", "protocols/nvme/subsystems"
PORTALS = ("10.10.1.2", "10.10.2.2")
SUBSYSTEM, REFERRAL = "nvme subsystem", "discovery subsystem referral"
# The event that the discovery log has changed, as the kernel reports it (nvme_aen_uevent).
CHANGED = "NVME_AEN=0x70f002"
WATCH = "udevadm monitor --kernel --property --subsystem-match=nvme"


ONE_SOURCE = """
import socket, sys
connections = []
for port in (8009, 4420):
    connections.append(socket.socket())
    connections[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    connections[-1].bind(("", 50000))
    connections[-1].settimeout(60)
    connections[-1].connect((sys.argv[1], port))
# ICReq and the first byte of ICResp (NVMe/TCP Transport Specification, 3.6.2.2).
for connection in connections:
    connection.sendall(bytes([0, 0, 128, 0, 128, 0, 0, 0]).ljust(128, bytes(1)))
    assert connection.recv(1) == bytes([1])
"""


class Watched:
    """A discovery controller that stays, and its events."""

    def __init__(self, host: Host, device: str) -> None:
        self._host, self._device = host, device
        self._seen = 0

    def log(self) -> str:
        """Return the discovery log; to read it allows the next event."""
        read = f"nvme get-log /dev/{self._device} --log-id 0x70 --log-len 8192 --raw-binary"
        return self._host.run(f"{read} | tr -c '[:print:]' '\\n'")

    def learns(self, change: Callable[[], object], then: Callable[[str], bool]) -> None:
        """Have something changed: an event comes, and the log is as it is to be."""
        self.log()
        self._seen = self._events()
        change()
        eventually(lambda: self._events() > self._seen)
        eventually(lambda: then(self.log()))

    def _events(self) -> int:
        return int(self._host.run(f"grep -c {CHANGED} /run/events || test $? = 1"))


def entries(nvme: Nvme, portal: str, port: str) -> set[tuple[str, str, str]]:
    """Return kind, address and port of a portal's entries besides its own discovery."""
    records = nvme.discover(portal, port)
    places = {(each["subtype"], each["traddr"], each["trsvcid"]) for each in records}
    return {each for each in places if each[0] in (SUBSYSTEM, REFERRAL)}


@pytest.fixture
def watched(nvme: Nvme, host: Host) -> Iterator[Watched]:
    """A discovery controller that stays at the first portal."""
    host.run("rm -f /run/events; touch /run/events")
    host.run(f"systemd-run --unit watch --property StandardOutput=file:/run/events {WATCH}")
    place = f"--transport tcp --traddr {PORTALS[0]} --trsvcid 8009"
    host.run(f"nvme discover --persistent {place} > /dev/null")
    [device] = host.run("cd /sys/class/nvme && grep -l discovery */cntrltype").split()
    yield Watched(host, device.partition("/")[0])
    host.run("systemctl stop watch")
    nvme.disconnect()


def controllers(host: Host, attribute: str, value: str) -> set[str]:
    """Return the host's controllers where an attribute matches a regular expression."""
    # One that goes meanwhile cannot be read, which does no harm.
    find = f"grep -slxE '{value}' /sys/class/nvme/*/{attribute} || test $? -le 2"
    return {path.rpartition("/")[0] for path in host.run(find).split()}


def goes_to(host: Host, address: str) -> bool:
    """Return whether the host has a connection to a subsystem at an address."""
    there = controllers(host, "address", rf"(.*,)?traddr={address},.*")
    return bool(there & controllers(host, "cntrltype", "io"))


def ways_to(host: Host, nqn: str) -> int:
    """Return how many controllers of a subsystem the host has, also of those that reconnect."""
    return len(controllers(host, "subsysnqn", nqn))


def rests(host: Host) -> bool:
    """Return whether all commands that the host's rules start on changes have ended."""
    return host.attempt("pgrep -x nvme").status == 1


@pytest.mark.usefixtures("namespace")
@pytest.mark.parametrize("port", ["4420", "8009"])
@pytest.mark.parametrize("portal", PORTALS)
def test_each_portal_lists_every_path(nvme: Nvme, portal: str, port: str) -> None:
    [other] = {*PORTALS} - {portal}
    # No host has to follow a referral, which some do without end.
    assert entries(nvme, portal, port) == {(SUBSYSTEM, each, "4420") for each in (portal, other)}


@pytest.mark.usefixtures("namespace")
def test_a_host_has_one_source_port_for_discovery_and_io(host: Host) -> None:
    host.run(f"python3 -c '{ONE_SOURCE}' {PORTALS[0]}")


@pytest.mark.usefixtures("namespace")
def test_a_host_that_stays_learns_of_lifs_that_come_and_go(
    admin: Administrator, host: Host, watched: Watched
) -> None:
    address = "10.10.1.3"
    watched.learns(
        lambda: admin.add_lif("nvme_3", "e0c", address, "default-data-nvme-tcp"),
        lambda log: address in log.splitlines(),
    )
    # By the time that a host hears of it, it is let in: its own rule goes there once.
    eventually(lambda: goes_to(host, address))
    eventually(lambda: rests(host))
    [lif] = admin.api.get(LIFS, name="nvme_3")["records"]
    watched.learns(lambda: admin.remove(LIFS, lif), lambda log: address not in log.splitlines())
    eventually(lambda: rests(host))


@pytest.mark.usefixtures("namespace")
def test_a_host_that_stays_learns_of_subsystems_it_may_use(
    admin: Administrator, host: Host, nvme: Nvme, watched: Watched
) -> None:
    name = "later"
    watched.learns(
        lambda: admin.add_subsystem(name, {"nqn": nvme.name}),
        lambda log: f":subsystem.{name}" in log,
    )
    [subsystem] = admin.api.get(SUBSYSTEMS, name=name, fields="target_nqn")["records"]
    nqn = subsystem["target_nqn"]
    eventually(lambda: ways_to(host, nqn) == len(PORTALS))
    eventually(lambda: rests(host))
    hosts = f"{SUBSYSTEMS}/{subsystem['uuid']}/hosts"
    watched.learns(
        lambda: admin.api.delete(f"{hosts}/{nvme.name}"),
        lambda log: f":subsystem.{name}" not in log,
    )
    # It is cut off, connects again after its usual 10 s, is refused and gives up.
    eventually(lambda: ways_to(host, nqn) == 0)
    watched.learns(
        lambda: admin.api.post(hosts, {"nqn": nvme.name}),
        lambda log: f":subsystem.{name}" in log,
    )
    eventually(lambda: ways_to(host, nqn) == len(PORTALS))
    eventually(lambda: rests(host))
    # It would look for the subsystem again, too, and not find it.
    host.run(f"nvme disconnect --nqn {nqn}")
    watched.learns(
        lambda: admin.remove(SUBSYSTEMS, subsystem, allow_delete_with_hosts="true"),
        lambda log: f":subsystem.{name}" not in log,
    )
    eventually(lambda: rests(host))
