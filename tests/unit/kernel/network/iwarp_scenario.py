"""One scenario of soft-iWARP for every form of `host.Host`: its lines must be the same on all.

It is apart from the network scenario because Debian's kernel has no siw. It takes an Ethernet port
that nothing uses, and yields a line for each outcome; `iwarp_scenario.txt` holds the lines that it
must print. On a machine it is a program: `python3 iwarp_scenario.py LINK`, as root, with `sanstone`
on the path. It leaves everything as it was.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterator
from functools import partial

from sanstone.kernel.host import CommandError, FileError, Host, Vlan
from sanstone.kernel.network import rdma
from sanstone.kernel.network.rdma import IWARP, PREFIXES

ADDRESS, VLAN = "192.0.2.1", "scenario7"
NVMET = "/sys/kernel/config/nvmet"
SUBSYSTEM, OVER_RDMA, OVER_TCP = "scenario", "65001", "65002"


def answer(call: Callable[[], object]) -> str:
    """Return the name of the error with which a call is refused, "done" for none."""
    try:
        call()
    except FileError as error:
        return errno.errorcode[error.errno]
    except CommandError:
        return "CommandError"
    return "done"


def run(host: Host, link: str) -> Iterator[str]:
    """Go through the scenario."""
    host.network.make_vlan(VLAN, Vlan(link, 7))
    for name in (link, VLAN):
        host.network.set_link(name, up=True)
    host.network.add_address(link, ADDRESS, 24)
    yield from devices(host, link)
    yield from ports(host)
    for device in (link, VLAN):
        yield f"removed: {_rdma(host, 'delete', PREFIXES[IWARP] + device)}"
    yield f"left: {sum(each.kind == IWARP for each in rdma.ports(host))}"
    host.network.delete_link(VLAN)
    host.network.remove_address(link, ADDRESS, 24)
    host.network.set_link(link, up=False)


def devices(host: Host, link: str) -> Iterator[str]:
    """Do iWARP at a port and at a VLAN."""
    for what, name, place in (
        ("at a port", PREFIXES[IWARP] + link, link),
        ("again", PREFIXES[IWARP] + link, link),
        ("another one there", "scenario_iwarp", link),
        ("at a VLAN", PREFIXES[IWARP] + VLAN, VLAN),
        ("at no port", "scenario_iwarp", "none"),
    ):
        yield f"{what}: {_rdma(host, 'add', name, 'type', 'siw', 'netdev', place)}"
    by_link = {port.link: port for port in rdma.ports(host) if port.kind == IWARP}
    yield f"found: {[(by_link[name].is_ours, by_link[name].is_soft) for name in (link, VLAN)]}"
    for name in (link, VLAN):
        carries = rdma.carries(host, by_link[link], name, ADDRESS, patiently=False)
        yield f"addresses of {'the port' if name == link else 'a VLAN on it'}: {carries}"
    yield f"named after its hardware: {rdma.gid(host, by_link[link])[14:] == ':0000' * 5}"


def ports(host: Host) -> Iterator[str]:
    """Serve NVMe over it, and over TCP at the same port."""
    subsystem = f"{NVMET}/subsystems/{SUBSYSTEM}"
    host.files.mkdir(subsystem)
    for number, transport in ((OVER_RDMA, "rdma"), (OVER_TCP, "tcp")):
        port = f"{NVMET}/ports/{number}"
        host.files.mkdir(port)
        facts = {"trtype": transport, "adrfam": "ipv4", "traddr": ADDRESS, "trsvcid": "4420"}
        for name, value in facts.items():
            host.files.write(f"{port}/addr_{name}", value)
        link = partial(host.files.symlink, subsystem, f"{port}/subsystems/{SUBSYSTEM}")
        yield f"{transport}: {answer(link)}"
    host.files.unlink(f"{NVMET}/ports/{OVER_RDMA}/subsystems/{SUBSYSTEM}")
    there = f"{NVMET}/ports/{OVER_TCP}/subsystems/{SUBSYSTEM}"
    yield f"tcp alone: {answer(lambda: host.files.symlink(subsystem, there))}"
    host.files.unlink(there)
    for path in (f"{NVMET}/ports/{OVER_RDMA}", f"{NVMET}/ports/{OVER_TCP}", subsystem):
        host.files.rmdir(path)


def _rdma(host: Host, *words: str) -> str:
    return answer(lambda: host.commands.run(["rdma", "link", *words]))


if __name__ == "__main__":
    from sanstone.kernel.real import real_host

    for line in run(real_host(), sys.argv[1]):
        print(line, flush=True)
