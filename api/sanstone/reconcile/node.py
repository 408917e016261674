"""The machine itself: its host name, what `cluster/nodes` shows, whether it has memory left."""

from __future__ import annotations

from sqlalchemy import select

from sanstone.core import events
from sanstone.core.types import MIB
from sanstone.kernel.host import FileError
from sanstone.reconcile.state import Pass
from sanstone.resources import node_memory
from sanstone.resources.cluster import Cluster

KIND = "cluster/nodes"
_HOST_NAME = "/proc/sys/kernel/hostname"
_STEP = 16 * MIB
"""What is left is told in such steps, since it always moves and each change is a write."""


def reconcile(this: Pass) -> None:
    """Give the machine the array's name, which its log and the prompts of root's shells show."""
    cluster = this.session.scalars(select(Cluster)).one()
    with this.attempt(f"cluster:{cluster.uuid}"):
        if this.host.files.read(_HOST_NAME).strip() != cluster.name:
            this.host.files.write(_HOST_NAME, cluster.name)
            this.did(f"host name {cluster.name}")
    _observe(this, cluster)


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
