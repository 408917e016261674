"""`protocols/san/srp/services`: the SRP service of an SVM, which is Sanstone's own.

It is reached at the SVM's LIFs with a service policy for SRP. Hosts ask for the target by an
identifier that all of the array have in common; which SVM they get follows from the LIF's port.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.declaration.resource import Field, Reader
from sanstone.core.declaration.types import Choice, Text
from sanstone.model.network import IpInterface
from sanstone.model.san import SrpService
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.protocol_service import ProtocolServiceResource, enabled_field
from sanstone.rules.network.service_policies import transports


def _target_name(row: SrpService, reader: Reader) -> str | None:
    return reader.seen(SrpService.kind, row.svm_uuid).get("identifier") or None


def _reached(session: Session) -> set[str | None]:
    """Return the SVMs that have a LIF for SRP that is up."""
    seen = Reader(session).observed(IpInterface.kind)
    return {
        lif.svm_uuid
        for lif in session.scalars(select(IpInterface))
        if any(each.allowed_by == SrpService.protocol for each in transports(lif))
        and lif.uuid in seen
        and seen[lif.uuid].data.get("state") == "up"
    }


def _state(row: SrpService, reader: Reader) -> str:
    return "up" if row.enabled and row.svm_uuid in reader.once(_reached) else "down"


class SrpServiceResource(ProtocolServiceResource[SrpService]):
    """SRP services."""

    path = "protocols/san/srp/services"
    doc = (
        "The SRP service of an SVM, which serves its LUNs by SRP at LIFs with the service policy "
        "`default-data-srp`, one at each Ethernet port."
    )
    model = SrpService
    protocol, called = "srp", "SRP"
    already_there, still_enabled = errors.EXISTS, errors.IN_USE
    fields = (
        svm_reference(always=True),
        enabled_field("Whether initiators may log in."),
        Field(
            "state",
            Choice("up", "down"),
            "Whether hosts reach it: at one LIF at least.",
            get=_state,
        ),
        Field(
            "target.name",
            Text(16),
            "Identifier by which hosts ask for the array's SRP targets, their `id_ext` and "
            "`ioc_guid`. It is known once a LIF offers SRP.",
            get=_target_name,
        ),
    )
