"""`protocols/san/portsets`: sets of interfaces to which igroups are bound.

A LUN that is mapped to a bound igroup is reachable only through those of its portset. A portset
with bound igroups never becomes empty: their hosts would lose every path at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Items, Reference, Resource
from sanstone.core.declaration.types import Boolean, Choice, Text, Uuid
from sanstone.model.network import FcInterface, Interface, IpInterface
from sanstone.model.san import Portset, PortsetInterface
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.host_group import name_type
from sanstone.resources.san.igroup import PROTOCOLS
from sanstone.rules.network.service_policies import transports

NAME_TAKEN, UNKNOWN_LIF, TWICE, WRONG_PROTOCOL = "1254259", "5374906", "5374915", "5374914"
UNKNOWN, BOUND, UNKNOWN_MEMBER = "5374908", "5374063", "5374909"


def interface_of(item: dict[str, Any]) -> Interface:
    """Return the interface in an item of a request. Raises ApiError unless there is one."""
    interfaces: list[Interface] = [item[key] for key in ("ip", "fc") if item.get(key)]
    if not interfaces:
        raise errors.missing("ip", UNKNOWN_LIF)
    if len(interfaces) > 1:
        raise errors.invalid("An item is one interface, of one kind.", "fc", UNKNOWN_LIF)
    return interfaces[0]


def interface_fields() -> tuple[Field | Reference, ...]:
    """Return the fields of an interface, in its portset's list and in its own collection."""
    return (
        Field("uuid", Uuid(), "Identity of the interface.", attribute="interface_uuid"),
        Reference(
            "ip",
            IpInterface,
            "The interface, if it is a LIF.",
            access=CREATE,
            scope=("svm",),
            unknown_code=UNKNOWN_LIF,
        ),
        Reference(
            "fc",
            FcInterface,
            "The interface, if it is a Fibre Channel interface.",
            access=CREATE,
            scope=("svm",),
            unknown_code=UNKNOWN_LIF,
        ),
    )


def check_interfaces(portset_svm: str, protocol: str, lifs: Sequence[Interface]) -> None:
    """Raise ApiError when interfaces cannot be in a portset of this SVM and protocol."""
    if len({lif.uuid for lif in lifs}) < len(lifs):
        raise errors.conflict("An interface is given twice.", "interfaces", TWICE)
    for lif in lifs:
        if lif.svm_uuid != portset_svm:
            text = f'interface "{lif.name}" in the SVM of the portset'
            raise errors.unknown_reference(text, "interfaces", UNKNOWN_LIF)
        if not _serves(lif, protocol):
            text = f'Interface "{lif.name}" does not serve {protocol}.'
            raise errors.invalid(text, "interfaces", WRONG_PROTOCOL)


def _serves(lif: Interface, protocol: str) -> bool:
    """Return whether an interface offers LUNs over what a portset is for."""
    offered = transports(lif)
    return any(p.family == "scsi" and protocol in ("mixed", p.allowed_by) for p in offered)


def add_interfaces(change: Change, portset: Portset, lifs: Iterable[Interface]) -> None:
    """Add interfaces that `check_interfaces` has accepted."""
    for lif in lifs:
        change.add(PortsetInterface(portset_uuid=portset.uuid, interface_uuid=lif.uuid))
    change.session.expire(portset, ["members"])
    touch_igroups(change, portset)


def touch_igroups(change: Change, portset: Portset) -> None:
    """Mark the igroups bound to a portset as changed, since their hosts' paths change."""
    for igroup in portset.igroups:
        change.touch(igroup.owner)


class PortsetResource(Resource[Portset]):
    """Portsets."""

    path = "protocols/san/portsets"
    doc = "Portsets are sets of interfaces; an igroup that is bound to one is served only there."
    model = Portset
    searched = ("name",)
    unknown_code = UNKNOWN
    options = (
        Field(
            "allow_delete_while_bound",
            Boolean(),
            "Whether it may be deleted while igroups are bound to it.",
            default=False,
        ),
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the portset."),
        Field(
            "name",
            name_type(96),
            "Name within the SVM.",
            access=WRITE,
            required=True,
        ),
        svm_reference(),
        Field(
            "protocol",
            Choice(*PROTOCOLS),
            "What its interfaces serve.",
            access=CREATE,
            default="mixed",
        ),
        Items(
            "interfaces",
            interface_fields(),
            "The interfaces.",
            access=CREATE,
            attribute="members",
            bare="ip",
        ),
        Items(
            "igroups",
            (
                Field("name", Text(96), "Name of the igroup."),
                Field("uuid", Uuid(), "Identity of the igroup."),
            ),
            "Igroups that are bound to it.",
            costly=True,
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Portset:
        """Add a portset and its first interfaces."""
        svm, name = values["svm"], values["name"]
        lifs = [interface_of(item) for item in values.get("interfaces", ())]
        self._check_name(change, svm.uuid, name)
        check_interfaces(svm.uuid, values["protocol"], lifs)
        portset = Portset(svm_uuid=svm.uuid, name=name, protocol=values["protocol"])
        change.add(portset)
        add_interfaces(change, portset, lifs)
        return portset

    def update(self, change: Change, row: Portset, values: dict[str, Any]) -> None:
        """Change the name."""
        name = values.get("name", row.name)
        if name != row.name:
            self._check_name(change, row.svm_uuid, name)
        row.name = name

    def delete(self, change: Change, row: Portset, options: dict[str, Any]) -> None:
        """Delete a portset; bound igroups, if that is allowed, are served at all interfaces."""
        if row.igroups and not options["allow_delete_while_bound"]:
            text = f'Igroup "{row.igroups[0].name}" is bound to portset "{row.name}".'
            raise errors.conflict(text, code=BOUND)
        touch_igroups(change, row)
        for igroup in list(row.igroups):
            igroup.portset_uuid = None
        for member in list(row.members):
            change.delete(member)
        change.delete(row)

    @staticmethod
    def _check_name(change: Change, svm_uuid: str, name: str) -> None:
        taken = select(Portset.uuid).filter_by(svm_uuid=svm_uuid, name=name)
        if change.session.scalar(taken):
            text = f'A portset named "{name}" already exists in the SVM.'
            raise errors.conflict(text, "name", NAME_TAKEN)
