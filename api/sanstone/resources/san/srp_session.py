"""`protocols/san/srp/sessions`: initiators that are logged in by SRP, which is Sanstone's own.

They are those that see LUNs: the kernel tells of a session by the LUNs of the initiator.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.declaration.host_types import Initiator
from sanstone.core.declaration.resource import Field, Reader, Reference, References, Resource, seen
from sanstone.core.observed import Observed, Seen
from sanstone.model.network import IpInterface
from sanstone.model.observations import SRP_SESSIONS
from sanstone.model.san import Igroup
from sanstone.model.svm import Svm
from sanstone.rules.san.igroup_nesting import direct_igroups


def _interface(row: Seen, reader: Reader) -> IpInterface | None:
    return reader.row(IpInterface, row.data["interface"])


def _svm(row: Seen, reader: Reader) -> Svm | None:
    return reader.row(Svm, row.data["svm"])


def _igroups(row: Seen, reader: Reader) -> Sequence[Igroup]:
    return reader.once(direct_igroups).get((row.data["svm"], row.data["initiator"]), [])


class SrpSessionResource(Resource[Seen]):
    """SRP sessions."""

    path = SRP_SESSIONS
    doc = "Initiators that are logged in at LIFs by SRP, and see LUNs there."
    model = Observed
    keys = ("interface.uuid", "initiator.name")
    order = ("key",)
    methods = frozenset({"GET"})
    fields = (
        Reference("interface", IpInterface, "The LIF.", get=_interface),
        Field(
            "initiator.name",
            Initiator(),
            "Identifier of the initiator's port.",
            get=seen("initiator"),
            always=True,
        ),
        References("igroups", Igroup, "The igroups that it is in.", get=_igroups),
        Reference("svm", Svm, "The SVM.", get=_svm),
    )

    def rows(self, reader: Reader) -> Sequence[Seen]:
        """Return the observations of sessions."""
        return sorted(reader.observed(SRP_SESSIONS).values(), key=lambda row: row.key)
