"""The machine itself: its host name, whom it asks for names and the time, what is left of memory.

Servers are told to chrony and systemd-resolved by files in /run, which they read when they start;
when a file changes, systemd has them read it again (time-servers.path, name-servers.path). A file
without anything to tell is not there. Folders for them are made at boot (tmpfiles.d/sanstone.conf),
and where neither program is installed nobody reads them.
"""

from __future__ import annotations

from sqlalchemy import select

from sanstone.core import events
from sanstone.core.types import MIB
from sanstone.kernel.host import FileError
from sanstone.model.cluster import Cluster, NtpServer
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.turn import Turn
from sanstone.resources.cluster import node_memory
from sanstone.resources.cluster.cluster import DOMAINS, NAME, NAME_SERVERS
from sanstone.resources.cluster.ntp_server import SERVERS

KIND = "cluster/nodes"
_HOST_NAME = "/proc/sys/kernel/hostname"
_TIME_OWNER = f"{NtpServer.kind}:"
NAMES = "/run/systemd/resolved.conf.d/sanstone-names.conf"
"""Has a name of its own, since it would hide one of the same in /usr/lib (resolved.conf(5))."""
TIME = "/run/time-servers/array.sources"
"""In chrony's `sourcedir`; while it is there, DHCP's servers are not (time-servers)."""
_STEP = 16 * MIB
"""What is left is told in such steps, since it always moves and each change is a write."""


def reconcile(turn: Turn) -> None:
    """Give the machine the array's name and servers, and see what it is."""
    cluster = turn.session.scalars(select(Cluster)).one()
    with turn.attempt(cluster.owner):
        _name(turn, as_declared(NAME, cluster.name))
    with turn.attempt(cluster.owner):
        _tell(turn, NAMES, _resolver_settings(cluster))
    servers = turn.session.scalars(select(NtpServer).order_by(NtpServer.server)).all()
    with turn.attempt(_TIME_OWNER):
        names = as_declared(SERVERS, [row.server for row in servers])
        _tell(turn, TIME, "".join(f"server {name} iburst\n" for name in names))
    for row in servers:
        turn.block(row.owner, _TIME_OWNER)
    if turn.thorough:
        _observe(turn, cluster)


def _name(turn: Turn, name: str) -> None:
    """Give the machine a name, which its log and the prompts of root's shells show."""
    if turn.host.files.read(_HOST_NAME).strip() != name:
        turn.host.files.write(_HOST_NAME, name)
        turn.did(f"host name {name}")


def _resolver_settings(cluster: Cluster) -> str:
    """Return what systemd-resolved shall know, '' for nothing. Raises HostError.

    The C library asks servers of ours before those of DHCP, which resolved lists after them;
    resolved itself would ask both at once, but for `~.`, by which ours are those for all domains
    (systemd-resolved.service(8), "Protocols and Routing").
    """
    lines = []
    servers = as_declared(NAME_SERVERS, cluster.name_servers)
    domains = as_declared(DOMAINS, cluster.dns_domains)
    if servers:
        lines.append(f"DNS={' '.join(servers)}")
    if domains := [*domains, *(["~."] if servers else [])]:
        lines.append(f"Domains={' '.join(domains)}")
    return "".join(f"{line}\n" for line in ["[Resolve]", *lines]) if lines else ""


def _tell(turn: Turn, path: str, text: str) -> None:
    """Have a file of this text, or none for ''."""
    files = turn.host.files
    there = files.exists(path)
    if text and not (there and files.read(path) == text.removesuffix("\n")):
        files.replace(path, text)
        turn.did(f"{path}: {' '.join(text.splitlines())}")
    elif there and not text:
        files.unlink(path)
        turn.did(f"{path}: removed")


def observe_memory(turn: Turn) -> None:
    """See what memory is left: each LUN and namespace takes some, so each turn looks."""
    turn.judge()
    cluster = turn.session.scalars(select(Cluster)).one()
    facts = turn.observation(KIND, cluster.node_uuid)
    left = _meminfo(turn)["MemAvailable"] // _STEP * _STEP
    short = node_memory.is_short(left, facts.get("memory_short", False))
    facts |= {"memory_available": left, "memory_short": short}
    if short:
        text = (
            "The node is short of memory: new LUNs, namespaces and maps are refused. Delete those "
            "that nobody uses, or give the machine more memory."
        )
        turn.conditions["node.memory"] = (events.ALERT, "node.memory.low", text)


def _observe(turn: Turn, cluster: Cluster) -> None:
    """Read what hardly ever moves."""
    facts = turn.observation(KIND, cluster.node_uuid)
    facts |= {
        "uptime": int(float(turn.host.files.read("/proc/uptime").split()[0])),
        "memory": _meminfo(turn)["MemTotal"],
        "cpus": turn.host.files.read("/proc/cpuinfo").count("processor\t:"),
        "kernel": turn.host.files.read("/proc/sys/kernel/osrelease"),
        "model": _identity(turn, "product_name"),
        "serial": _identity(turn, "product_serial"),
    }


def _meminfo(turn: Turn) -> dict[str, int]:
    """Return the kernel's figures about memory in bytes (proc_meminfo(5))."""
    lines = turn.host.files.read("/proc/meminfo").splitlines()
    figures = (line.split(":", 1) for line in lines)
    return {name: int(text.split()[0]) * 1024 for name, text in figures}


def _identity(turn: Turn, name: str) -> str:
    """Return a line of the machine's DMI table, '' where there is none."""
    path = f"/sys/class/dmi/id/{name}"
    try:
        return turn.host.files.read(path).strip() if turn.host.files.exists(path) else ""
    except FileError as error:
        # Serial numbers are readable by root alone; a confined reconciler goes without.
        return f"unreadable: {error}"
