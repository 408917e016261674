"""`protocols/san/paths`: the paths of hosts over all transports, which is Sanstone's own.

What a path is, and which there are, is in `configured_paths`; whether hosts are logged in by them,
and since when, is what the reconciler observed (`reconcile/stages/paths.py`). What it remembers of
a path ends with the path: one that the configuration took away is gone, not lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core.host_types import HostName, Wwpn
from sanstone.core.observed import Observed
from sanstone.core.resource import Field, Reader, Reference, References, Resource
from sanstone.core.types import Choice, Integer, IpAddress, Strings, Text, Timestamp, Uuid
from sanstone.model.network import IpInterface
from sanstone.model.nvme import Namespace, Subsystem, SubsystemMap
from sanstone.model.observations import PATHS
from sanstone.model.san import Igroup, Lun, LunMap
from sanstone.model.svm import Svm
from sanstone.protocols import PROTOCOLS
from sanstone.resources.san.configured_paths import ConfiguredPath, configured_paths, host_uuid

MTU = "mtu"
"""Of what is observed of a path: `MTU_OF_PORT` and `PASSES`, both in bytes."""
MTU_OF_PORT, PASSES = "port", "passes"
CONNECTED, LOST, LIF_DOWN, NOT_SERVED, NEVER = STATES = (
    "connected",
    "lost",
    "lif_down",
    "not_served",
    "never",
)
TRANSPORTS = tuple(dict.fromkeys(protocol.public_name for protocol in PROTOCOLS))


@dataclass(frozen=True)
class Path:
    """A path as it is now; `since` is when it came into its state, None where that is not known.

    `was_seen` is whether the host was ever logged in by it.
    """

    configured: ConfiguredPath
    uuid: str
    svm_name: str
    initiator: str
    interface_name: str
    state: str
    since: float | None
    was_seen: bool
    alias: str
    addresses: tuple[str, ...]
    is_up: bool
    mtu: int | None
    """Bytes of the largest packet that was seen to pass; None where that is not known."""
    mtu_of_port: int | None
    """MTU of the LIF's port when that was looked at."""

    @property
    def host_name(self) -> str:
        """Return what the host is called: by the administrator, by itself, or by its IQN or NQN."""
        return self.configured.comment or self.alias or self.initiator

    @property
    def is_broken(self) -> bool:
        """Return whether the host had the path, or would have it, and has it no more."""
        return self.was_seen and self.state != CONNECTED

    @property
    def is_narrow(self) -> bool:
        """Return whether packets of the MTU of the LIF's port do not pass."""
        return self.mtu is not None and self.mtu < (self.mtu_of_port or 0)

    @property
    def message(self) -> str:
        """Return what the state means."""
        interface = self.configured.interface
        is_lif = isinstance(interface, IpInterface)
        lif = f'{"LIF" if is_lif else "interface"} "{self.interface_name}"'
        if self.state == CONNECTED:
            told = f"The host is logged in at {lif}."
            if self.is_narrow:
                told += (
                    f" Packets of {self.mtu_of_port} bytes, the MTU of its port, do not pass: those"
                    f" of {self.mtu} do."
                )
            return told
        if self.state == NOT_SERVED:
            return self.configured.obstacle
        if self.state == LIF_DOWN:
            why = f"port {interface.port} has no link" if interface.enabled else "switched off"
            return f"{lif} is down: {why}."
        if self.state == LOST:
            return (
                f"The host was logged in at {lif} and is not any more: look at it and the network."
            )
        return f"The host may log in at {lif} and has not been seen there."


def paths(reader: Reader) -> list[Path]:
    """Return all paths, sorted by SVM, initiator and LIF."""
    return [_path(each, reader) for each in reader.once(configured_paths)]


def _path(configured: ConfiguredPath, reader: Reader) -> Path:
    uuid = configured.uuid
    seen = reader.seen(PATHS, f"{configured.svm.uuid}/{uuid}")
    interface = configured.interface
    is_up = reader.seen(interface.kind, interface.uuid).get("state") == "up"
    was_seen = bool(seen)
    if configured.obstacle:
        state = NOT_SERVED
    elif not is_up:
        state = LIF_DOWN
    else:
        state = CONNECTED if seen.get("connected") else LOST if was_seen else NEVER
    # When a LIF went down is known once its hosts are seen to be away.
    told = was_seen and bool(seen.get("connected")) == (state == CONNECTED)
    mtu = seen.get(MTU, {}) if state == CONNECTED else {}
    return Path(
        configured=configured,
        uuid=uuid,
        svm_name=configured.svm.name,
        initiator=configured.initiator,
        interface_name=configured.interface.name,
        state=state,
        since=seen.get("since") if told else None,
        was_seen=was_seen,
        alias=str(seen.get("alias", "")),
        addresses=tuple(seen.get("addresses", ())),
        is_up=is_up,
        mtu=mtu.get(PASSES),
        mtu_of_port=mtu.get(MTU_OF_PORT),
    )


