"""`protocols/san/hosts`: the hosts of the array and how their paths are, which is Sanstone's own.

A host is one initiator, or one NVMe host, of an SVM: what igroups and subsystems name. It is seen
to be worse than its best path: one that is good on some and lost on others is degraded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.core.declaration.host_types import HostName
from sanstone.core.declaration.resource import Field, Reader, Reference, References, Resource
from sanstone.core.declaration.types import Choice, Integer, Strings, Text, Timestamp, Uuid
from sanstone.core.observed import Observed
from sanstone.model.nvme import Subsystem
from sanstone.model.san import Igroup
from sanstone.model.svm import Svm
from sanstone.rules.san.configured_paths import host_uuid
from sanstone.rules.san.paths import CONNECTED, LOST, NEVER, NOT_SERVED, Path, paths

KIND = "protocols/san/hosts"
DEGRADED = "degraded"
STATES = (LOST, DEGRADED, NOT_SERVED, NEVER, CONNECTED)
"""The worst first."""


@dataclass(frozen=True)
class Host:
    """A host with its paths; `rank` sorts the worst first."""

    uuid: str
    svm: Svm
    name: str
    initiator: str
    state: str
    rank: int
    paths: tuple[Path, ...]

    @property
    def svm_name(self) -> str:
        """Return the name of its SVM."""
        return self.svm.name

    @property
    def lost(self) -> list[Path]:
        """Return the paths that it had and has no more."""
        return [path for path in self.paths if path.is_broken]


def _state(of_host: Sequence[Path]) -> str:
    connected = any(path.state == CONNECTED for path in of_host)
    broken = any(path.is_broken for path in of_host)
    if connected:
        return DEGRADED if broken else CONNECTED
    if all(path.state == NOT_SERVED for path in of_host):
        return NOT_SERVED
    return LOST if broken else NEVER


def _host(of_host: Sequence[Path]) -> Host:
    first = of_host[0]
    state, svm = _state(of_host), first.configured.svm
    named = next((path for path in of_host if path.host_name != path.initiator), first)
    return Host(
        uuid=host_uuid(svm.uuid, first.initiator),
        svm=svm,
        name=named.host_name,
        initiator=first.initiator,
        state=state,
        rank=STATES.index(state),
        paths=tuple(of_host),
    )


def _igroups(row: Host) -> list[Igroup]:
    by_uuid = {g.uuid: g for path in row.paths for g in path.configured.igroups}
    return sorted(by_uuid.values(), key=lambda igroup: igroup.name)


def _subsystems(row: Host) -> list[Subsystem]:
    configured = (path.configured.subsystem for path in row.paths)
    by_uuid = {each.uuid: each for each in configured if each}
    return sorted(by_uuid.values(), key=lambda subsystem: subsystem.name)


class HostResource(Resource[Host]):
    """Hosts."""

    path = KIND
    doc = (
        "Hosts are the initiators and NVMe hosts that igroups and subsystems of an SVM name. A "
        "host is `connected`; `degraded` if it is connected by some paths and has lost others; "
        "`lost` if it has lost all of them; `not_served` while the SVM or its service is down; and "
        "`never` if it was not seen. Their paths are in `protocols/san/paths`. Those in the worst "
        "state come first."
    )
    model = Observed
    keys = ("svm.uuid", "uuid")
    order = ("rank", "name", "svm_name", "uuid")
    methods = frozenset({"GET"})
    fields = (
        Reference("svm", Svm, "The SVM."),
        Field("uuid", Uuid(), "Identity of the host."),
        Field("name", Text(), "Its comment or alias, else its IQN, NQN or WWPN."),
        Field(
            "initiator.name",
            HostName(),
            "IQN, NQN or WWPN of the host.",
            attribute="initiator",
            always=True,
        ),
        Field("state", Choice(*STATES), "How its paths are, taken together.", always=True),
        Field(
            "since",
            Timestamp(),
            "When the last path was lost, where that is known.",
            get=lambda row, _: max((path.since for path in row.lost if path.since), default=None),
        ),
        Field(
            "transport_protocols",
            Strings(),
            "How it comes.",
            get=lambda row, _: sorted({path.configured.transport for path in row.paths}),
        ),
        Field(
            "addresses",
            Strings(),
            "Where it is, or was when it was seen last.",
            get=lambda row, _: sorted({a for path in row.paths for a in path.addresses}) or None,
        ),
        References(
            "igroups",
            Igroup,
            "The igroups with the LUNs that it sees.",
            get=lambda row, _: _igroups(row),
        ),
        References(
            "subsystems",
            Subsystem,
            "The subsystems that list it.",
            get=lambda row, _: _subsystems(row),
        ),
        Field("paths.total", Integer(), "Its paths.", get=lambda row, _: len(row.paths)),
        Field(
            "paths.connected",
            Integer(),
            "Those by which it is logged in.",
            get=lambda row, _: sum(path.state == CONNECTED for path in row.paths),
        ),
        Field(
            "paths.lost",
            Integer(),
            "Those that it had and has no more.",
            get=lambda row, _: len(row.lost),
        ),
        Field(
            "paths.narrow",
            Integer(),
            "Those on which packets of the MTU of the LIF's port do not pass.",
            get=lambda row, _: sum(path.is_narrow for path in row.paths),
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Host]:
        """Return all hosts."""
        by_host: dict[tuple[str, str], list[Path]] = defaultdict(list)
        for path in paths(reader):
            by_host[path.configured.svm.uuid, path.initiator].append(path)
        return [_host(of_host) for of_host in by_host.values()]
