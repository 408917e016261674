"""`protocols/nvme/subsystem-controllers`: live connections of hosts to subsystems, as observed.

One controller is one host connected through one LIF; a host with two paths has two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sanstone.core.declaration.resource import Field, Getter, Reader, Reference, Resource, seen
from sanstone.core.declaration.types import Choice, Integer, Text, Uuid
from sanstone.core.observed import Observed, Seen
from sanstone.kernel.target import tls_keys
from sanstone.model.network import AnyEndpoint, IpInterface
from sanstone.model.nvme import Subsystem
from sanstone.model.observations import NVME_CONTROLLERS
from sanstone.model.svm import Svm
from sanstone.protocols import PROTOCOLS
from sanstone.resources.nvme.subsystem import queue_fields
from sanstone.resources.without_effect import fixed
from sanstone.rules.cluster.node import node_fields, on_its_node
from sanstone.rules.network.endpoints import EndpointKey, by_key


def _subsystem(row: Seen, reader: Reader) -> Subsystem | None:
    return reader.row(Subsystem, row.data["subsystem"])


def _svm(row: Seen, reader: Reader) -> Svm | None:
    subsystem = _subsystem(row, reader)
    return subsystem.svm if subsystem else None


def _endpoint(row: Seen, reader: Reader) -> AnyEndpoint | None:
    key = EndpointKey(row.node_uuid, "nvme", row.data["port"])
    return reader.once(by_key).get(key)


def _transport(row: Seen, reader: Reader) -> str | None:
    endpoint = _endpoint(row, reader)
    return endpoint.protocol if endpoint else None


def _identity(row: Seen, _reader: Reader) -> str | None:
    return row.data.get("tls_identity") or None


def _key_type(row: Seen, _reader: Reader) -> str:
    return "configured" if row.data.get("tls_identity") else "none"


def _cipher(row: Seen, _reader: Reader) -> str | None:
    return tls_keys.suite(row.data.get("tls_identity", "")) or None


def _interface(attribute: str) -> Getter:
    def get(row: Seen, reader: Reader) -> Any:
        endpoint = _endpoint(row, reader)
        return getattr(endpoint.interface, attribute) if endpoint else None

    return get


def _address(row: Seen, reader: Reader) -> str | None:
    endpoint = _endpoint(row, reader)
    if endpoint is None:
        return None
    interface = endpoint.interface
    return interface.address if isinstance(interface, IpInterface) else interface.wwpn


class SubsystemControllerResource(Resource[Seen]):
    """NVMe controllers."""

    path = NVME_CONTROLLERS
    doc = "NVMe controllers are the live connections of hosts to subsystems."
    model = Observed
    keys = ("subsystem.uuid", "id")
    order = ("key",)
    methods = frozenset({"GET"})
    fields = (
        Reference("subsystem", Subsystem, "The subsystem.", get=_subsystem),
        Reference("svm", Svm, "Its SVM.", get=_svm),
        Field("id", Text(5, 5), "Controller id.", get=lambda row, _: f"{row.data['id']:04x}h"),
        Field("host.nqn", Text(223), "NQN of the host.", get=seen("host_nqn"), always=True),
        *node_fields(of=on_its_node),
        fixed("host.id", Uuid(), "Absent: the kernel does not tell."),
        *queue_fields("io_queue"),
        Field("host.transport_address", Text(), "Where from.", get=seen("host_address")),
        Field("interface.name", Text(), "Interface that it came in at.", get=_interface("name")),
        Field("interface.uuid", Uuid(), "Identity of the interface.", get=_interface("uuid")),
        Field(
            "interface.transport_address",
            Text(),
            "Address of the LIF, or WWPN of the Fibre Channel interface.",
            get=_address,
        ),
        Field(
            "transport_protocol",
            Choice(*(each.name for each in PROTOCOLS if each.family == "nvme")),
            "How it is connected.",
            get=_transport,
        ),
        Field(
            "keep_alive_timeout",
            Integer(),
            "Milliseconds without a sign of life after which it is dropped.",
            get=seen("keep_alive_ms"),
        ),
        Field(
            "tls.key_type",
            Choice("none", "configured"),
            "Whether its connections are encrypted, and by what key.",
            get=_key_type,
        ),
        Field("tls.psk_identity", Text(), "Identity of the key of TLS.", get=_identity),
        Field(
            "tls.cipher",
            Choice(*tls_keys.SUITES.values()),
            "Cipher suite of TLS.",
            get=_cipher,
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Seen]:
        """Return the controllers of existing subsystems; others are about to disconnect."""
        return [row for row in reader.observed(NVME_CONTROLLERS).values() if _svm(row, reader)]
