"""Who is connected: iSCSI sessions and NVMe controllers, as the kernel shows them.

iSCSI: `acls/<initiator>/info` of each portal group (lio_target_nacl_info_show() in
drivers/target/iscsi/iscsi_target_configfs.c). It shows one session per ACL, the newest, although
an initiator can have several to one portal group. Dynamic sessions, of initiators without an ACL,
do not exist: our portal groups never admit any.

An initiator calls itself what it likes: an alias may hold line breaks, and text that looks like the
kernel's. What the kernel says itself comes after it.

NVMe: debugfs only (CONFIG_NVME_TARGET_DEBUGFS, drivers/nvme/target/debugfs.c); without it no
controllers are known. One that disconnects while it is read is left out.

Taking a host away from a subsystem keeps its connections: nvmet_allowed_hosts_drop_link() only
tells discovery controllers. So the reconciler calls `disconnect` on the `strangers`.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from sanstone.kernel.host import FileError, Files, Host
from sanstone.kernel.target.lio import FABRIC_FILES
from sanstone.kernel.target.lio import ROOT as TARGET

DEBUG = "/sys/kernel/debug/nvmet"
DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery"


@dataclass(frozen=True)
class Connection:
    """A connection of a session."""

    id: int
    address: str
    transport: str
    state: str


@dataclass(frozen=True)
class Session:
    """A logged-in initiator. `isid` is 12 hexadecimal digits, `state` as in "logged_in"."""

    target: str
    tag: int
    initiator: str
    alias: str
    id: int
    isid: str
    tsih: int
    state: str
    connections: tuple[Connection, ...]


@dataclass(frozen=True)
class Controller:
    """A live controller: one host connected to one subsystem through one port."""

    subsystem: str
    id: int
    host: str
    host_address: str
    port: int
    state: str
    keep_alive: int
    """Seconds."""


def iscsi_sessions(host: Host) -> list[Session]:
    """Return the logged-in iSCSI initiators."""
    files, fabric = host.files, f"{TARGET}/iscsi"
    if not files.exists(fabric):
        return []
    return [
        session
        for wwn in files.listdir(fabric)
        if wwn not in FABRIC_FILES
        for group in files.listdir(f"{fabric}/{wwn}")
        if group.startswith("tpgt_")
        for initiator in files.listdir(f"{fabric}/{wwn}/{group}/acls")
        if (session := _session(files, f"{fabric}/{wwn}/{group}", initiator))
    ]


_ALIAS, _OURS = "InitiatorAlias: ", "\nLIO Session ID: "
_SESSION = re.compile(
    r"(?P<id>[0-9]{1,10}) +ISID: 0x(?P<isid>[0-9a-f ]+?) +TSIH: (?P<tsih>[0-9]{1,10}).*\n"
    r"Session State: TARG_SESS_(?:STATE_)?(?P<state>\w+)"
)
_CONNECTION = re.compile(
    r"CID: (?P<id>[0-9]{1,10}) +Connection State: TARG_CONN_STATE_(?P<state>\w+)\s+"
    r"Address (?P<address>\S+) (?P<transport>\w+)"
)


def _session(files: Files, group: str, initiator: str) -> Session | None:
    info = files.read(f"{group}/acls/{initiator}/info")
    named, _, said = info.rpartition(_OURS)
    found = _SESSION.match(said)
    if found is None:
        return None
    alias = named.partition(_ALIAS)[2]
    _, target, tag = group.rsplit("/", 2)
    connections = tuple(
        Connection(int(c["id"]), c["address"], c["transport"].lower(), c["state"].lower())
        for c in _CONNECTION.finditer(said)
    )
    return Session(
        target=target,
        tag=int(tag.removeprefix("tpgt_")),
        initiator=initiator,
        alias="".join(c if c.isprintable() else " " for c in alias),
        id=int(found["id"]),
        isid=found["isid"].replace(" ", ""),
        tsih=int(found["tsih"]),
        state=found["state"].lower(),
        connections=connections,
    )


def controllers(host: Host) -> list[Controller]:
    """Return the live controllers of our subsystems."""
    files = host.files
    if not files.exists(DEBUG):
        return []
    return [
        controller
        for nqn in files.listdir(DEBUG)
        if nqn != DISCOVERY
        for name in _names(files, f"{DEBUG}/{nqn}")
        if (controller := _controller(files, nqn, name))
    ]


def _names(files: Files, path: str) -> Iterator[str]:
    try:
        yield from files.listdir(path)
    except FileError as error:
        if error.errno != errno.ENOENT:
            raise


def _controller(files: Files, nqn: str, name: str) -> Controller | None:
    path = f"{DEBUG}/{nqn}/{name}"
    try:
        return Controller(
            subsystem=nqn,
            id=int(name.removeprefix("ctrl")),
            host=files.read(f"{path}/hostnqn"),
            host_address=files.read(f"{path}/host_traddr"),
            port=int(files.read(f"{path}/port")),
            state=files.read(f"{path}/state"),
            keep_alive=int(files.read(f"{path}/kato")),
        )
    except FileError as error:
        if error.errno != errno.ENOENT:
            raise
        return None


def strangers(host: Host, allowed: Mapping[str, Collection[str]]) -> list[Controller]:
    """Return live controllers of hosts that their subsystem does not allow (any more).

    `allowed` are the NQNs of hosts by that of the subsystem.
    """
    return [c for c in controllers(host) if c.host not in allowed.get(c.subsystem, frozenset())]


def disconnect(host: Host, controller: Controller) -> None:
    """Break one connection; the host reconnects at once if it may."""
    path = f"{DEBUG}/{controller.subsystem}/ctrl{controller.id}/state"
    try:
        host.files.write(path, "fatal")
    except FileError as error:
        if error.errno != errno.ENOENT:
            raise
