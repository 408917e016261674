"""`protocols/san/refused-initiators`: hosts that knocked and were not let in, Sanstone's own.

The reconciler keeps the kernel's reports of them (`reconcile/stages/refusals.py`); the reason
follows from the present configuration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core.declaration.host_types import Wwpn
from sanstone.core.declaration.resource import Field, Reader, Reference, Resource
from sanstone.core.declaration.types import Choice, Integer, Text, Timestamp, Uuid
from sanstone.core.observed import Observed
from sanstone.model.network import FcInterface, Interface, IpInterface
from sanstone.model.nvme import Subsystem
from sanstone.model.observations import REFUSED_INITIATORS
from sanstone.model.san import Igroup, IgroupInitiator
from sanstone.model.svm import Svm
from sanstone.resources.san.path import TRANSPORTS
from sanstone.rules.san.refusals import KEPT, NOT_ALLOWED, NOT_AUTHENTICATED, REASONS


@dataclass(frozen=True)
class RefusedInitiator:
    """An initiator that was refused, `count` times from `first` to `last`.

    `interface` is that of a SCSI login, if known; `subsystem` the one that an NVMe host requested.
    """

    uuid: str
    svm: Svm
    initiator: str
    transport: str
    reason: str
    first: float
    last: float
    count: int
    address: str
    interface: Interface | None
    subsystem: Subsystem | None
    igroups: tuple[str, ...]

    @property
    def svm_name(self) -> str:
        """Return the name of the SVM."""
        return self.svm.name

    @property
    def message(self) -> str:
        """Return why it is refused, and what helps."""
        if self.reason == NOT_AUTHENTICATED and self.subsystem:
            return (
                f'It came to subsystem "{self.subsystem.name}" without the TLS key that it needs: '
                "have the host connect by TLS, with the key that the array has of it."
            )
        if self.reason == NOT_AUTHENTICATED:
            return (
                "Its CHAP secret is wrong or missing: compare the credential of the initiator with "
                "the settings of the host."
            )
        if self.subsystem:
            return (
                f'Subsystem "{self.subsystem.name}" does not list it: add the host if it is yours.'
            )
        if not self.igroups:
            return f'It is in no igroup of SVM "{self.svm.name}": add it to one if it is yours.'
        names = ", ".join(f'"{name}"' for name in self.igroups)
        return (
            f"It is in igroup {names}, but a portset leaves the interface out, or a credential "
            "denies it."
        )


def _members(session: Session) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the names of the igroups that each initiator is in, by SVM and initiator."""
    query = select(Igroup.svm_uuid, IgroupInitiator.name, Igroup.name)
    igroups: dict[tuple[str, str], tuple[str, ...]] = {}
    for svm, initiator, name in session.execute(
        query.join(IgroupInitiator.igroup).order_by(Igroup.name)
    ):
        igroups[svm, initiator] = (*igroups.get((svm, initiator), ()), name)
    return igroups


def _refused(key: str, data: Mapping[str, Any], reader: Reader) -> RefusedInitiator | None:
    """Return a refusal, None where its SVM is gone."""
    svm_uuid, _, uuid = key.partition("/")
    svm = reader.row(Svm, svm_uuid)
    if svm is None:
        return None
    interface, subsystem = str(data.get("interface", "")), str(data.get("subsystem", ""))
    initiator = str(data.get("initiator", ""))
    return RefusedInitiator(
        uuid=uuid,
        svm=svm,
        initiator=initiator,
        transport=str(data.get("transport", "")),
        reason=str(data.get("reason", NOT_ALLOWED)),
        first=data.get("first", 0),
        last=data.get("last", 0),
        count=data.get("count", 0),
        address=str(data.get("address", "")),
        interface=_interface(reader, interface) if interface else None,
        subsystem=reader.row(Subsystem, subsystem) if subsystem else None,
        igroups=reader.once(_members).get((svm_uuid, initiator), ()),
    )


def _interface(reader: Reader, uuid: str) -> Interface | None:
    return reader.row(IpInterface, uuid) or reader.row(FcInterface, uuid)


class RefusedInitiatorResource(Resource[RefusedInitiator]):
    """Refused initiators."""

    path = REFUSED_INITIATORS
    doc = (
        "Initiators and NVMe hosts that tried to log in and were refused: those that no igroup or "
        "subsystem allows there, and those with a wrong CHAP secret. The array keeps the last "
        f"{KEPT} for a week, and each no longer than until it is allowed. They chose their names "
        "themselves, but for ports of Fibre Channel, which stay where they are refused and are "
        "counted when they come; of those a driver in target mode (qla2xxx, efct) need not tell. "
        "Of iSCSI's failed authentication the kernel tells the target alone, and if several fail "
        "within 5 seconds the last of them; of NVMe's it tells nothing."
    )
    model = Observed
    keys = ("svm.uuid", "uuid")
    order = ("svm_name", "initiator", "uuid")
    methods = frozenset({"GET"})
    fields = (
        Reference("svm", Svm, "The SVM that refused it."),
        Field("uuid", Uuid(), "Identity of the record."),
        Field(
            "initiator.name", Text(), "Its own name for itself.", attribute="initiator", always=True
        ),
        Field(
            "initiator.address",
            Text(),
            "Where it is; NVMe hosts are known by name alone, and so may others be.",
            get=lambda row, _: row.address or None,
        ),
        Field(
            "transport_protocol",
            Choice(*TRANSPORTS),
            "How it came.",
            get=lambda row, _: row.transport or None,
        ),
        Field(
            "interface.name",
            Text(),
            "Interface at which it knocked, where that is known.",
            get=lambda row, _: row.interface.name if row.interface else None,
        ),
        Field(
            "interface.uuid",
            Uuid(),
            "Identity of the interface.",
            get=lambda row, _: row.interface.uuid if row.interface else None,
        ),
        Field(
            "interface.wwpn",
            Wwpn(),
            "World wide name of a Fibre Channel interface.",
            get=lambda row, _: getattr(row.interface, "wwpn", None),
        ),
        Reference("subsystem", Subsystem, "The subsystem that it wanted, by NVMe."),
        Field("reason", Choice(*REASONS), "Why it was refused."),
        Field("count", Integer(), "How many times."),
        Field("first_time", Timestamp(), "When first.", attribute="first"),
        Field("last_time", Timestamp(), "When last.", attribute="last", always=True),
        Field("message", Text(4096), "Why, and what helps, in words."),
    )

    def rows(self, reader: Reader) -> Sequence[RefusedInitiator]:
        """Return the refusals of SVMs that still exist."""
        seen = reader.observed(REFUSED_INITIATORS).items()
        return [refusal for key, row in seen if (refusal := _refused(key, row.data, reader))]
