"""`protocols/san/igroups`: groups of initiators to which LUNs are mapped.

An igroup holds either initiators or other igroups. An initiator may be in several igroups of an
SVM; it sees the maps of all of them (see `igroup_nesting`). Igroups and NVMe subsystems of an SVM
share one namespace, as in ONTAP.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, selectinload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.getters import Unempty
from sanstone.core.declaration.host_types import Alias, InitiatorOrAlias
from sanstone.core.declaration.resource import (
    CREATE,
    WRITE,
    Field,
    Items,
    Reader,
    Reference,
    References,
    constant,
)
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text, Uuid
from sanstone.model.network import FcInterface, IpInterface
from sanstone.model.nvme import Subsystem
from sanstone.model.observations import FC_LOGINS, ISCSI_SESSIONS, SRP_SESSIONS
from sanstone.model.san import Igroup, IgroupInitiator, IgroupNesting, Portset, WwpnAlias
from sanstone.protocols import addressing_of
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.host_group import DELETE_ON_UNMAP, HostGroupResource, name_type
from sanstone.rules.network.endpoints import EndpointKey, by_key
from sanstone.rules.san import igroup_nesting

EITHER, OTHER_OS, ITSELF, UNKNOWN_CHILD = "5374738", "5374733", "5374745", "5374878"
NO_PORTSET, EMPTY_PORTSET, WRONG_PORTSET = "5374911", "5374027", "5374028"
NAME_TAKEN, BAD_NAME, MAPPED = "5374023", "5373958", "1254213"
ALREADY_MEMBER, NOT_GIVEN, NOT_WWPN, NOT_ISCSI = "5374035", "5374033", "5374038", "5374039"
PROTOCOLS = ("fcp", "iscsi", "srp", "mixed")
"""Which kinds of initiators an igroup or a portset is for: `srp` is Sanstone's own."""
_PROTOCOL_OF = {"ip": "iscsi", "wwn": "fcp", "gid": "srp"}
_NAMES = {"fcp": "WWPN", "iscsi": "iSCSI name", "srp": "identifier of SRP"}
_WRONG_NAME = {"fcp": NOT_WWPN, "iscsi": NOT_ISCSI, "srp": errors.INVALID}
OS_TYPES = (
    "aix",
    "hpux",
    "hyper_v",
    "linux",
    "netware",
    "openvms",
    "solaris",
    "vmware",
    "windows",
    "xen",
)


def format_code(raw: Any) -> str:
    """Return ONTAP's code for an invalid name of an initiator."""
    text = raw.lower() if isinstance(raw, str) else ""
    if len(text) > 223:
        return "5373992"
    if text.startswith("iqn."):
        if not re.match(r"iqn\.\d{4}-(?:0[1-9]|1[0-2])\.", text):
            return "5373971"
        return "5373969" if re.match(r"iqn\.[\d-]+\.[a-z0-9]", text) else "5373972"
    if text.startswith("eui."):
        return "5373978" if len(text) == 20 else "5373977"
    if re.fullmatch(r"[0-9a-f:]+", text):
        return "5373983" if len(text.replace(":", "")) == 16 else "5373982"
    return "5373993"


def _aliases(row: IgroupInitiator, reader: Reader) -> list[str]:
    """Return the aliases of an initiator in its SVM."""
    return reader.once(_by_wwpn).get((row.igroup.svm_uuid, row.name), [])


def _by_wwpn(session: Session) -> dict[tuple[str, str], list[str]]:
    aliases: dict[tuple[str, str], list[str]] = {}
    for row in session.scalars(select(WwpnAlias).order_by(WwpnAlias.alias)):
        aliases.setdefault((row.svm_uuid, row.wwpn), []).append(row.alias)
    return aliases


def initiator_fields() -> tuple[Field, ...]:
    """Return the fields of an initiator, in its igroup's list and in its own collection."""
    return (
        Field(
            "name",
            InitiatorOrAlias(),
            "IQN or EUI of the initiator, its WWPN or an alias of that, or by SRP its port's "
            "identifier: 0x and 32 digits, or the last 16 of them as hosts show them, 5054:00ff:….",
            access=CREATE,
            required=True,
            code=format_code,
            missing_code=NOT_GIVEN,
            also=_aliases,
        ),
        Field(
            "comment",
            Text(254),
            "Comment; an empty one is not shown.",
            access=WRITE,
            default="",
            get=Unempty("comment"),
        ),
    )


