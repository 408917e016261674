"""The network reaches the services that the LIFs' service policies name, and nothing else."""

from __future__ import annotations

import json
import re
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from lab import patience
from lab.administrator import Administrator, Record
from lab.api import Api
from lab.patience import eventually
from lab.rack import LEASE
from lab.station import Array, Host, Station

LIFS = "network/ip/interfaces"
TAKEN, REFUSED = "taken", "refused"
HTTPS, SSH, ISCSI, NVME, DISCOVERY, ROCE = 443, 22, 3260, 4420, 8009, 4791
SNMP = 161
PORTS = (HTTPS, SSH, ISCSI, NVME, DISCOVERY, 80)
BY_POLICY = {
    "default-data-blocks": {ISCSI, NVME, DISCOVERY},
    "default-data-iscsi": {ISCSI},
    "default-data-nvme-tcp": {NVME, DISCOVERY},
    "default-data-files": set[int](),
    "default-management": {HTTPS, SSH},
}
IPV4, IPV6 = "10.10.1.41", "fd00:10:1::41"
DATA = "10.10.1.1"
"""A LIF for data alone."""
MANAGEMENT = "192.0.2.41"
PROBE = """
probe() {
    # Where nothing answers the kernel gives up after two minutes.
    outcome=$(bash -c ": < /dev/tcp/$1/$2" 2>&1) && outcome=taken
    case $outcome in taken) ;; *refused*) outcome=refused ;; *) outcome="silent: $outcome" ;; esac
    echo "$2 $outcome"
}
"""


def probe(host: Host, address: str) -> dict[int, str]:
    """Return the outcome of a connection of the host to each port of an address."""
    each = "\n".join(f"probe {address} {port} &" for port in PORTS)
    output = host.run(f"{PROBE}{each}\nwait")
    return {
        int(port): outcome for port, outcome in (line.split(" ", 1) for line in output.splitlines())
    }


def taking(ports: set[int]) -> dict[int, str]:
    """Return the outcomes of a probe of an address that takes these ports and refuses all
    others."""
    return {port: TAKEN if port in ports else REFUSED for port in PORTS}


@contextmanager
def lif(api: Api, address: str, port: str, policy: str, svm: str = "svm1") -> Iterator[Record]:
    """Have a LIF, of the array's own without an SVM."""
    body: dict[str, Any] = {"name": "exposed", "service_policy": policy}
    body["ip"] = {"address": address, "netmask": "64" if ":" in address else "24"}
    body |= {"location.home_port.name": port} | ({"svm.name": svm} if svm else {"scope": "cluster"})
    [record] = api.post(LIFS, body, return_records="true")["records"]
    try:
        yield record
    finally:
        api.delete(f"{LIFS}/{record['uuid']}")


@pytest.fixture
def leg(host: Host) -> Iterator[Host]:
    """The host with IPv6, too, and a way to the array's management by the data network."""
    # It answers before its network is up.
    eventually(lambda: "10.10.1.101" in host.run("ip -brief address"))
    host.run(
        f"""set -e
        ip address add fd00:10:1::101/64 dev d1 nodad
        ip route add {MANAGEMENT}/32 via 10.10.1.1 dev d1
        """
    )
    yield host
    host.run(
        f"""set -e
        ip address delete fd00:10:1::101/64 dev d1
        ip route delete {MANAGEMENT}/32
        """
    )


@pytest.fixture
def subsystem(admin: Administrator) -> Iterator[Record]:
    """A subsystem: NVMe is served at the LIFs of an SVM that has one."""
    subsystem = admin.add_subsystem(
        "exposed", {"nqn": "nqn.2014-08.org.nvmexpress:uuid:5a0000ff-0000-4000-8000-000000000000"}
    )
    yield subsystem
    admin.remove("protocols/nvme/subsystems", subsystem, allow_delete_with_hosts="true")


@pytest.mark.usefixtures("subsystem")
@pytest.mark.parametrize("address", [IPV4, IPV6])
def test_a_lif_takes_the_services_of_its_policy_at_once(
    admin: Administrator, leg: Host, address: str
) -> None:
    with lif(admin.api, address, "e0a", "default-management") as record:
        eventually(lambda: leg.attempt(f"ping -c 1 -W 5 {address}").status == 0)
        outcomes = {}
        for policy in BY_POLICY:
            admin.change(LIFS, record, {"service_policy.name": policy})
            outcomes[policy] = probe(leg, address)
        assert outcomes == {policy: taking(ports) for policy, ports in BY_POLICY.items()}


GET_BY_PUBLIC = (
    "303202010104067075626c6963a025020101020100020100301a3018"
    "06142b06010401bf08ce0fce0f859a859c53010102000500"
)
"""A GET of SNMPv2c, as the community `public`, for sanstoneArraySerialNumber.0 of SANSTONE-MIB."""


