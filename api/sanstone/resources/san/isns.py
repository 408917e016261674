"""`protocols/san/iscsi/isns`: iSNS servers that know SVMs' iSCSI targets, which is Sanstone's own.

It is what ONTAP has in its command line alone, as `vserver iscsi isns`. The reconciler registers,
and observes how that went (`reconcile/stages/isns.py`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import WRITE, Field, Reader, Resource
from sanstone.core.declaration.types import Boolean, Choice, Text, Timestamp
from sanstone.kernel.network.isns import PERIOD
from sanstone.model.san import IscsiService, IsnsRegistration
from sanstone.resources.cluster.svm import svm_reference
from sanstone.rules.destinations import DestinationAddress
from sanstone.rules.san.isns import DISABLED, PENDING, STATES, entity_name
from sanstone.security import confinement


def _state(row: IsnsRegistration, reader: Reader) -> str:
    if not row.enabled:
        return DISABLED
    return str(reader.seen(row.kind, row.key).get("state", PENDING))


def _registered(row: IsnsRegistration, reader: Reader) -> float | None:
    until = reader.seen(row.kind, row.key).get("until")
    return until - PERIOD if until else None


class IsnsResource(Resource[IsnsRegistration]):
    """Registrations of targets."""

    path = IsnsRegistration.kind
    doc = (
        "An iSNS server tells hosts which iSCSI targets there are, and where. The target of an SVM "
        "is registered there with its portals and their portal groups, from a LIF of the SVM over "
        "TCP at port 3205, while the iSCSI service runs; again every 5 minutes, and at once when a "
        "LIF comes or goes. Switching it off or deleting it takes it back, or the server forgets "
        "it after 15 minutes if that cannot be reached."
    )
    model = IsnsRegistration
    keys = ("svm.uuid",)
    order = ("svm_uuid",)
    fields = (
        svm_reference(always=True),
        Field(
            "address", DestinationAddress(), "Address of the server.", access=WRITE, required=True
        ),
        Field("enabled", Boolean(), "Whether to register.", access=WRITE, default=True),
        Field(
            "entity_id",
            Text(255),
            "The name by which the server knows what the SVM registers.",
            get=lambda row, _: entity_name(row.svm_uuid),
        ),
        Field(
            "state",
            Choice(*STATES),
            "Whether the target is registered, or will soon be; or why not, in `message`.",
            get=_state,
        ),
        Field(
            "message",
            Text(4096),
            "Why it could not be registered.",
            get=lambda row, reader: reader.seen(row.kind, row.key).get("message") or None,
        ),
        Field(
            "last_registration_time",
            Timestamp(),
            "When the server took the registration last.",
            get=_registered,
        ),
    )

    def select(self) -> Select[Any]:
        """Return the registrations with their SVMs."""
        return select(IsnsRegistration).options(joinedload(IsnsRegistration.svm))

    def create(self, change: Change, values: dict[str, Any]) -> IsnsRegistration:
        """Have the target of an SVM registered."""
        svm = values["svm"]
        if change.session.get(IsnsRegistration, svm.uuid):
            text = f'The iSNS server of SVM "{svm.name}" already exists.'
            raise errors.conflict(text, "svm", errors.EXISTS)
        if not change.session.get(IscsiService, svm.uuid):
            raise errors.conflict(f'SVM "{svm.name}" has no iSCSI service.', "svm")
        row = IsnsRegistration(
            svm_uuid=svm.uuid, address=values["address"], enabled=values["enabled"]
        )
        change.add(row)
        return row

    def update(self, change: Change, row: IsnsRegistration, values: dict[str, Any]) -> None:
        """Register at another server, or begin or end it."""
        row.address = values.get("address", row.address)
        row.enabled = values.get("enabled", row.enabled)

    def delete(self, change: Change, row: IsnsRegistration, options: dict[str, Any]) -> None:
        """Have the registration taken back."""
        change.delete(row)


class IsnsUpdateAction(Action):
    """Register a target anew."""

    path = f"{IsnsRegistration.kind}/{{svm.uuid}}/update"
    doc = (
        "Has the target of an SVM registered at its iSNS server at once, in the place of what that "
        "knows, as ONTAP's `vserver iscsi isns update` does. `state` and `last_registration_time` "
        "of the registration tell how it went. To hosts that the server informs, the target goes "
        "and comes."
    )
    model = IsnsRegistration
    fields = ()

    def run(self, change: Change, values: dict[str, Any]) -> dict[str, Any]:
        """Have the target registered. Raises ApiError where that or iSCSI is missing or off."""
        session, uuid = change.session, values["svm.uuid"]
        query = confinement.narrow(session, IsnsRegistration, select(IsnsRegistration))
        row = session.scalars(query.filter_by(svm_uuid=uuid)).one_or_none()
        if row is None:
            raise errors.unknown(f'iSNS registration of SVM "{uuid}"', "svm.uuid")
        if not row.enabled:
            text = f'The iSNS registration of SVM "{row.svm.name}" is switched off.'
            raise errors.conflict(text, "svm.uuid")
        service = session.get(IscsiService, uuid)
        if service is None or not service.enabled:
            text = f'The iSCSI service of SVM "{row.svm.name}" does not run.'
            raise errors.conflict(text, "svm.uuid")
        change.touch(row.owner)
        return {}
