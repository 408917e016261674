"""`network/fc/logins`: the initiators that are logged in at Fibre Channel interfaces, as observed.

By FCP these are the initiators that see LUNs there: the kernel tells of a session by the LUNs of
its initiator. By NVMe they are the ports of the hosts that are connected to subsystems there.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.declaration.host_types import Wwpn
from sanstone.core.declaration.resource import Field, Reader, Reference, References, Resource, seen
from sanstone.core.declaration.types import Choice, Text
from sanstone.core.observed import Observed, Seen
from sanstone.model.network import FC_NVME, FCP, FcInterface
from sanstone.model.observations import FC_LOGINS
from sanstone.model.san import Igroup
from sanstone.model.svm import Svm
from sanstone.rules.san.igroup_nesting import direct_igroups


def _interface(row: Seen, reader: Reader) -> FcInterface | None:
    return reader.row(FcInterface, row.data["interface"])


def _svm(row: Seen, reader: Reader) -> Svm | None:
    return reader.row(Svm, row.data["svm"])


def _wwpn(row: Seen, reader: Reader) -> str | None:
    interface = _interface(row, reader)
    return interface.wwpn if interface else None


def _igroups(row: Seen, reader: Reader) -> Sequence[Igroup]:
    return reader.once(direct_igroups).get((row.data["svm"], row.data["wwpn"]), [])


class FcLoginResource(Resource[Seen]):
    """Logins at Fibre Channel interfaces."""

    path = FC_LOGINS
    doc = (
        "Initiators that are logged in at Fibre Channel interfaces: by FCP those that see LUNs "
        "there, by NVMe those that are connected to a subsystem."
    )
    model = Observed
    keys = ("interface.uuid", "initiator.wwpn")
    order = ("key",)
    methods = frozenset({"GET"})
    fields = (
        Reference("interface", FcInterface, "The interface.", get=_interface),
        Field("interface.wwpn", Wwpn(), "World wide name of the interface.", get=_wwpn),
        Field(
            "initiator.wwpn",
            Wwpn(),
            "World wide name of the initiator.",
            get=seen("wwpn"),
            always=True,
        ),
        Field(
            "initiator.wwnn",
            Wwpn(),
            "World wide name of its node, where the adapter's driver tells it.",
            get=lambda row, _: row.data["wwnn"] or None,
        ),
        Field(
            "initiator.port_address",
            Text(6),
            "Its address in the fabric, where the adapter's driver tells it.",
            get=lambda row, _: row.data["address"] or None,
        ),
        Field("protocol", Choice(FCP, FC_NVME), "Protocol by which it came.", get=seen("protocol")),
        References("igroups", Igroup, "The igroups that it is in.", get=_igroups),
        Reference("svm", Svm, "The SVM.", get=_svm),
    )

    def rows(self, reader: Reader) -> Sequence[Seen]:
        """Return the observations of logins."""
        return sorted(reader.observed(FC_LOGINS).values(), key=lambda row: row.key)