def answers_by_snmp(host: Host, *addresses: str) -> dict[str, str]:
    """Return the answers of addresses to a host that asks them by SNMP, one after the other.

    It waits for the last one, and not for ever: earlier ones have been answered by then.
    """
    output = host.run(
        f"""python3 - << 'end'
import json, socket
replies = {{}}
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
    asking.settimeout(10)
    for address in {addresses}:
        asking.sendto(bytes.fromhex("{GET_BY_PUBLIC}"), (address, {SNMP}))
    try:
        while address not in replies:
            answer, (sender, _) = asking.recvfrom(2000)
            replies[sender] = answer.decode("latin-1")
    except TimeoutError:
        pass
print(json.dumps(replies))
end"""
    )
    return dict(json.loads(output))


def test_snmp_is_answered_at_management_once_it_is_enabled(
    admin: Administrator, array: Array, leg: Host
) -> None:
    api = admin.api
    serial = api.get("cluster", fields="serial_number")["serial_number"]
    answers: dict[str, str] = {}

    def is_answered() -> bool:
        answers.update(answers_by_snmp(leg, DATA, IPV4))
        return serial in answers.get(IPV4, "")

    with lif(api, IPV4, "e0a", "default-management"):
        assert SNMP not in {port for _, port in listening(array, "udp")}
        [user] = api.post("support/snmp/users", {"name": "public"}, return_records="true")[
            "records"
        ]
        api.patch("support/snmp", {"enabled": True})
        eventually(is_answered)
        assert DATA not in answers
        api.patch("support/snmp", {"enabled": False})
        api.delete(f"support/snmp/users/{user['engine_id']}/public")
        eventually(lambda: SNMP not in {port for _, port in listening(array, "udp")})


@pytest.mark.usefixtures("admin")
def test_management_is_out_of_reach_by_the_data_network(api: Api, leg: Host) -> None:
    with lif(api, MANAGEMENT, "e0M", "default-management", svm=""):
        assert probe(leg, MANAGEMENT) == taking(set())


@pytest.mark.usefixtures("admin")
def test_a_target_is_out_of_reach_by_another_data_port(leg: Host) -> None:
    leg.run("ip route add 10.10.2.1/32 via 10.10.1.1 dev d1")
    assert probe(leg, "10.10.2.1") == taking(set())
    leg.run("ip route delete 10.10.2.1/32 via 10.10.1.1 dev d1")


def speaks_nvme(place: tuple[str, int]) -> bool:
    """Return whether an NVMe/TCP target answers at an address and a port.

    The first exchange: ICReq and ICResp (NVM Express TCP Transport Specification 1.0, 3.6.2).
    """
    try:
        with socket.create_connection(place, patience.SECONDS) as connection:
            connection.sendall(struct.pack("<BBBBL120x", 0, 0, 128, 0, 128))
            return connection.recv(1) == b"\1"
    except OSError:
        return False


def closes(port: int) -> bool:
    """Return whether a forwarded connection ends at once, as one does that the array refuses."""
    with socket.create_connection(("127.0.0.1", port), patience.SECONDS) as connection:
        try:
            return connection.recv(1) == b""
        except ConnectionError:
            return True


@pytest.mark.usefixtures("admin")
def test_targets_are_no_part_of_the_management_port(station: Station) -> None:
    assert closes(station.rack.ports["iscsi"])
    assert closes(station.rack.ports["nvme"])


@pytest.mark.usefixtures("subsystem")
def test_a_data_lif_may_share_the_management_ports_address(
    array: Array, api: Api, station: Station
) -> None:
    """The way to targets from outside of the lab; management stays there, after a boot too."""
    with station.rack.leased() as services, lif(api, LEASE, "e0M", "default-data-blocks"):
        eventually(lambda: speaks_nvme(services["nvme"]))
        array.power_off_hard()
        array.boot()
        eventually(lambda: speaks_nvme(services["nvme"]))
        with socket.create_connection(services["https"], patience.SECONDS):
            assert array.api.get("cluster")["name"]


@pytest.mark.usefixtures("subsystem")
def test_connections_of_hosts_are_not_tracked(array: Array, host: Host) -> None:
    """Only those of discovery at its own port are; a full table would take packets of I/O along."""
    tracked = "cat /proc/sys/net/netfilter/nf_conntrack_count"
    log = "nvme discover --transport tcp --traddr 10.10.1.2 --trsvcid"
    host.run(f"{log} {NVME}")
    before = int(array.run(tracked))
    for _ in range(5):
        host.run(f"{log} {NVME}")
    assert int(array.run(tracked)) <= before
    host.run(f"{log} {DISCOVERY}")
    assert int(array.run(tracked)) > 0


@pytest.mark.usefixtures("admin")
def test_without_a_reconciler_all_stays_and_a_boot_begins_closed(array: Array, leg: Host) -> None:
    array.run("systemctl stop sanstone-reconciler")
    assert probe(leg, "10.10.1.1") == taking({ISCSI})
    array.run("systemctl restart sanstone-firewall")
    assert probe(leg, "10.10.1.1") == taking(set())
    assert array.api.get("cluster")["name"]
    array.run("systemctl start sanstone-reconciler")
    assert probe(leg, "10.10.1.1") == taking({ISCSI})


