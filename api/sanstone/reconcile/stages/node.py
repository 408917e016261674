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
from sanstone.reconcile.state import Pass
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


def reconcile(this: Pass) -> None:
    """Give the machine the array's name and servers; see what memory it has left."""
    cluster = this.session.scalars(select(Cluster)).one()
    with this.attempt(cluster.owner):
        _name(this, as_declared(NAME, cluster.name))
    with this.attempt(cluster.owner):
        _tell(this, NAMES, _resolver_settings(cluster))
    servers = this.session.scalars(select(NtpServer).order_by(NtpServer.server)).all()
    with this.attempt(_TIME_OWNER):
        names = as_declared(SERVERS, [row.server for row in servers])
        _tell(this, TIME, "".join(f"server {name} iburst\n" for name in names))
    for row in servers:
        this.block(row.owner, _TIME_OWNER)
    _observe(this, cluster)


def _name(this: Pass, name: str) -> None:
    """Give the machine a name, which its log and the prompts of root's shells show."""
    if this.host.files.read(_HOST_NAME).strip() != name:
        this.host.files.write(_HOST_NAME, name)
        this.did(f"host name {name}")


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


def _tell(this: Pass, path: str, text: str) -> None:
    """Have a file of this text, or none for ''."""
    files = this.host.files
    there = files.exists(path)
    if text and not (there and files.read(path) == text.removesuffix("\n")):
        files.replace(path, text)
        this.did(f"{path}: {' '.join(text.splitlines())}")
    elif there and not text:
        files.unlink(path)
        this.did(f"{path}: removed")


def _observe(this: Pass, cluster: Cluster) -> None:
    """Read what memory is left; on full passes the rest too, hardly any of which ever moves."""
    facts = this.known(KIND).get(cluster.node_uuid, {})
    this.seen[KIND] = {cluster.node_uuid: facts}
    meminfo = _meminfo(this)
    left = meminfo["MemAvailable"] // _STEP * _STEP
    short = node_memory.is_short(left, facts.get("memory_short", False))
    facts |= {"memory_available": left, "memory_short": short}
    if short:
        text = (
            "The node is short of memory: new LUNs, namespaces and maps are refused. Delete those "
            "that nobody uses, or give the machine more memory."
        )
        this.conditions["node.memory"] = (events.ALERT, "node.memory.low", text)
    if this.full:
        facts |= {
            "uptime": int(float(this.host.files.read("/proc/uptime").split()[0])),
            "memory": meminfo["MemTotal"],
            "cpus": this.host.files.read("/proc/cpuinfo").count("processor\t:"),
            "kernel": this.host.files.read("/proc/sys/kernel/osrelease"),
            "model": _identity(this, "product_name"),
            "serial": _identity(this, "product_serial"),
        }


def _meminfo(this: Pass) -> dict[str, int]:
    """Return the kernel's figures about memory in bytes (proc_meminfo(5))."""
    lines = this.host.files.read("/proc/meminfo").splitlines()
    figures = (line.split(":", 1) for line in lines)
    return {name: int(text.split()[0]) * 1024 for name, text in figures}


def _identity(this: Pass, name: str) -> str:
    """Return a line of the machine's DMI table, '' where there is none."""
    path = f"/sys/class/dmi/id/{name}"
    try:
        return this.host.files.read(path).strip() if this.host.files.exists(path) else ""
    except FileError as error:
        # Serial numbers are readable by root alone; a confined reconciler goes without.
        return f"unreadable: {error}"