def named_initiator(session: Session, svm_uuid: str, name: str, target: str = "name") -> str:
    """Return the initiator that a request names, for an alias its WWPN. Raises ApiError."""
    if not Alias.PATTERN.fullmatch(name):
        return name
    alias = session.get(WwpnAlias, (svm_uuid, name))
    if alias is None:
        text = f'"{name}" is no IQN, EUI, WWPN or identifier of SRP, and no alias of one.'
        raise errors.invalid(text, target, format_code(name))
    return alias.wwpn


def check_initiators(protocol: str, names: Sequence[str], present: set[str]) -> None:
    """Raise ApiError when names do not fit an igroup's protocol, or are in it already."""
    seen = set(present)
    for name in names:
        if name in seen:
            text = f'Initiator "{name}" already exists in the igroup.'
            raise errors.conflict(text, "name", ALREADY_MEMBER)
        seen.add(name)
        if protocol != "mixed" and protocol != _PROTOCOL_OF[addressing_of(name)]:
            text = f'"{name}" is no {_NAMES[protocol]}, which this igroup\'s protocol demands.'
            raise errors.invalid(text, "name", _WRONG_NAME[protocol])


def check_mapped(change: Change, igroup: Igroup, name: str, options: dict[str, Any]) -> None:
    """Refuse a change by which initiators lose LUNs, unless the request allows that.

    They see the maps of the igroup and of those that it is in.
    """
    above = igroup_nesting.Nestings(change.session).above([igroup.uuid])
    mapped = igroup_nesting.maps(change.session, above)
    if mapped and not options["allow_delete_while_mapped"]:
        text = f'{name} cannot be deleted: LUNs are mapped to igroup "{igroup.name}" or above it.'
        change.refuse(errors.conflict(text, code=MAPPED))


def _connection_state(row: Igroup, reader: Reader) -> str:
    """Return how many of its initiators are logged in at a LIF that can be reached.

    A session outlives the link of its LIF, for minutes where the host does no I/O.
    """
    names = {initiator.name for initiator in row.members}
    if not names:
        return "no_initiators"
    logged_in = reader.once(_logged_in)
    connected = {name for name in names if (row.svm_uuid, name) in logged_in}
    return "full" if connected == names else "partial" if connected else "none"


def _logged_in(session: Session) -> set[tuple[str, str]]:
    """Return the SVM and the initiator of each session at an interface that is up."""
    reader, endpoints = Reader(session), by_key(session)
    names = set()
    for seen in reader.observed(ISCSI_SESSIONS).values():
        end = endpoints.get(EndpointKey(seen.node_uuid, "scsi", seen.data["tag"]))
        if end and reader.seen(IpInterface.kind, end.interface_uuid).get("state") == "up":
            names.add((seen.data["svm"], seen.data["initiator"]))
    for seen in reader.observed(SRP_SESSIONS).values():
        if reader.seen(IpInterface.kind, seen.data["interface"]).get("state") == "up":
            names.add((seen.data["svm"], seen.data["initiator"]))
    for seen in reader.observed(FC_LOGINS).values():
        if reader.seen(FcInterface.kind, seen.data["interface"]).get("state") == "up":
            names.add((seen.data["svm"], seen.data["wwpn"]))
    return names


ALLOW_WHILE_MAPPED = Field(
    "allow_delete_while_mapped",
    Boolean(),
    "Whether it may be deleted while LUNs are mapped.",
    default=False,
)


def check_child(igroup: Igroup, child: Igroup) -> None:
    """Raise ApiError when an igroup cannot be in another, regardless of their content."""
    if child.svm_uuid != igroup.svm_uuid:
        text = f'igroup "{child.name}" in the SVM of igroup "{igroup.name}"'
        raise errors.unknown_reference(text, "igroups", UNKNOWN_CHILD)
    if child.os_type != igroup.os_type or igroup.protocol not in ("mixed", child.protocol):
        text = f'Igroup "{child.name}" is for other hosts or another protocol.'
        raise errors.invalid(text, "igroups", OTHER_OS)


def _check_portset(igroup: Igroup, portset: Portset | None) -> None:
    if portset is None:
        return
    if portset.svm_uuid != igroup.svm_uuid:
        text = f'portset "{portset.name}" in the SVM of the igroup'
        raise errors.unknown_reference(text, "portset", NO_PORTSET)
    if igroup.protocol not in ("mixed", portset.protocol) and portset.protocol != "mixed":
        text = f'Portset "{portset.name}" is for {portset.protocol}.'
        raise errors.invalid(text, "portset", WRONG_PORTSET)
    if not portset.members:
        text = f'Portset "{portset.name}" has no interfaces.'
        raise errors.invalid(text, "portset", EMPTY_PORTSET)