def _luns(session: Session) -> dict[str, list[Lun]]:
    """Return the LUNs mapped to each igroup."""
    found: dict[str, list[Lun]] = {}
    order = LunMap.igroup_uuid, LunMap.logical_unit_number
    for entry in session.scalars(select(LunMap).order_by(*order)).unique():
        found.setdefault(entry.igroup_uuid, []).append(entry.lun)
    return found


def _namespaces(session: Session) -> dict[str, list[Namespace]]:
    """Return the namespaces in each subsystem."""
    found: dict[str, list[Namespace]] = {}
    order = SubsystemMap.subsystem_uuid, SubsystemMap.nsid
    for entry in session.scalars(select(SubsystemMap).order_by(*order)).unique():
        found.setdefault(entry.subsystem_uuid, []).append(entry.namespace)
    return found


def _shown_luns(row: Path, reader: Reader) -> list[Any]:
    luns = reader.once(_luns)
    return [lun for igroup in row.configured.igroups for lun in luns.get(igroup.uuid, ())]


def _shown_namespaces(row: Path, reader: Reader) -> list[Any]:
    subsystem = row.configured.subsystem
    return list(reader.once(_namespaces).get(subsystem.uuid, ())) if subsystem else []


class PathResource(Resource[Path]):
    """Paths."""

    path = PATHS
    doc = (
        "Paths of hosts over all transports: from the host by its initiator to an interface of an "
        "SVM, and to what igroups and subsystems show it there. A path is `connected`; `lost` "
        "since the host was logged in last; `lif_down` while its interface is; `not_served` while "
        "the SVM or its service is down; and `never` if the host may log in and has not been seen. "
        "Hosts that knock and are not allowed are in `protocols/san/refused-initiators`. Logins "
        "are looked at every 5 seconds. What the configuration takes away is gone, and not lost."
    )
    model = Observed
    keys = ("svm.uuid", "uuid")
    order = ("svm_name", "initiator", "interface_name", "uuid")
    methods = frozenset({"GET"})
    fields = (
        Reference("svm", Svm, "The SVM.", get=lambda row, _: row.configured.svm),
        Field("uuid", Uuid(), "Identity of the path."),
        Field("host.name", Text(), "Comment or alias of the host, else its IQN or NQN."),
        Field(
            "host.uuid",
            Uuid(),
            "Identity of the host in `protocols/san/hosts`.",
            get=lambda row, _: host_uuid(row.configured.svm.uuid, row.initiator),
        ),
        Field(
            "initiator.name",
            HostName(),
            "IQN, NQN or WWPN of the host.",
            attribute="initiator",
            always=True,
        ),
        Field(
            "initiator.addresses",
            Strings(),
            "Where it is, or was when it was seen last: by FCP its address in the fabric.",
            get=lambda row, _: list(row.addresses) or None,
        ),
        Field(
            "transport_protocol",
            Choice(*TRANSPORTS),
            "How it comes.",
            get=lambda row, _: row.configured.transport,
        ),
        Field("interface.name", Text(), "Interface.", attribute="interface_name", always=True),
        Field(
            "interface.uuid",
            Uuid(),
            "Identity of the interface.",
            get=lambda row, _: row.configured.interface.uuid,
        ),
        Field(
            "interface.ip.address",
            IpAddress(),
            "Address of a LIF.",
            get=lambda row, _: getattr(row.configured.interface, "address", None),
        ),
        Field(
            "interface.wwpn",
            Wwpn(),
            "World wide name of a Fibre Channel interface.",
            get=lambda row, _: getattr(row.configured.interface, "wwpn", None),
        ),
        Field(
            "interface.state",
            Choice("up", "down"),
            "Whether the interface can be reached.",
            get=lambda row, _: "up" if row.is_up else "down",
        ),
        References(
            "igroups",
            Igroup,
            "The igroups whose LUNs it shows.",
            get=lambda row, _: row.configured.igroups,
        ),
        Reference(
            "subsystem",
            Subsystem,
            "The subsystem that it leads to.",
            get=lambda row, _: row.configured.subsystem,
        ),
        Field(
            "device_count",
            Integer(),
            "LUNs or namespaces that the host reaches by it.",
            get=lambda row, _: row.configured.devices,
        ),
        References("luns", Lun, "The LUNs.", get=_shown_luns, costly=True),
        References("namespaces", Namespace, "The namespaces.", get=_shown_namespaces, costly=True),
        Field("state", Choice(*STATES), "How it is.", always=True),
        Field("since", Timestamp(), "Since when, where that is known."),
        Field(
            "mtu",
            Integer(),
            "Bytes of the largest packet that was seen to pass between LIF and host, uncut. It is "
            "looked for at logins and every 10 minutes, by echoes, where the MTU of the LIF's port "
            "is over 1500, up to that. `null` where it is not, or where the host answers no echo.",
        ),
        Field(
            "interface.mtu",
            Integer(),
            "The MTU of the LIF's port, in bytes, when `mtu` was looked for.",
            attribute="mtu_of_port",
        ),
        Field("message", Text(4096), "What the state means, in words."),
    )

    def rows(self, reader: Reader) -> Sequence[Path]:
        """Return all paths."""
        return paths(reader)
