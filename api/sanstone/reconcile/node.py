"""The machine itself, as `cluster/nodes` shows it."""

from __future__ import annotations

from sqlalchemy import select

from sanstone.kernel.host import FileError
from sanstone.reconcile.state import Pass
from sanstone.resources.cluster import Cluster

KIND = "cluster/nodes"


def observe(this: Pass) -> None:
    """Read what the machine is and how long it runs; on full passes, as hardly any of it moves."""
    if not this.full:
        return
    cluster = this.session.scalars(select(Cluster)).one()
    files = this.host.files
    meminfo = dict(line.split(":", 1) for line in files.read("/proc/meminfo").splitlines())
    this.seen[KIND] = {
        cluster.node_uuid: {
            "uptime": int(float(files.read("/proc/uptime").split()[0])),
            "memory": int(meminfo["MemTotal"].split()[0]) * 1024,
            "cpus": files.read("/proc/cpuinfo").count("processor\t:"),
            "kernel": files.read("/proc/sys/kernel/osrelease"),
            "model": _identity(this, "product_name"),
            "serial": _identity(this, "product_serial"),
        }
    }


def _identity(this: Pass, name: str) -> str:
    """Return a line of the machine's DMI table, '' where there is none."""
    path = f"/sys/class/dmi/id/{name}"
    try:
        return this.host.files.read(path).strip() if this.host.files.exists(path) else ""
    except FileError as error:
        # Serial numbers are readable by root alone; a confined reconciler goes without.
        return f"unreadable: {error}"