class IgroupResource(HostGroupResource[Igroup]):
    """Igroups."""

    path = "protocols/san/igroups"
    doc = "Igroups are groups of initiators; a LUN is seen by the initiators it is mapped to."
    model = Igroup
    names_taken = {Igroup: NAME_TAKEN, Subsystem: NAME_TAKEN}
    searched = ("name", "comment")
    options = (ALLOW_WHILE_MAPPED,)
    fields = (
        Field("uuid", Uuid(), "Identity of the igroup."),
        Field(
            "name",
            name_type(96),
            "Name within the SVM.",
            access=WRITE,
            required=True,
            code=BAD_NAME,
        ),
        svm_reference(),
        Field(
            "os_type",
            Choice(*OS_TYPES, aliases={"default": "linux"}),
            "System of the hosts.",
            access=WRITE,
            required=True,
        ),
        Field(
            "protocol",
            Choice(*PROTOCOLS),
            "Which kinds of initiators it takes.",
            access=CREATE,
            default="mixed",
        ),
        Field("comment", Text(254), "Comment.", access=WRITE, default=""),
        Items(
            "initiators",
            initiator_fields(),
            "The initiators, those of the igroups in it included.",
            access=CREATE,
            attribute="members",
        ),
        References(
            "igroups",
            Igroup,
            "The igroups in it.",
            access=CREATE,
            attribute="children",
            scope=("svm",),
            unknown_code=UNKNOWN_CHILD,
        ),
        References("parent_igroups", Igroup, "The igroups that it is in.", attribute="parents"),
        Reference(
            "portset",
            Portset,
            "The portset with the only interfaces that serve it.",
            access=WRITE,
            scope=("svm",),
            none=("",),
            unknown_code=NO_PORTSET,
        ),
        DELETE_ON_UNMAP,
        Items(
            "lun_maps",
            (
                Field("logical_unit_number", Integer(0, 4095), "Number its initiators see."),
                Field("lun.name", Text(), "Path of the LUN.", get=lambda row, _: row.lun.name),
                Field("lun.uuid", Uuid(), "Identity of the LUN."),
            ),
            "LUNs mapped to the igroup.",
            attribute="maps",
            costly=True,
        ),
        Field(
            "connectivity_tracking.connection_state",
            Choice("full", "partial", "none", "no_initiators"),
            "How many of its initiators are logged in, at an interface that is up.",
            get=_connection_state,
            costly=True,
        ),
        Field("supports_igroups", Boolean(), "Whether it nests igroups.", get=constant(True)),
    )

    def select(self) -> Select[Any]:
        """Return the igroups with their initiators, which most answers and filters need."""
        return select(Igroup).options(selectinload(Igroup.initiators))

    def create(self, change: Change, values: dict[str, Any]) -> Igroup:
        """Add an igroup and its first initiators."""
        session, svm = change.session, values["svm"]
        initiators = [
            item | {"name": named_initiator(session, svm.uuid, item["name"], "initiators.name")}
            for item in values.get("initiators", [])
        ]
        children = values.get("igroups", [])
        if initiators and children:
            text = "An igroup holds either initiators or igroups."
            raise errors.invalid(text, "igroups", EITHER)
        self.check_name(session, svm.uuid, values["name"])
        check_initiators(values["protocol"], [item["name"] for item in initiators], set())
        igroup = self.row(values, protocol=values["protocol"])
        for child in children:
            check_child(igroup, child)
        portset = values.get("portset")
        _check_portset(igroup, portset)
        igroup.portset_uuid = portset.uuid if portset else None
        change.add(igroup)
        for item in initiators:
            change.add(IgroupInitiator(igroup_uuid=igroup.uuid, **item))
        for uuid in dict.fromkeys(child.uuid for child in children):
            change.add(IgroupNesting(igroup_uuid=igroup.uuid, child_uuid=uuid))
        return igroup

    def update(self, change: Change, row: Igroup, values: dict[str, Any]) -> None:
        """Change what describes an igroup, or its portset."""
        portset = values.get("portset")
        _check_portset(row, portset)
        super().update(change, row, values)
        if "portset" in values:
            row.portset_uuid = portset.uuid if portset else None

    def delete(self, change: Change, row: Igroup, options: dict[str, Any]) -> None:
        """Delete an igroup with its initiators and, if allowed, its maps."""
        check_mapped(change, row, "The igroup", options)
        row.dissolve(change)
