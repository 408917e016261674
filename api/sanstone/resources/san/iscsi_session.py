"""`protocols/san/iscsi/sessions`: initiators that are logged in, as observed.

Each endpoint is a target portal group of its SVM's target: the tag is the endpoint's id, the name
its LIF's, so a session tells through which LIF it came in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sanstone.core.declaration.host_types import IscsiName
from sanstone.core.declaration.resource import (
    Field,
    Getter,
    Items,
    Reader,
    Reference,
    References,
    Resource,
    seen,
)
from sanstone.core.declaration.types import Choice, Integer, Text
from sanstone.core.observed import Observed, Seen
from sanstone.model.network import IpEndpoint, IpInterface
from sanstone.model.observations import ISCSI_SESSIONS
from sanstone.model.san import Igroup
from sanstone.model.svm import Svm
from sanstone.resources.without_effect import fixed
from sanstone.rules.network.endpoints import EndpointKey, by_key
from sanstone.rules.san.igroup_nesting import direct_igroups


def _svm(row: Seen, reader: Reader) -> Svm | None:
    return reader.row(Svm, row.data["svm"])


def _interface(row: Seen, reader: Reader) -> IpInterface | None:
    key = EndpointKey(row.node_uuid, "scsi", row.data["tag"])
    endpoint = reader.once(by_key).get(key)
    return endpoint.interface if isinstance(endpoint, IpEndpoint) else None


def _group_name(row: Seen, reader: Reader) -> str:
    lif = _interface(row, reader)
    return lif.name if lif else str(row.data["tag"])


def _igroups(row: Seen, reader: Reader) -> Sequence[Igroup]:
    return reader.once(direct_igroups).get((row.data["svm"], row.data["initiator"]), [])


def _connections(row: Seen, reader: Reader) -> list[dict[str, Any]]:
    lif = _interface(row, reader)
    here = {"interface": lif.name, "address": lif.address} if lif else {}
    return [{**here, **connection} for connection in row.data["connections"]]


def _part(key: str) -> Getter:
    return lambda connection, _reader: connection.get(key)


class IscsiSessionResource(Resource[Seen]):
    """iSCSI sessions."""

    path = ISCSI_SESSIONS
    doc = "iSCSI sessions are the logins of initiators."
    model = Observed
    keys = ("svm.uuid", "target_portal_group", "tsih")
    order = ("key",)
    methods = frozenset({"GET"})
    fields = (
        Reference("svm", Svm, "The SVM.", get=_svm),
        Field("target_portal_group", Text(), "LIF of the session.", get=_group_name),
        Field("target_portal_group_tag", Integer(0, 65535), "Its number.", get=seen("tag")),
        Field("tsih", Integer(0, 65535), "Target session identifying handle.", get=seen("tsih")),
        Field("isid", Text(), "Initiator session identifier.", get=seen("isid")),
        Field("initiator.name", IscsiName(), "Initiator.", get=seen("initiator"), always=True),
        Field("initiator.alias", Text(), "The initiator's own name for itself.", get=seen("alias")),
        References("igroups", Igroup, "Igroups that it is in.", get=_igroups),
        Items(
            "connections",
            (
                Field("cid", Integer(), "Connection id.", get=_part("cid")),
                Field("interface.name", Text(), "LIF.", get=_part("interface")),
                Field("interface.ip.address", Text(), "Its address.", get=_part("address")),
                Field("interface.ip.port", Integer(), "Its port.", get=_part("port")),
                Field(
                    "transport_protocol",
                    Choice("iscsi", "iser"),
                    "How it comes: over TCP, or over RDMA.",
                    get=_part("transport"),
                ),
                Field(
                    "initiator_address.address",
                    Text(),
                    "Where the initiator is.",
                    get=_part("initiator_address"),
                ),
                fixed("initiator_address.port", Integer(), "Absent: the kernel does not tell."),
                fixed("authentication_type", Text(), "Absent: the kernel does not tell."),
            ),
            "Connections of the session.",
            get=_connections,
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Seen]:
        """Return the sessions with an SVM that still exists; others are about to end."""
        return [row for row in reader.observed(ISCSI_SESSIONS).values() if _svm(row, reader)]
