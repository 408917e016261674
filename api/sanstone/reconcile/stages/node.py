"""The node: host name, name servers and time servers, and how much memory is left.

chrony and systemd-resolved take their servers from files in /run, which they read when they start;
when a file changes, systemd has them read it again (time-servers.path, name-servers.path). A value
that no request can set, as releases refuse what ones before took, is left out and reported by an
event, and costs no other. A file without any setting is removed. The files' directories are created
at boot (tmpfiles.d/sanstone.conf); where neither program is installed, nothing reads the files.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.database.statements import every
from sanstone.core.declaration.types import MIB, ListOf
from sanstone.core.events import ALERT, ERROR, Condition
from sanstone.kernel.hardware import dmi
from sanstone.kernel.host import HostError
from sanstone.kernel.storage.stack import quality_of_service
from sanstone.model.cluster import Cluster, NtpServer, the_cluster
from sanstone.model.nodes import Node
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.ensured_file import ensure_file
from sanstone.reconcile.results import (
    MemorySeen,
    NodeSet,
    NvmeServed,
    ScsiServed,
    StaleDevicesRemoved,
)
from sanstone.reconcile.turn import Turn
from sanstone.rules.cluster import node_memory
from sanstone.rules.cluster.settings import ARRAY_NAME, DOMAINS, NAME_SERVERS, NTP_SERVERS
from sanstone.rules.storage.qos_limits import LIMITS_THROUGHPUT

_HOST_NAME = "/proc/sys/kernel/hostname"
_TIME_OWNER = f"{NtpServer.kind}:"
NAMES = "/run/systemd/resolved.conf.d/sanstone-names.conf"
"""This file has a name of its own, since it would hide one of the same name in /usr/lib
(resolved.conf(5))."""
TIME = "/run/time-servers/array.sources"
"""In chrony's `sourcedir`; while this file exists, DHCP's servers are not used (time-servers)."""
NAMES_EVENT, TIME_EVENT = "dns.setting.unusable", "ntp.server.unusable"
_STEP = 16 * MIB
"""Granularity in which free memory is observed, since it changes all the time and each change is a
write to the database."""


def reconcile(turn: Turn) -> NodeSet:
    """Set the array's name and servers on the machine, and observe the machine."""
    cluster = the_cluster(turn.session)
    with turn.attempt(cluster.owner):
        _set_host_name(turn, as_declared(ARRAY_NAME, cluster.name))
    with turn.attempt(cluster.owner):
        ensure_file(turn, NAMES, _resolver_settings(turn, cluster))
    servers = turn.session.scalars(every(NtpServer, NtpServer.server)).all()
    with turn.attempt(_TIME_OWNER):
        names = list[str]()
        for row in servers:
            names += _accepted(turn, NTP_SERVERS, [row.server], row.owner, TIME_EVENT)
        ensure_file(turn, TIME, "".join(f"server {name} iburst\n" for name in names))
    for row in servers:
        turn.block(row.owner, _TIME_OWNER)
    if turn.thorough:
        _observe(turn)
    return NodeSet(turn.outcomes)


def _set_host_name(turn: Turn, name: str) -> None:
    """Set the host name, which the system's log and the prompts of root's shells show."""
    if turn.host.files.read(_HOST_NAME).strip() != name:
        turn.host.files.write(_HOST_NAME, name)
        turn.did(f"host name {name}")


def _accepted(
    turn: Turn, kind: ListOf, values: Sequence[str], owner: str, event: str
) -> Sequence[str]:
    """Return the values of a list that a request can set; an event tells of each other one.

    Raises HostError where they are too many.
    """
    accepted = []
    for value in values:
        try:
            accepted.append(as_declared(kind.entry, value))
        except HostError as error:
            text = f"{value!r} is left out of the settings: {error}"
            turn.conditions[f"{event}:{value}"] = Condition(ERROR, event, text, owner)
    return as_declared(kind, accepted)


def _resolver_settings(turn: Turn, cluster: Cluster) -> str:
    """Return the settings for systemd-resolved, '' for none. Raises HostError.

    The C library asks the array's servers before those of DHCP, which resolved lists after them.
    resolved itself would ask both at once, were it not for `~.`, which makes the array's servers
    those for all domains (systemd-resolved.service(8), "Protocols and Routing").
    """
    lines = []
    servers = _accepted(turn, NAME_SERVERS, cluster.name_servers, cluster.owner, NAMES_EVENT)
    domains = _accepted(turn, DOMAINS, cluster.dns_domains, cluster.owner, NAMES_EVENT)
    if servers:
        lines.append(f"DNS={' '.join(servers)}")
    if domains := [*domains, *(["~."] if servers else [])]:
        lines.append(f"Domains={' '.join(domains)}")
    return "".join(f"{line}\n" for line in ["[Resolve]", *lines]) if lines else ""


def observe_memory(
    turn: Turn, _nvme: NvmeServed, _scsi: ScsiServed, _devices: StaleDevicesRemoved
) -> MemorySeen:
    """Observe the free memory, in every turn, since each LUN and namespace takes some."""
    turn.judge()
    observation = turn.seen.of(Node.kind, turn.node_uuid)
    available = _meminfo(turn)["MemAvailable"] // _STEP * _STEP
    is_short = node_memory.is_short(available, observation.get("memory_short", False))
    observation |= {"memory_available": available, "memory_short": is_short}
    if is_short:
        text = (
            "The node is short of memory: new LUNs, namespaces and maps are refused. Delete those "
            "that nobody uses, or give the machine more memory."
        )
        turn.conditions["node.memory"] = Condition(
            ALERT, "node.memory.low", text, f"{Node.kind}:{turn.node_uuid}"
        )
    return MemorySeen(turn.outcomes)


def _observe(turn: Turn) -> None:
    """Observe the facts that change rarely."""
    observation = turn.seen.of(Node.kind, turn.node_uuid)
    observation |= {
        "uptime": int(float(turn.host.files.read("/proc/uptime").split()[0])),
        "memory": _meminfo(turn)["MemTotal"],
        "cpus": turn.host.files.read("/proc/cpuinfo").count("processor\t:"),
        "kernel": turn.host.files.read("/proc/sys/kernel/osrelease"),
        "model": dmi.text_of(turn.host.files, dmi.MODEL),
        "serial": dmi.text_of(turn.host.files, dmi.SERIAL_NUMBER),
        LIMITS_THROUGHPUT: quality_of_service.is_possible(turn.host),
    }


def _meminfo(turn: Turn) -> dict[str, int]:
    """Return the kernel's memory statistics in bytes (proc_meminfo(5))."""
    lines = turn.host.files.read("/proc/meminfo").splitlines()
    figures = (line.split(":", 1) for line in lines)
    return {name: int(text.split()[0]) * 1024 for name, text in figures}
