"""The connected hosts: sessions of initiators and NVMe controllers, as the kernel reports them.

iSCSI: `acls/<initiator>/info` of each portal group (lio_target_nacl_info_show() in
drivers/target/iscsi/iscsi_target_configfs.c). The file shows one session per ACL, the newest,
although an initiator can have several sessions with a portal group. Dynamic sessions, of initiators
without an ACL, do not exist: the portal groups of the array never admit any.

An initiator chooses its alias freely: it may contain line breaks, and text that looks like the
kernel's. The kernel's own text follows the alias, so the parser searches from the end.

Fabrics of ports have no such file. Each of them has a table of SCSI-MIB (RFC 4455) in each mapped
LUN, which says ENODEV unless the initiator has a session (target_stat_iport_port_ident_show() in
drivers/target/target_core_stat.c). So only initiators that see a LUN are reported.

NVMe: debugfs only (CONFIG_NVME_TARGET_DEBUGFS, drivers/nvme/target/debugfs.c); without it no
controllers are reported. A controller that disconnects while it is read is skipped. A kernel
without the product's patch (board/common/patches), as Debian's, may panic on a read of
`host_traddr` of a controller that waits for an I/O without its admin queue.

Removing a host from a subsystem does not end its connections: nvmet_allowed_hosts_drop_link() only
notifies discovery controllers. So the reconciler calls `disconnect` for the
`disallowed_controllers`.
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
    """A connection of an iSCSI session."""

    id: int
    address: str
    transport: str
    state: str


@dataclass(frozen=True)
class Session:
    """The iSCSI session of an initiator.

    `isid` is 12 hexadecimal digits, `state` is in lower case, as "logged_in".
    """

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
    """An NVMe controller: the association of a host with a subsystem through one port."""

    subsystem: str
    id: int
    host: str
    host_address: str
    port: int
    state: str
    keep_alive: int
    """Keep Alive Timeout in seconds."""
    tls_identity: str = ""
    """Identity of the key by which it came, "" without TLS."""


def iscsi_sessions(host: Host) -> list[Session]:
    """Return the sessions of logged-in iSCSI initiators. Raises FileError."""
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


_ALIAS, _SESSION_LINE = "InitiatorAlias: ", "\nLIO Session ID: "
_SESSION = re.compile(
    r"(?P<id>[0-9]{1,10}) +ISID: 0x(?P<isid>[0-9a-f ]+?) +TSIH: (?P<tsih>[0-9]{1,10}).*\n"
    r"Session State: TARG_SESS_(?:STATE_)?(?P<state>\w+)"
)
_CONNECTION = re.compile(
    r"CID: (?P<id>[0-9]{1,10}) +Connection State: TARG_CONN_STATE_(?P<state>\w+)\s+"
    r"Address (?P<address>\S+) (?P<transport>\w+)"
)


def _session(files: Files, group: str, initiator: str) -> Session | None:
    """Return the newest session of an initiator in a portal group, None if it is not logged in."""
    info = files.read(f"{group}/acls/{initiator}/info")
    initiator_text, _, session_text = info.rpartition(_SESSION_LINE)
    match = _SESSION.match(session_text)
    if match is None:
        return None
    alias = initiator_text.partition(_ALIAS)[2]
    _, target, tag = group.rsplit("/", 2)
    connections = tuple(
        Connection(int(c["id"]), c["address"], c["transport"].lower(), c["state"].lower())
        for c in _CONNECTION.finditer(session_text)
    )
    return Session(
        target=target,
        tag=int(tag.removeprefix("tpgt_")),
        initiator=initiator,
        alias="".join(c if c.isprintable() else " " for c in alias),
        id=int(match["id"]),
        isid=match["isid"].replace(" ", ""),
        tsih=int(match["tsih"]),
        state=match["state"].lower(),
        connections=connections,
    )


_INITIATOR_PORT = "statistics/scsi_att_intr_port/port_ident"


def logged_in(host: Host, group: str) -> list[str]:
    """Return the initiators that are logged in at the portal group of a port, as configfs names
    them. Raises FileError.
    """
    files = host.files
    if not files.exists(group):
        return []
    initiators = []
    for initiator in files.listdir(f"{group}/acls"):
        acl = f"{group}/acls/{initiator}"
        lun = next((name for name in files.listdir(acl) if name.startswith("lun_")), "")
        if lun and _has_session(files, f"{acl}/{lun}/{_INITIATOR_PORT}"):
            initiators.append(initiator)
    return initiators


def _has_session(files: Files, path: str) -> bool:
    """Return whether the initiator that a table of SCSI-MIB is about has a session."""
    try:
        files.read(path)
    except FileError as error:
        if error.errno != errno.ENODEV:
            raise
        return False
    return True


def controllers(host: Host) -> list[Controller]:
    """Return the controllers of all subsystems but the discovery subsystem. Raises FileError."""
    files = host.files
    if not files.exists(DEBUG):
        return []
    return [
        controller
        for nqn in files.listdir(DEBUG)
        if nqn != DISCOVERY
        for name in _listdir_if_present(files, f"{DEBUG}/{nqn}")
        if (controller := _controller(files, nqn, name))
    ]


def _listdir_if_present(files: Files, path: str) -> Iterator[str]:
    """Yield the names in a directory, none if the subsystem was removed in the meantime."""
    try:
        yield from files.listdir(path)
    except FileError as error:
        if error.errno != errno.ENOENT:
            raise


def _controller(files: Files, nqn: str, name: str) -> Controller | None:
    """Return a controller, None if it disconnected while it was read."""
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
            tls_identity=_read_if_present(files, f"{path}/tls_identity"),
        )
    except FileError as error:
        if error.errno != errno.ENOENT:
            raise
        return None


def _read_if_present(files: Files, path: str) -> str:
    """Return a file that only the product's kernel has, "" for none."""
    return files.read(path).strip() if files.exists(path) else ""


def disallowed_controllers(
    host: Host,
    allowed: Mapping[str, Collection[str]],
    bound_to_tls: Mapping[str, Collection[str]] | None = None,
) -> list[Controller]:
    """Return the controllers of hosts that their subsystem does not allow, or no longer allows.

    `allowed` holds the NQNs of the allowed hosts, by NQN of the subsystem, and `bound_to_tls` those
    of them that are not allowed without TLS. Raises FileError.
    """
    bound = bound_to_tls or {}
    return [
        each
        for each in controllers(host)
        if each.host not in allowed.get(each.subsystem, frozenset())
        or (not each.tls_identity and each.host in bound.get(each.subsystem, frozenset()))
    ]


def disconnect(host: Host, controller: Controller) -> None:
    """End the association of a controller. The host reconnects at once if it is allowed to.

    Raises FileError, but not if the controller has disconnected already.
    """
    path = f"{DEBUG}/{controller.subsystem}/ctrl{controller.id}/state"
    try:
        host.files.write(path, "fatal")
    except FileError as error:
        if error.errno != errno.ENOENT:
            raise