@pytest.mark.usefixtures("admin")
def test_changes_of_the_firewall_by_hand_are_undone(array: Array, leg: Host) -> None:
    chain = "chain inet sanstone_firewall arriving"
    array.run(f"nft flush {chain}")
    # To look is less work than to probe, and it may take minutes.
    eventually(lambda: "dport" in array.run(f"nft list {chain}"))
    eventually(lambda: probe(leg, "10.10.1.1") == taking({ISCSI}))


SILENT = """
import errno, resource, signal, socket
resource.setrlimit(resource.RLIMIT_NOFILE, (9000, 9000))
held = []
for _ in range(8000):
    held.append(socket.socket())
    held[-1].setblocking(False)
    assert held[-1].connect_ex(("{address}", 443)) == errno.EINPROGRESS
signal.pause()
"""


def test_silent_connections_of_one_source_leave_room_for_others(
    admin: Administrator, array: Array, leg: Host
) -> None:
    """Those of a client that never sends a request; nginx has room for 4096 (nginx.conf)."""
    there = "ss --no-header --tcp --numeric state established sport = :443 dst 10.10.1.101 | wc -l"
    with lif(admin.api, IPV4, "e0a", "default-management"):
        leg.run(f"cat > silent.py << 'end'\n{SILENT.format(address=IPV4)}\nend")
        leg.run("systemd-run --unit silent --property LimitNOFILE=9000 python3 $PWD/silent.py")
        eventually(lambda: int(array.run(there)) >= 400)
        counts = [int(array.run(there)) for _ in range(30)]
        assert array.api.get("cluster")["name"]
        leg.run("systemctl stop silent")
    assert max(counts) <= 2400, "the limit of the firewall, below the number of the host's attempts"


def test_the_firewall_is_there_before_the_network(array: Array) -> None:
    order = array.run("systemctl show --property After systemd-networkd").split("=")[1].split()
    before = array.run("systemctl show --property Before sanstone-firewall").split("=")[1].split()
    assert "network-pre.target" in order
    assert {"network-pre.target", "sanstone-reconciler.service"} <= set(before)
    assert array.run("systemctl is-active sanstone-firewall").strip() == "active"


@pytest.mark.usefixtures("subsystem")
def test_only_configured_services_listen(array: Array, api: Api) -> None:
    records = api.get(LIFS, fields="ip.address,services")["records"]
    expected = {("*", HTTPS), ("*", SSH)}
    for each in records:
        services = {"data_iscsi": ISCSI, "data_nvme_tcp": NVME}
        address = each["ip"]["address"]
        expected |= {(address, services[name]) for name in each["services"] if name in services}
    assert set(listening(array, "tcp")) == expected
    open_udp = set(listening(array, "udp"))
    # Soft-RoCE listens once it is in the kernel, and the lab's has it built in. The firewall
    # lets hosts in at LIFs that serve RDMA alone.
    allowed = {68, 546, 5353, ROCE}
    assert {port for _, port in open_udp} <= allowed, "DHCP's clients, multicast DNS and RoCE only"
    assert {address for address, port in open_udp if port == 5353} <= {"224.0.0.251"}, (
        "at its group"
    )


def listening(array: Array, protocol: str) -> list[tuple[str, int]]:
    """Return addresses and ports at which the array listens, `*` for any address."""
    output = array.run(f"ss --no-header --listening --{protocol} --numeric").splitlines()
    places = [re.fullmatch(r"\[?([^\]%]+)\]?(?:%\w+)?:(\d+)", line.split()[3]) for line in output]
    assert all(places), output
    every = ("0.0.0.0", "::", "*")
    return [("*" if p[1] in every else p[1], int(p[2])) for p in places if p]


KERNEL = {
    "kernel.kptr_restrict": 2,
    "kernel.dmesg_restrict": 1,
    "kernel.yama.ptrace_scope": 2,
    "kernel.perf_event_paranoid": 3,
    "kernel.unprivileged_bpf_disabled": 1,
    "kernel.io_uring_disabled": 2,
    "kernel.sysrq": 0,
    "fs.protected_symlinks": 1,
    "fs.protected_hardlinks": 1,
    "fs.protected_fifos": 2,
    "fs.protected_regular": 2,
    "fs.suid_dumpable": 0,
    "dev.tty.legacy_tiocsti": 0,
    "dev.tty.ldisc_autoload": 0,
    "net.ipv4.tcp_rfc1337": 1,
}
EACH_PORT = {
    "ipv4": {"accept_redirects": 0, "send_redirects": 0, "accept_source_route": 0},
    "ipv6": {"accept_redirects": 0, "accept_ra": 0},
}


@pytest.mark.qemu
def test_the_kernel_has_the_settings_of_the_image(array: Array) -> None:
    """On each port, too, that came after the settings were read."""
    expected = {name.replace(".", "/"): str(value) for name, value in KERNEL.items()}
    for family, values in EACH_PORT.items():
        for port in ("e0M", "e0a", "e0b"):
            for name, value in values.items():
                expected[f"net/{family}/conf/{port}/{name}"] = str(value)
    output = array.run(f"cd /proc/sys && grep -H . {' '.join(expected)}").splitlines()
    assert dict(line.split(":", 1) for line in output) == expected
