"""`protocols/san/paths`: the paths of hosts over all transports, which is Sanstone's own.

What a path is, and in which state, is in `rules.san.paths`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core.declaration.host_types import HostName, Wwpn
from sanstone.core.declaration.resource import Field, Reader, Reference, References, Resource
from sanstone.core.declaration.types import (
    Choice,
    Integer,
    IpAddress,
    Strings,
    Text,
    Timestamp,
    Uuid,
)
from sanstone.core.observed import Observed
from sanstone.model.host_groups import DeviceMap
from sanstone.model.nvme import Namespace, Subsystem, SubsystemMap
from sanstone.model.observations import PATHS
from sanstone.model.san import Igroup, Lun, LunMap
from sanstone.model.svm import Svm
from sanstone.protocols import PROTOCOLS
from sanstone.rules.san.configured_paths import host_uuid
from sanstone.rules.san.paths import STATES, Path, paths

TRANSPORTS = tuple(dict.fromkeys(protocol.public_name for protocol in PROTOCOLS))


def _mapped(table: type[DeviceMap], session: Session) -> dict[str, list[Any]]:
    """Return the LUNs mapped to each igroup, or the namespaces to each subsystem, by number."""
    by_group: dict[str, list[Any]] = {}
    for entry in session.scalars(select(table).order_by(table.group_uuid, table.number)).unique():
        by_group.setdefault(entry.group_uuid, []).append(entry.device)
    return by_group


_luns, _namespaces = partial(_mapped, LunMap), partial(_mapped, SubsystemMap)


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
            "The igroups with the LUNs that it shows.",
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
