"""Hosts that the kernel's targets refused: who knocked, where, and for what reason.

The targets tell that in the kernel's log:

* LIO, of an initiator without an ACL (iscsi_target_locate_portal(), iscsi_target_nego.c),
* nvmet, of a host that the subsystem does not list, that came without the TLS key that it needs, or
  by another host's (nvmet_alloc_ctrl(), core.c),
* ib_srpt, of an initiator without an ACL, in two messages: the initiator and port of a request, and
  the address that was refused (srpt_cm_req_recv(), ib_srpt.c). With other requests in between, a
  refusal may be put down to one of them.

Of failed authentication the log has no name. LIO has a counter for each target, with the name and
the address of the initiator that failed last (iscsit_collect_login_stats(), iscsi_target_util.c):
if several fail between two looks, all is put down to the last. nvmet tells of no host that fails to
authenticate.

A host chooses its name freely. The kernel's own text follows the name, so the parser searches from
the end, and a message must match as a whole: a name that looks like a message stays a name.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sanstone.kernel.host import Host, LogRecord
from sanstone.kernel.target.lio import ROOT as TARGET

LONGEST_NAME = 223
"""Characters of an IQN or NQN; a longer name is cut."""
_ISCSI = re.compile(
    r"iSCSI Initiator Node: (?P<name>.*) is not authorized to access iSCSI target portal group: "
    r"(?P<tag>[0-9]{1,5})\."
)
_NVME = re.compile(
    r"nvmet: connect by host (?P<name>.*) for subsystem (?P<nqn>\S+) not allowed"
    r"(?P<tls> without its TLS key)?"
)
_GID = r"[0-9a-f]{4}(?::[0-9a-f]{4}){7}"
_SRP_REQUEST = re.compile(
    rf"ib_srpt Received SRP_LOGIN_REQ with i_port_id (?P<name>{_GID}), t_port_id {_GID} and "
    rf"it_iu_len -?[0-9]+ on port [0-9]+ \(guid=(?P<port>{_GID})\); pkey 0x[0-9a-f]+"
)
_SRP_REFUSED = re.compile(
    rf"ib_srpt Rejected login for initiator (?P<address>\S+): ret = -{errno.EACCES}\."
)


@dataclass(frozen=True)
class Refusal:
    """A host that was not allowed in, at a portal group of LIO's (`tag`), at a subsystem or at the
    `port` of an RDMA device, named by its first address (GID).

    `seconds` is the uptime at that moment. The name may be any text of printable ASCII.
    `lacks_key` is true for one that is listed and did not come by its own key. `address` is where
    the host is, '' where the kernel does not tell.
    """

    sequence: int
    seconds: float
    initiator: str
    tag: int = 0
    subsystem: str = ""
    lacks_key: bool = False
    port: str = ""
    address: str = ""


@dataclass(frozen=True)
class FailedLogins:
    """LIO's counters of a target: logins that failed to authenticate, and the last such host.

    The name and the address are those of the last login that failed, for whatever reason.
    """

    authentication: int
    initiator: str
    address: str


def refusals(records: Iterable[LogRecord]) -> list[Refusal]:
    """Return the refusals that the kernel's log tells of."""
    return list(_refusals(records))


def _refusals(records: Iterable[LogRecord]) -> Iterator[Refusal]:
    request: re.Match[str] | None = None
    for record in records:
        if match := _SRP_REQUEST.fullmatch(record.text):
            request = match
        elif request and (match := _SRP_REFUSED.fullmatch(record.text)):
            name = f"0x{request['name'].replace(':', '')}"
            when = record.sequence, record.seconds
            yield Refusal(*when, name, port=request["port"], address=match["address"])
        elif refusal := _in_one_message(record):
            yield refusal


def _in_one_message(record: LogRecord) -> Refusal | None:
    when = record.sequence, record.seconds
    if match := _ISCSI.fullmatch(record.text):
        return Refusal(*when, shown(match["name"]), tag=int(match["tag"]))
    if match := _NVME.fullmatch(record.text):
        lacks_key = match["tls"] is not None
        return Refusal(*when, shown(match["name"]), 0, match["nqn"], lacks_key)
    return None


def is_counted(host: Host, target: str) -> bool:
    """Return whether LIO has an iSCSI target of this name. Raises FileError."""
    return host.files.exists(f"{TARGET}/iscsi/{target}")


def failed_logins(host: Host, target: str) -> FailedLogins:
    """Return LIO's counters of an iSCSI target's failed logins. Raises FileError."""
    folder = f"{TARGET}/iscsi/{target}/fabric_statistics"
    read = host.files.read
    return FailedLogins(
        authentication=int(read(f"{folder}/iscsi_login_stats/authenticate_fails")),
        initiator=shown(read(f"{folder}/iscsi_tgt_attr/fail_intr_name")),
        address=read(f"{folder}/iscsi_tgt_attr/fail_intr_addr").strip("[]"),
    )


def shown(name: str) -> str:
    """Return a name that a host chose, as a line of printable ASCII of bounded length."""
    plain = "".join(c if " " <= c <= "~" else "?" for c in name)
    return plain[:LONGEST_NAME]
