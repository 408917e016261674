"""Discovery by multicast DNS: what a host hears on each of its networks."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator

import pytest

from lab.administrator import Administrator, Record
from lab.patience import eventually
from lab.station import Array, Host

LIFS, SERVICES = "network/ip/interfaces", "protocols/nvme/services"
LEGS = {"10.10.1.101": "10.10.1.2", "10.10.2.101": "10.10.2.2"}
"""By the host's address in each network: the LIF that serves NVMe there."""
GROUP, TYPE = "224.0.0.251", "_nvme-disc._tcp.local"
A, PTR, TXT, SRV = 1, 12, 16, 33
NQN = "nqn.2014-08.org.nvmexpress.discovery"
# Asks thrice, as a question may be lost, and prints what comes, each with its sender.
ASK = """
import json, socket, struct, sys, time
leg, name = sys.argv[1:]
asked = struct.pack("!6H", 0, 0, 1, 0, 0, 0)
asked += b"".join(bytes([len(label)]) + label for label in name.encode().split(b"."))
asked += struct.pack("!BHH", 0, 12, 1)
own, group = socket.inet_aton(leg), socket.inet_aton("224.0.0.251")
ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.bind(("224.0.0.251", 5353))
ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group + own)
ear.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
ear.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
heard = []
for _ in range(3):
    ear.sendto(asked, ("224.0.0.251", 5353))
    end = time.monotonic() + 2
    while (left := end - time.monotonic()) > 0:
        ear.settimeout(left)
        try:
            message, sender = ear.recvfrom(9000)
            heard.append((sender[0], message.hex()))
        except TimeoutError:
            break
print(json.dumps(heard))
"""


def name_at(message: bytes, place: int) -> tuple[str, int]:
    """Return the name at a place of a message, and the place after it."""
    labels = []
    while size := message[place]:
        assert size < 64, "the array does not compress"
        labels.append(message[place + 1 : place + 1 + size].decode())
        place += 1 + size
    return ".".join(labels), place + 1


def records(message: bytes) -> Iterator[tuple[str, int, str]]:
    """Yield name, type and content of each record of an answer that is not taken back."""
    _, flags, questions, *counts = struct.unpack_from("!6H", message)
    assert (flags & 0x8000, questions) == (0x8000, 0)
    place = 12
    for _ in range(sum(counts)):
        name, place = name_at(message, place)
        kind, _, ttl, length = struct.unpack_from("!HHIH", message, place)
        place += 10
        data = message[place : place + length]
        content = data.hex()
        if kind == PTR:
            content, _ = name_at(message, place)
        elif kind == SRV:
            port = int.from_bytes(data[4:6], "big")
            content = f"{name_at(message, place + 6)[0]} {port}"
        elif kind == TXT:
            content = name_at(data + b"\0", 0)[0]
        elif kind == A:
            content = socket.inet_ntoa(data)
        if ttl:
            yield name, kind, content
        place += length


def heard(host: Host, leg: str) -> set[tuple[str, str, str, str]]:
    """Return what a host finds on a network: sender, text, port and address of each service."""
    host.run(f"cat > ask.py << 'end'\n{ASK}\nend")
    found = set()
    for sender, message in json.loads(host.run(f"python3 ask.py {leg} {TYPE}")):
        every = list(records(bytes.fromhex(message)))
        told = {(name, kind): content for name, kind, content in every}
        for service in (c for name, kind, c in every if (name, kind) == (TYPE, PTR)):
            target, port = told[service, SRV].split(" ")
            found.add((sender, told[service, TXT], port, told[target, A]))
    return found


def announced(*addresses: str) -> set[tuple[str, str, str, str]]:
    """Return what is heard where these LIFs are announced."""
    return {(each, f"p=tcp.nqn={NQN}", "8009", each) for each in addresses}


def listens(array: Array) -> set[str]:
    """Return the links at whose group the array listens."""
    told = json.loads(array.run("ip -json -4 maddress show"))
    return {
        each["ifname"]
        for each in told
        if GROUP in [member.get("address") for member in each["maddr"]]
    }


@pytest.fixture
def service(admin: Administrator) -> Record:
    """The NVMe service of the SVM."""
    [found] = admin.api.get(SERVICES, **{"svm.name": admin.svm})["records"]
    return dict(found["svm"])


@pytest.mark.usefixtures("namespace")
@pytest.mark.parametrize("leg", LEGS)
def test_a_host_finds_the_lif_of_each_network(host: Host, leg: str) -> None:
    eventually(lambda: heard(host, leg) == announced(LEGS[leg]))


@pytest.mark.usefixtures("namespace")
def test_it_answers_at_these_links_alone_and_without_privilege(array: Array) -> None:
    eventually(lambda: listens(array) == {"e0a", "e0b"})
    status = "cat /proc/$(systemctl show --value --property MainPID sanstone-announcer)/status"
    told = dict(line.split(":\t", 1) for line in array.run(status).splitlines())
    assert "0" not in told["Uid"].split()
    assert [int(told[name], 16) for name in ("CapEff", "CapPrm", "CapBnd")] == [0, 0, 0]


@pytest.mark.usefixtures("namespace")
def test_a_lif_is_announced_as_long_as_it_is_there(
    admin: Administrator, array: Array, host: Host
) -> None:
    leg, own = "10.10.1.101", "10.10.1.2"
    lif = admin.add_lif("found", "e0c", "10.10.1.9", "default-data-nvme-tcp")
    try:
        eventually(lambda: heard(host, leg) == announced(own, "10.10.1.9"))
    finally:
        admin.remove(LIFS, lif)
    eventually(lambda: heard(host, leg) == announced(own))
    assert listens(array) == {"e0a", "e0b"}


@pytest.mark.usefixtures("namespace")
def test_it_can_be_switched_off(
    admin: Administrator, array: Array, host: Host, service: Record
) -> None:
    admin.change(SERVICES, service, {"mdns_service_discovery_enabled": False})
    try:
        eventually(lambda: listens(array) == set())
        assert heard(host, "10.10.1.101") == set()
        assert array.attempt("systemctl is-active sanstone-announcer").out.strip() == "inactive"
    finally:
        admin.change(SERVICES, service, {"mdns_service_discovery_enabled": True})
    eventually(lambda: heard(host, "10.10.1.101") == announced("10.10.1.2"))
